// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the results of system calls. */
#include "strace/args.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include "model/syscall.h"
#include "strace/forms.h"

/* A restart that no program sees: include/linux/errno.h */
static const char *restart_text(int64_t number)
{
	switch (number) {
	case 512:
		return "ERESTARTSYS (To be restarted if SA_RESTART is set)";
	case 513:
		return "ERESTARTNOINTR (To be restarted)";
	case 514:
		return "ERESTARTNOHAND (To be restarted if no handler)";
	case 516:
		return "ERESTART_RESTARTBLOCK (Interrupted by signal)";
	}
	return NULL;
}

static void add_error(struct kft_strace_text *t)
{
	int64_t number = -t->call->result;
	const char *name = kft_errno_name(number);
	const char *restart = restart_text(number);

	if (restart)
		kft_strbuf_addf(t->sb, "? %s", restart);
	else if (name)
		kft_strbuf_addf(t->sb, "-1 %s (%s)", name, strerror((int)number));
	else
		kft_strbuf_addf(t->sb, "-1 (errno %lld)", (long long)number);
}

static const struct kft_arg_type *arg_type(const struct kft_strace_text *t,
					   unsigned int i)
{
	return t->signature ? t->signature->args[i] : NULL;
}

/* Appends to the note as forms append to the arguments. */
static struct kft_strace_text note_of(const struct kft_strace_text *t)
{
	struct kft_strace_text note = *t;

	note.sb = t->note;
	return note;
}

static void add_revents(struct kft_strace_text *t)
{
	struct kft_strace_text note = note_of(t);
	uint64_t n = (uint32_t)kft_strace_arg(t, 1);
	size_t max = t->style->verbose ? SIZE_MAX : t->style->string_max;
	size_t shown = 0;
	const char *gap = "[";
	struct {
		int32_t fd;
		uint16_t events;
		uint16_t revents;
	} p;

	for (uint64_t i = 0; i < n; i++) {
		if (!kft_strace_read(t, kft_strace_arg(t, 0) + i * sizeof(p), &p,
				     sizeof(p)))
			break;
		if (!p.revents)
			continue;
		if (shown++ == max || t->note->len > KFT_STRACE_TEXT_MAX) {
			kft_strbuf_addf(t->note, "%s...", gap);
			gap = "";
			break;
		}
		kft_strbuf_addf(t->note, "%s{fd=", gap);
		kft_strace_fd(&note, p.fd);
		kft_strbuf_adds(t->note, ", revents=");
		kft_strace_set(&note, &kft_arg_poll_events, p.revents);
		kft_strbuf_addc(t->note, '}');
		gap = ", ";
	}
	kft_strbuf_adds(t->note, *gap == '[' ? "[]" : "]");
}

/* The rest of a timeout, which poll does not give. */
static void add_left(struct kft_strace_text *t, unsigned int i)
{
	struct kft_strace_text note = note_of(t);
	const struct kft_arg_type *type = arg_type(t, i);
	char probe[8];

	if (!type || !type->form || type->kind != KFT_ARG_POINTER ||
	    !kft_strace_read(t, kft_strace_arg(t, i), probe, t->word))
		return;
	kft_strbuf_adds(t->note, t->note->len ? ", left " : "left ");
	if (type == &kft_arg_timeval_in)
		kft_form_timeval_in(&note, kft_strace_arg(t, i));
	else if (type == &kft_arg_timespec64_in)
		kft_form_timespec64_in(&note, kft_strace_arg(t, i));
	else
		kft_form_timespec_in(&note, kft_strace_arg(t, i));
}

static void add_ready(struct kft_strace_text *t)
{
	static const char *const names[] = {"in ", "out ", "except "};
	struct kft_strace_text note = note_of(t);
	int32_t n = (int32_t)kft_strace_arg(t, 0);
	unsigned char set[128];
	size_t bits = 8 * (size_t)t->word;

	n = n < 0 ? 0 : KFT_MIN(n, 1024);
	size_t bytes = ((size_t)n + bits - 1) / bits * t->word;

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		bool any = false;

		if (!kft_strace_read(t, kft_strace_arg(t, i + 1), set, bytes))
			continue;
		for (size_t k = 0; k < bytes; k++)
			any |= set[k] != 0;
		if (!any)
			continue;
		kft_strbuf_addf(t->note, "%s%s", t->note->len ? ", " : "", names[i]);
		kft_form_fds(&note, set, (unsigned int)n);
	}
	add_left(t, 4);
}

