// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the arguments of a system call by their types. */
#include "strace/args.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include "strace/forms.h"

#define FORM_FN(name, kind, when) [KFT_FORM_##name] = kft_form_##name,
static kft_form_fn *const forms[KFT_N_FORMS] = {KFT_ARG_FORMS(FORM_FN)};
#undef FORM_FN

/* For some calls, the command decides whether its argument is written by the call. */
static bool is_written_by_command(const struct kft_strace_text *t, uint8_t form)
{
	uint32_t command = (uint32_t)kft_strace_arg(t, t->at - 1);

	switch (form) {
	case KFT_FORM_fcntl_arg:
		return command == KFT_F_GETLK || command == KFT_F_GETLK64 ||
		       command == KFT_F_OFD_GETLK;
	case KFT_FORM_ioctl_arg:
		return command == FIONREAD || command == TIOCOUTQ ||
		       command == TIOCGPGRP || command == TIOCGSID ||
		       command == TIOCGPTN || command == TIOCGWINSZ || command == TCGETS;
	case KFT_FORM_prctl_arg:
		return command == PR_GET_NAME || command == PR_GET_PDEATHSIG ||
		       command == PR_GET_CHILD_SUBREAPER;
	}
	return true;
}

static bool is_late(const struct kft_strace_text *t, const struct kft_arg_type *type)
{
	return type->when != KFT_ARG_IN && is_written_by_command(t, type->form);
}

/* "FUTEX_WAIT_PRIVATE" is one name for two bits. */
static void add_futex(const struct kft_strace_text *t, uint32_t v)
{
	const uint32_t is_private = 0x80;
	const uint32_t clock = 0x100; /* FUTEX_CLOCK_REALTIME */

	const char *name = kft_strace_name(&kft_arg_futex, v & ~(is_private | clock));

	if (!name) {
		kft_strace_hex(t, v);
		return;
	}
	kft_strbuf_adds(t->sb, name);
	kft_strbuf_adds(t->sb, v & is_private ? "_PRIVATE" : "");
	kft_strbuf_adds(t->sb, v & clock ? "|FUTEX_CLOCK_REALTIME" : "");
}

/* The stack comes first, as the flags end with the signal. */
static void add_clone_head(const struct kft_strace_text *t, uint64_t flags)
{
	kft_strbuf_adds(t->sb, "child_stack=");
	kft_strace_address(t, kft_strace_arg(t, 1));
	kft_strbuf_adds(t->sb, ", flags=");
	kft_strace_set(t, &kft_arg_clone, flags);
}

/* The upper bits of these flags are the logarithm of a page size: "MAP_HUGETLB|21<<MAP_HUGE_SHIFT". */
static void add_sized(const struct kft_strace_text *t, const struct kft_arg_type *type,
		      uint64_t v, const char *shift)
{
	const uint64_t mask = 0x3f;
	uint64_t size = v >> 26 & mask;
	uint64_t flags = v & ~(mask << 26);

	if (flags || !size || type == &kft_arg_map)
		kft_strace_set(t, type, flags);
	if (size)
		kft_strbuf_addf(t->sb, "%s%u<<%s",
				flags || type == &kft_arg_map ? "|" : "",
				(unsigned int)size, shift);
}

static void add_set(const struct kft_strace_text *t, const struct kft_arg_type *type,
		    uint64_t v)
{
	if (type == &kft_arg_at)
		kft_strace_dir(t, (int32_t)v);
	else if (type == &kft_arg_futex)
		add_futex(t, (uint32_t)v);
	else if (type == &kft_arg_clone && t->signature->args[1] == &kft_arg_clone_tail)
		add_clone_head(t, v);
	else if (type == &kft_arg_map)
		add_sized(t, type, v, "MAP_HUGE_SHIFT");
	else if (type == &kft_arg_memfd)
		add_sized(t, type, (uint32_t)v, "MFD_HUGE_SHIFT");
	else
		kft_strace_set(t, type, v);
}

static void add_plain(struct kft_strace_text *t, const struct kft_arg_type *type,
		      uint64_t v)
{
	switch (type->kind) {
	case KFT_ARG_NUMBER:
	case KFT_ARG_INT:
		kft_strbuf_addi(t->sb,
				type->kind == KFT_ARG_INT ? (int32_t)v : (int64_t)v);
		break;
	case KFT_ARG_POINTER:
		kft_strace_address(t, v);
		break;
	case KFT_ARG_STRING:
		kft_strace_string(t, v, false);
		break;
	case KFT_ARG_OCTAL:
		kft_strbuf_addf(t->sb, "%#03o", (unsigned int)(uint16_t)v);
		break;
	case KFT_ARG_SIGNAL:
		kft_strace_signal(t, (uint32_t)v);
		break;
	case KFT_ARG_SET:
		add_set(t, type, v);
		break;
	}
}

static void add_arg(struct kft_strace_text *t, const struct kft_arg_type *type)
{
	uint64_t v = kft_strace_arg(t, t->at);

	if (type->when == KFT_ARG_OUT && t->call->is_error)
		kft_strace_address(t, v);
	else if (type->form)
		forms[type->form](t, v);
	else
		add_plain(t, type, v);
}

/* Reads lengths and offsets that the call replaces. */
static void read_replaced(const struct kft_strace_text *t)
{
	char data[8];

	for (unsigned int i = t->at; i < KFT_CALL_ARGS && t->signature->args[i]; i++) {
		uint64_t v = kft_strace_arg(t, i);

		if (t->signature->args[i] == &kft_arg_socklen)
			(void)kft_strace_read(t, v, data, 4);
		else if (t->signature->args[i] == &kft_arg_offset_moved)
			(void)kft_strace_read(t, v, data, t->word);
		else if (t->signature->args[i] == &kft_arg_offset64_moved)
			(void)kft_strace_read(t, v, data, 8);
		else if (t->signature->args[i] == &kft_arg_msghdr_out && v)
			(void)kft_strace_read(t, v + t->word, data, 4);
	}
}

/* A call that is in no table: six numbers. */
static void add_unknown(struct kft_strace_text *t)
{
	for (; t->at < KFT_TRACED_ARGS; t->at++) {
		kft_strbuf_adds(t->sb, t->at ? ", " : "");
		kft_strace_hex(t, kft_strace_arg(t, t->at));
	}
}

void kft_strace_args(struct kft_strace_text *t)
{
	if (!t->signature) {
		add_unknown(t);
		return;
	}
	for (; t->at < KFT_CALL_ARGS && t->signature->args[t->at] && !t->ended; t->at++) {
		const struct kft_arg_type *type = t->signature->args[t->at];
		bool waits = !t->call->at_exit && is_late(t, type);
		bool has_comma = t->at && !t->comma && type->when != KFT_ARG_TAIL;
		size_t before = t->sb->len;

		if (has_comma)
			kft_strbuf_adds(t->sb, ", ");
		t->comma = waits && type->when != KFT_ARG_TAIL;
		if (waits) {
			read_replaced(t);
			return;
		}
		size_t start = t->sb->len;

		t->skipped = false;
		add_arg(t, type);
		/* A form may have shown the next argument as well. */
		if (has_comma && t->sb->len == start && (t->ended || t->skipped))
			t->sb->len = before;
	}
}
