// SPDX-License-Identifier: GPL-2.0-only
/* Prints doctor's report, as text and as a result. */
#include "cli/doctor.h"

#include <string.h>
#include <sys/utsname.h>

#include "base/opt.h"

#define STATE_COLUMN  ((size_t)28)
#define DETAIL_COLUMN ((size_t)37)
#define NOTE_COLUMN   ((size_t)6)

bool doctor_can_record(const struct kft_doctor_report *r)
{
	static const char *const needed[] = {"tracefs", "instances", "events"};
	size_t n = 0;

	for (size_t i = 0; i < kft_n_mechanisms; i++)
		for (size_t k = 0; k < ARRAY_SIZE(needed); k++)
			n += !strcmp(kft_mechanisms[i].id, needed[k]) &&
			     r->results[i].state >= KFT_DOCTOR_LIMITED;
	return n == ARRAY_SIZE(needed);
}

static void count_states(const struct kft_doctor_report *r,
			 size_t counts[static KFT_DOCTOR_N_STATES])
{
	for (size_t i = 0; i < kft_n_mechanisms; i++)
		counts[r->results[i].state]++;
}

static void pad_to(struct kft_strbuf *sb, size_t line_start, size_t column)
{
	size_t used = sb->len - line_start;

	kft_strbuf_fill(sb, ' ', used < column ? column - used : 1);
}

/* Appends "label text" on separate lines below a row, wrapped. */
static void add_note(struct kft_strbuf *sb, const char *label, const char *text,
		     size_t width)
{
	size_t column = NOTE_COLUMN + strlen(label) + 1;

	kft_strbuf_fill(sb, ' ', NOTE_COLUMN);
	kft_strbuf_addf(sb, "%s ", label);
	kft_strbuf_add_wrapped(sb, text, column, column, width);
	kft_strbuf_addc(sb, '\n');
}

/* A remedy of many rows is printed once, at the end. */
static bool is_shared(enum kft_doctor_reason reason)
{
	return reason == KFT_DOCTOR_LOCKDOWN || reason == KFT_DOCTOR_PRIVILEGE ||
	       reason == KFT_DOCTOR_BUSY;
}

static void add_detail(struct kft_strbuf *sb, const struct kft_doctor_result *res,
		       size_t width)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf detail = {};

	/* Details contain words of the kernel and file names. */
	kft_strbuf_add_escaped(&detail, res->detail, strlen(res->detail));
	if (is_shared(res->reason) && detail.len)
		kft_strbuf_addf(&detail, " (%s)", kft_doctor_reason_name(res->reason));
	kft_strbuf_add_wrapped(sb, kft_strbuf_cstr(&detail), DETAIL_COLUMN, DETAIL_COLUMN,
			       width);
}

static void add_row(struct kft_strbuf *sb, const struct kft_mechanism *p,
		    const struct kft_doctor_result *res, size_t width)
{
	size_t line = sb->len;

	kft_strbuf_addf(sb, "  %s", p->title);
	pad_to(sb, line, STATE_COLUMN);
	kft_strbuf_adds(sb, kft_doctor_state_name(res->state));
	if (res->detail[0]) {
		pad_to(sb, line, DETAIL_COLUMN);
		add_detail(sb, res, width);
	}
	kft_strbuf_addc(sb, '\n');
	if (res->state == KFT_DOCTOR_YES || res->state == KFT_DOCTOR_UNKNOWN)
		return;
	add_note(sb, "lost: ", p->without, width);
	if (res->reason != KFT_DOCTOR_FINE && !is_shared(res->reason))
		add_note(sb, "needs:", kft_doctor_remedy(p, res), width);
}

/* Appends "lockdown (7): boot with ...", for each reason that many rows share. */
static void add_shared_remedies(struct kft_strbuf *sb, const struct kft_doctor_report *r)
{
	for (int reason = 0; reason < KFT_DOCTOR_N_REASONS; reason++) {
		const char *remedy = NULL;
		size_t n = 0;

		for (size_t i = 0; i < kft_n_mechanisms; i++) {
			if ((int)r->results[i].reason != reason)
				continue;
			remedy = kft_doctor_remedy(&kft_mechanisms[i], &r->results[i]);
			n++;
		}
		if (n && is_shared(reason))
			kft_strbuf_addf(sb, "%s (%zu): %s\n",
					kft_doctor_reason_name(reason), n, remedy);
	}
}

static void add_kernel(struct kft_strbuf *sb)
{
	struct utsname u;

	if (uname(&u) < 0)
		return;
	kft_strbuf_addf(sb, "%s %s %s, tried just now by kft %s\n", u.sysname, u.release,
			u.machine, KFT_VERSION);
}