static void add_events(struct kft_strace_text *t)
{
	bool is_poll = arg_type(t, 0) == &kft_arg_pollfds;
	bool is_select = arg_type(t, 1) == &kft_arg_fdset;

	if (!is_poll && !is_select)
		return;
	if (!t->call->result) {
		kft_strbuf_adds(t->note, "Timeout");
	} else if (is_poll) {
		add_revents(t);
		add_left(t, 2);
	} else {
		add_ready(t);
	}
}

static void add_fcntl(struct kft_strace_text *t)
{
	struct kft_strace_text note = note_of(t);
	uint64_t v = (uint64_t)t->call->result;

	switch ((uint32_t)kft_strace_arg(t, 1)) {
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
		kft_strace_fd(t, (int)v);
		break;
	case F_GETFD:
		kft_strace_hex(t, v);
		if (v) {
			kft_strbuf_adds(t->note, "flags ");
			kft_strace_set(&note, &kft_arg_fd_cloexec, v);
		}
		break;
	case F_GETFL:
		kft_strace_hex(t, v);
		kft_strbuf_adds(t->note, "flags ");
		kft_strace_set(&note, &kft_arg_open, v);
		break;
	default:
		kft_strbuf_addi(t->sb, (int64_t)v);
	}
}

static void add_number(struct kft_strace_text *t)
{
	const struct kft_plain_signature *s = t->signature;
	int64_t v = t->call->result;

	if (t->word == 4)
		v = (int32_t)v;
	if (s && s->gives_pointer)
		kft_strace_hex(t, t->word == 4 ? (uint32_t)v : (uint64_t)v);
	else if (s && s->result == &kft_arg_fcntl)
		add_fcntl(t);
	else if (s && s->result == &kft_arg_octal)
		kft_strbuf_addf(t->sb, "%#03o", (unsigned int)v);
	else if (s && s->result == &kft_arg_fd)
		kft_strace_fd(t, (int)v);
	else if (s && s->result == &kft_arg_id)
		kft_strbuf_addu(t->sb, (uint32_t)v, 1);
	else if (s && s->result == &kft_arg_signal) {
		kft_strbuf_addi(t->sb, v);
		struct kft_strace_text note = note_of(t);

		kft_strace_signal(&note, (uint32_t)v);
	} else
		kft_strbuf_addi(t->sb, v);
}

/* set_thread_area: the entry that the kernel has chosen. */
static void add_entry_number(struct kft_strace_text *t)
{
	uint32_t number;

	if (kft_strace_read(t, kft_strace_arg(t, 0), &number, sizeof(number)))
		kft_strbuf_addf(t->note, "entry_number=%u", number);
}

void kft_strace_result(struct kft_strace_text *t)
{
	kft_strbuf_clear(t->note);
	if (t->call->is_error) {
		add_error(t);
		return;
	}
	add_number(t);
	if (t->signature)
		add_events(t);
	if (t->signature && t->signature->args[0] == &kft_arg_prctl &&
	    (uint32_t)kft_strace_arg(t, 0) == PR_GET_DUMPABLE) {
		struct kft_strace_text note = note_of(t);

		kft_strace_set(&note, &kft_arg_dumpable, (uint64_t)t->call->result);
	}
	if (t->signature && t->signature->args[0] == &kft_arg_user_desc_in)
		add_entry_number(t);
	if (t->signature && strcmp(t->signature->name, "sched_getscheduler") == 0) {
		struct kft_strace_text note = note_of(t);

		kft_strace_set(&note, &kft_arg_policy, (uint64_t)t->call->result);
	}
	if (t->note->len)
		kft_strbuf_addf(t->sb, " (%s)", kft_strbuf_cstr(t->note));
}
