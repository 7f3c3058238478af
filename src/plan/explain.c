// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes a configuration in words. */
#include "plan/explain.h"

#include <inttypes.h>

#include "base/units.h"
#include "plan/format.h"

#define NAMES_SHOWN  8 /* names of a list that are shown before "and N more" */
#define CLAUSE_SHOWN 100 /* bytes of a clause's text */

/* Appends "500 us", "1.5 ms", "5 s": exact, without zeros at the end. */
static void add_time(struct kft_strbuf *sb, uint64_t ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
	size_t i = 0;

	while (i + 1 < ARRAY_SIZE(units) && ns < units[i].ns)
		i++;
	uint64_t rest = ns % units[i].ns;
	kft_strbuf_addu(sb, ns / units[i].ns, 1);
	if (rest) {
		uint64_t digit = units[i].ns / 10;

		kft_strbuf_addc(sb, '.');
		for (; rest; rest %= digit, digit = KFT_MAX(digit / 10, UINT64_C(1)))
			kft_strbuf_addc(sb, '0' + rest / digit);
	}
	kft_strbuf_addf(sb, " %s", units[i].name);
}

static void add_text(struct kft_strbuf *sb, const char *s)
{
	kft_strbuf_add_escaped(sb, s, strlen(s));
}

static void say_trigger(struct kft_strbuf *sb, const struct kft_config_trigger *t)
{
	kft_strbuf_adds(sb, "when ");
	if (t->kind == KFT_TRIGGER_EVENT) {
		add_text(sb, t->event.pattern);
		kft_strbuf_adds(sb, " comes");
		if (t->event.filter) {
			kft_strbuf_adds(sb, " with ");
			add_text(sb, t->event.filter);
		}
		return;
	}
	add_text(sb, t->func.word);
	kft_strbuf_adds(sb, t->kind == KFT_TRIGGER_ENTRY ? " is entered" : " returns");
}

static void say_start(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "recording starts ");
	switch (run->start.kind) {
	case KFT_TRIGGER_NONE:
		kft_strbuf_adds(sb, "at once with 'kft run', else with 'kft start'");
		break;
	case KFT_TRIGGER_TIME:
		add_time(sb, run->start.time_ns);
		kft_strbuf_adds(sb, " after boot; at once when the machine has been up "
				    "for longer");
		break;
	case KFT_TRIGGER_ENTRY:
	case KFT_TRIGGER_EXIT:
	case KFT_TRIGGER_EVENT:
		say_trigger(sb, &run->start);
		break;
	}
}

static void say_stop(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "recording stops ");
	switch (run->stop.kind) {
	case KFT_TRIGGER_NONE:
		kft_strbuf_adds(sb, "with 'kft stop', or when the command of 'kft run' "
				    "ends");
		break;
	case KFT_TRIGGER_TIME:
		add_time(sb, run->stop.time_ns);
		kft_strbuf_adds(sb, " after it started");
		break;
	case KFT_TRIGGER_ENTRY:
	case KFT_TRIGGER_EXIT:
	case KFT_TRIGGER_EVENT:
		say_trigger(sb, &run->stop);
		break;
	}
}

static void say_bound(struct kft_strbuf *sb, const char *what, uint64_t ns)
{
	if (!ns) {
		kft_strbuf_addf(sb, "no call is dropped for being %s", what);
		return;
	}
	kft_strbuf_addf(sb, "calls %s than ", what);
	add_time(sb, ns);
	kft_strbuf_adds(sb, " are dropped");
}

static void say_mintime(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	say_bound(sb, "shorter", run->mintime_ns);
}

static void say_maxtime(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	say_bound(sb, "longer", run->maxtime_ns);
}

static void say_noints(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "calls made in a hard or soft interrupt are dropped");
}

static void say_onlyints(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "only calls made in a hard or soft interrupt are kept");
}

static void say_funcs(struct kft_strbuf *sb, const struct kft_config_funcs *list)
{
	uint64_t matches = 0;

	for (size_t i = 0; i < list->len; i++) {
		if (i < NAMES_SHOWN) {
			kft_strbuf_adds(sb, i ? ", " : "");
			add_text(sb, list->data[i].word);
		}
		matches += list->data[i].match_count;
	}
	if (list->len > NAMES_SHOWN)
		kft_strbuf_addf(sb, " and %zu more", list->len - NAMES_SHOWN);
	if (matches) {
		kft_strbuf_adds(sb, " (");
		kft_strbuf_add_count(sb, matches);
		kft_strbuf_adds(sb, matches == 1 ? " function)" : " functions)");
	}
}

static void say_funclist(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	if (!run->funclist.len) {
		kft_strbuf_adds(sb, "all functions are recorded");
		return;
	}
	kft_strbuf_adds(sb, "only these functions are recorded: ");
	say_funcs(sb, &run->funclist);
}

static void say_nofunclist(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "these functions are not recorded: ");
	say_funcs(sb, &run->nofunclist);
}