static void add_summary(struct kft_strbuf *sb, const struct kft_doctor_report *r,
			size_t width)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	size_t n[KFT_DOCTOR_N_STATES] = {};

	count_states(r, n);
	kft_strbuf_addf(&text,
			"%zu mechanisms: %zu yes, %zu limited, %zu no, %zu unknown. "
			"kft record %s here.\n",
			kft_n_mechanisms, n[KFT_DOCTOR_YES], n[KFT_DOCTOR_LIMITED],
			n[KFT_DOCTOR_NO], n[KFT_DOCTOR_UNKNOWN],
			doctor_can_record(r) ? "works" : "cannot work");
	kft_strbuf_add_wrapped(sb, kft_strbuf_cstr(&text), 0, 0, width);
}

void doctor_text(const struct kft_doctor_report *r, size_t width, struct kft_strbuf *sb)
{
	const char *group = NULL;

	add_kernel(sb);
	for (size_t i = 0; i < kft_n_mechanisms; i++) {
		if (kft_mechanisms[i].group != group) {
			group = kft_mechanisms[i].group;
			kft_strbuf_addf(sb, "\n%s\n", group);
		}
		add_row(sb, &kft_mechanisms[i], &r->results[i], width);
	}
	kft_strbuf_addc(sb, '\n');
	add_shared_remedies(sb, r);
	add_summary(sb, r, width);
}

static const struct kft_result_column mechanism_columns[] = {
	{"id", "ID", .is_text = true},		 {"group", "GROUP", .is_text = true},
	{"title", "MECHANISM", .is_text = true}, {"state", "STATE", .is_text = true},
	{"reason", "REASON", .is_text = true},	 {"errno", "ERRNO"},
	{"detail", "DETAIL", .is_text = true},	 {"purpose", "PURPOSE", .is_text = true},
	{"without", "WITHOUT", .is_text = true}, {"remedy", "REMEDY", .is_text = true},
};

static void add_mechanism(struct kft_result_table *t, const struct kft_mechanism *p,
			  const struct kft_doctor_result *res)
{
	const char *remedy = kft_doctor_remedy(p, res);

	kft_result_put(t, kft_value_word(p->id));
	kft_result_put(t, kft_value_word(p->group));
	kft_result_put(t, kft_value_word(p->title));
	kft_result_put(t, kft_value_word(kft_doctor_state_name(res->state)));
	kft_result_put(t, kft_value_word(kft_doctor_reason_name(res->reason)));
	kft_result_put(t, kft_value_number(KFT_VALUE_ID, -res->code));
	kft_result_put(t, kft_value_word(res->detail));
	kft_result_put(t, kft_value_word(p->purpose));
	kft_result_put(t, kft_value_word(p->without));
	kft_result_put(t, remedy ? kft_value_word(remedy) : kft_value_none());
}

static void add_counts(struct kft_result *ret, const struct kft_doctor_report *r)
{
	static const struct kft_result_column columns[] = {
		{"yes", "YES"},
		{"limited", "LIMITED"},
		{"no", "NO"},
		{"unknown", "UNKNOWN"},
	};
	struct kft_result_table *t = kft_result_add_table(ret, "counts", columns,
							  ARRAY_SIZE(columns));
	size_t n[KFT_DOCTOR_N_STATES] = {};

	if (t)
		t->is_record = true;
	count_states(r, n);
	for (int state = KFT_DOCTOR_YES; state >= KFT_DOCTOR_UNKNOWN; state--)
		kft_result_put(t, kft_value_count(n[state]));
}

void doctor_result(const struct kft_doctor_report *r, struct kft_result *ret)
{
	struct utsname u = {};

	(void)uname(&u);
	kft_result_add(ret, "format", "Format", kft_value_word("kft-doctor"));
	kft_result_add(ret, "version", "Version", kft_value_number(KFT_VALUE_ID, 1));
	kft_result_add(ret, "kft", "kft", kft_value_word(KFT_VERSION));
	kft_result_add(ret, "kernel", "Kernel", kft_value_text(ret, u.release));
	kft_result_add(ret, "machine", "Machine", kft_value_text(ret, u.machine));
	kft_result_add(ret, "can_record", "Can record",
		       kft_value_bool(doctor_can_record(r)));
	kft_result_add(ret, "left_over", "Left over", kft_value_word(r->left_over));
	add_counts(ret, r);
	struct kft_result_table *t = kft_result_add_table(
		ret, "mechanisms", mechanism_columns, ARRAY_SIZE(mechanism_columns));

	for (size_t i = 0; i < kft_n_mechanisms; i++)
		add_mechanism(t, &kft_mechanisms[i], &r->results[i]);
}