static void say_pid(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "only calls of these tasks are kept: ");
	kft_vec_for_each(&run->pids, pid)
		kft_strbuf_addf(sb, "%s%u", pid == run->pids.data ? "" : ", ", *pid);
}

static void say_comm(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "only calls of tasks with these names are kept: ");
	kft_vec_for_each(&run->comms, comm) {
		kft_strbuf_adds(sb, comm == run->comms.data ? "" : ", ");
		add_text(sb, *comm);
	}
}

static void say_event(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "these events are recorded as well: ");
	kft_vec_for_each(&run->events, ev) {
		kft_strbuf_adds(sb, ev == run->events.data ? "" : ", ");
		add_text(sb, ev->pattern);
		if (ev->filter) {
			kft_strbuf_adds(sb, " if ");
			add_text(sb, ev->filter);
		}
	}
}

static void say_watch(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_addf(sb,
			run->watch == KFT_WATCH_STACK
				? "the call stack is saved each time less than %" PRIu64
				  " bytes of stack are left"
				: "the call stack is saved each time less stack is left "
				  "than ever before, from %" PRIu64 " bytes on",
			run->watch_bytes);
}

static void say_logentries(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	if (!run->logentries) {
		kft_strbuf_adds(sb, run->overwrite ? "as many calls are kept as the "
						     "buffer holds"
						   : "recording also stops when the "
						     "buffer is full");
		return;
	}
	kft_strbuf_adds(sb, run->overwrite ? "the last " : "recording also stops when ");
	kft_strbuf_add_count(sb, run->logentries);
	kft_strbuf_adds(sb, run->logentries == 1 ? " call is kept" : " calls are kept");
}

static void say_autorepeat(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "after the stop the run waits for its start again, and keeps "
			    "its records; it ends when the log is full");
}

static void say_overwrite(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "when the buffer is full the oldest calls give way; "
			    "recording goes on");
}

static void say_untimed(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb,
			"entries and exits are recorded one by one, without durations");
}

static void say_prime(struct kft_strbuf *sb, const struct kft_run_config *run)
{
	kft_strbuf_adds(sb, "the run is primed as soon as it is loaded");
}

/* absent: the effect of leaving out the clause, if worth describing. */
static const struct {
	void (*say)(struct kft_strbuf *sb, const struct kft_run_config *run);
	const char *absent;
} sayings[KFT_CLAUSE_COUNT] = {
	[KFT_CLAUSE_START] = {say_start, "  (no start trigger)\n"},
	[KFT_CLAUSE_STOP] = {say_stop, "  (no stop trigger)\n"},
	[KFT_CLAUSE_MINTIME] = {say_mintime},
	[KFT_CLAUSE_MAXTIME] = {say_maxtime},
	[KFT_CLAUSE_NOINTS] = {say_noints},
	[KFT_CLAUSE_ONLYINTS] = {say_onlyints},
	[KFT_CLAUSE_FUNCLIST] = {say_funclist, "  (no funclist)\n"},
	[KFT_CLAUSE_NOFUNCLIST] = {say_nofunclist},
	[KFT_CLAUSE_PID] = {say_pid},
	[KFT_CLAUSE_COMM] = {say_comm},
	[KFT_CLAUSE_EVENT] = {say_event},
	[KFT_CLAUSE_WATCH] = {say_watch},
	[KFT_CLAUSE_LOGENTRIES] = {say_logentries, "  (no logentries)\n"},
	[KFT_CLAUSE_AUTOREPEAT] = {say_autorepeat},
	[KFT_CLAUSE_OVERWRITE] = {say_overwrite},
	[KFT_CLAUSE_UNTIMED] = {say_untimed},
	[KFT_CLAUSE_PRIME] = {say_prime},
};

static void add_carry(struct kft_strbuf *sb, const struct kft_carry *c)
{
	static const char *const where[] = {
		[KFT_CARRY_KERNEL] = "in the kernel",
		[KFT_CARRY_BOTH] = "in the kernel and while draining",
		[KFT_CARRY_DRAIN] = "while draining",
		[KFT_CARRY_SESSION] = "by kft",
		[KFT_CARRY_REFUSED] = "REFUSED",
	};

	kft_strbuf_addf(sb, "      %s: %s\n", where[c->where], c->how);
	if (c->where == KFT_CARRY_REFUSED)
		kft_strbuf_addf(sb, "      %s\n", c->remedy);
}

static void add_clause(struct kft_strbuf *sb, const struct kft_run_config *run,
		       enum kft_clause clause)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_clause_format(run, clause, &text);
	bool cut = text.len > CLAUSE_SHOWN;
	kft_strbuf_adds(sb, "  ");
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&text), cut ? CLAUSE_SHOWN : text.len);
	kft_strbuf_adds(sb, cut ? " ...\n" : "\n");
}

static void explain_run(struct kft_strbuf *sb, const struct kft_run_config *run,
			const struct kft_config_caps *caps)
{
	if (caps) {
		struct kft_carry tracer = kft_run_carry(caps);

		add_carry(sb, &tracer);
	}
	for (int c = 0; c < KFT_CLAUSE_COUNT; c++) {
		bool there = kft_run_config_has(run, c);

		if (!there && !sayings[c].absent)
			continue;
		if (there)
			add_clause(sb, run, c);
		else
			kft_strbuf_adds(sb, sayings[c].absent);
		kft_strbuf_adds(sb, "      ");
		sayings[c].say(sb, run);
		kft_strbuf_addc(sb, '\n');
		if (!there || !caps)
			continue;
		struct kft_carry carry = kft_clause_carry(run, c, caps);
		add_carry(sb, &carry);
	}
}

void kft_config_explain(const struct kft_config *c, const struct kft_config_caps *caps,
			struct kft_strbuf *sb)
{
	for (size_t i = 0; i < c->runs.len; i++) {
		const struct kft_run_config *run = &c->runs.data[i];

		kft_strbuf_addf(sb, "%srun %zu of %zu, line %u\n", i ? "\n" : "", i + 1,
				c->runs.len, run->pos.line);
		explain_run(sb, run, caps);
	}
}

static const struct kft_result_column columns[] = {
	{"run", "RUN"},
	{"line", "LINE"},
	{"clause", "CLAUSE", .is_text = true},
	{"meaning", "MEANING", .is_text = true},
	{"where", "WHERE", .is_text = true},
	{"how", "HOW", .is_text = true},
	{"remedy", "REMEDY", .is_text = true},
};

static void put_text(struct kft_result_table *t, const struct kft_strbuf *text)
{
	if (t)
		kft_result_put(t, kft_value_textn(t->result, text->len ? text->buf : "",
						  text->len));
}

/* Appends how the clause is carried out. NULL: not known. */
static void put_carry(struct kft_result_table *t, const struct kft_carry *c)
{
	static const char *const where[] = {
		[KFT_CARRY_KERNEL] = "kernel",	 [KFT_CARRY_BOTH] = "kernel and drain",
		[KFT_CARRY_DRAIN] = "drain",	 [KFT_CARRY_SESSION] = "kft",
		[KFT_CARRY_REFUSED] = "refused",
	};
	bool refused = c && c->where == KFT_CARRY_REFUSED;

	kft_result_put(t, c ? kft_value_word(where[c->where]) : kft_value_none());
	kft_result_put(t, c ? kft_value_word(c->how) : kft_value_none());
	kft_result_put(t, refused ? kft_value_word(c->remedy) : kft_value_none());
}

static void put_clause(struct kft_result_table *t, const struct kft_run_config *run,
		       enum kft_clause clause, const struct kft_config_caps *caps)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf meaning = {};
	struct kft_carry carry = {};
	bool there = kft_run_config_has(run, clause);

	if (there) {
		kft_clause_format(run, clause, &text);
		kft_result_put(t,
			       kft_value_number(KFT_VALUE_ID, run->clauses[clause].line));
		put_text(t, &text);
	} else {
		kft_result_put(t, kft_value_none());
		kft_result_put(t, kft_value_none());
	}
	sayings[clause].say(&meaning, run);
	put_text(t, &meaning);
	if (there && caps)
		carry = kft_clause_carry(run, clause, caps);
	put_carry(t, there && caps ? &carry : NULL);
}

/* Appends a row for the tracer itself, which has no clause. */
static void put_tracer(struct kft_result_table *t, const struct kft_run_config *run,
		       const struct kft_config_caps *caps)
{
	struct kft_carry tracer = kft_run_carry(caps);

	kft_result_put(t, kft_value_number(KFT_VALUE_ID, run->pos.line));
	kft_result_put(t, kft_value_none());
	kft_result_put(t, kft_value_word("calls of functions are recorded"));
	put_carry(t, &tracer);
}

void kft_config_explain_result(const struct kft_config *c,
			       const struct kft_config_caps *caps, struct kft_result *ret)
{
	struct kft_result_table *t = kft_result_add_table(ret, "clauses", columns,
							  ARRAY_SIZE(columns));

	kft_result_add(ret, "runs", "Runs", kft_value_count(c->runs.len));
	for (size_t i = 0; i < c->runs.len; i++) {
		const struct kft_run_config *run = &c->runs.data[i];

		if (caps) {
			kft_result_put(t, kft_value_number(KFT_VALUE_ID, i + 1));
			put_tracer(t, run, caps);
		}
		for (int clause = 0; clause < KFT_CLAUSE_COUNT; clause++) {
			if (!kft_run_config_has(run, clause) && !sayings[clause].absent)
				continue;
			kft_result_put(t, kft_value_number(KFT_VALUE_ID, i + 1));
			put_clause(t, run, clause, caps);
		}
	}
}
