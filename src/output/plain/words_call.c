// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes system calls. */
#include <inttypes.h>

#include "derive/kinds/kinds.h"
#include "derive/kinds/syscall_form.h"
#include "model/syscall.h"
#include "output/plain/call_args.h"
#include "output/plain/words.h"

#define ERRNO_MAX 4095

#define ENTER "sys_enter_"
#define EXIT  "sys_exit_"

void kft_plain_add_call_name(const struct kft_plain_event *e, int64_t number,
			     struct kft_strbuf *sb)
{
	const char *name = kft_syscall_name(e->report->plain->syscalls, number);

	if (name)
		kft_strbuf_adds(sb, name);
	else if (kft_call_is_name((uint64_t)number))
		kft_call_name(e->report->opts.trace, (uint64_t)number, sb);
	else
		kft_strbuf_addf(sb, "call %" PRId64, number);
}

/*
 * Reads element i of args in raw_syscalls:sys_enter, which are as
 * wide as the kernel's long.
 */
static bool read_arg(const struct kft_plain_event *e, size_t i, uint64_t *ret)
{
	struct kft_field f = *e->fields[1];

	if (f.kind != KFT_FIELD_ARRAY || f.place != KFT_FIELD_INLINE || !f.elem_size ||
	    i >= f.size / f.elem_size)
		return false;
	f.offset += (uint32_t)i * f.elem_size;
	f.size = f.elem_size;
	return kft_event_int(e->ev, &f, e->report->swap, ret);
}

/* Describes an entry; a trace from KPTrace (kpt) may have the text of an argument. */
static bool raw_enter(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	static const struct kft_arg_type *const any[KFT_CALL_ARGS] = {
		&kft_arg_number, &kft_arg_number, &kft_arg_number,
		&kft_arg_number, &kft_arg_number, &kft_arg_number};
	const struct kft_plain_signature *s = kft_plain_signature(e->report,
								  (int64_t)e->values[0]);
	const struct kft_arg_type *const *types = s ? s->args : any;

	kft_plain_add_call_name(e, (int64_t)e->values[0], sb);
	kft_strbuf_addc(sb, '(');
	for (size_t i = 0; i < KFT_CALL_ARGS && types[i]; i++) {
		bool has_text = e->texts[2] && e->fields[3] && e->values[3] == i;
		uint64_t v;

		if (!read_arg(e, i, &v))
			break;
		kft_strbuf_adds(sb, i ? ", " : "");
		kft_arg_add(types[i], v, has_text ? e->texts[2] : NULL, e->values[2], sb);
	}
	kft_strbuf_addc(sb, ')');
	return true;
}

static void add_result(int64_t v, bool is_pointer, struct kft_strbuf *sb)
{
	const char *name = v < 0 && v >= -ERRNO_MAX ? kft_errno_name(-v) : NULL;

	kft_strbuf_adds(sb, " = ");
	if (name) {
		kft_strbuf_addc(sb, '-');
		kft_strbuf_adds(sb, name);
	} else if (is_pointer) {
		kft_strbuf_adds(sb, "0x");
		kft_strbuf_addx(sb, (uint64_t)v, 1);
	} else {
		kft_strbuf_addi(sb, v);
	}
}

static bool raw_exit(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_plain_signature *s = kft_plain_signature(e->report,
								  (int64_t)e->values[0]);

	kft_plain_add_call_name(e, (int64_t)e->values[0], sb);
	add_result((int64_t)e->values[1], s && s->gives_pointer, sb);
	kft_plain_add_end(e, &kft_kind_syscall, " after ", "", sb);
	return true;
}

/* Since 6.19 the kernel records the text of "filename" as "__filename_val". */
static bool find_text(const struct kft_plain_event *e, const struct kft_field *arg,
		      const char **ret, size_t *ret_len)
{
	const struct kft_class *c = e->rc->cls;
	size_t len = strlen(arg->name);

	for (uint32_t i = c->n_common; i < c->n_fields; i++) {
		const struct kft_field *f = &c->fields[i];

		if (f->kind == KFT_FIELD_STRING && !strncmp(f->name, "__", 2) &&
		    !strncmp(f->name + 2, arg->name, len) &&
		    !strcmp(f->name + 2 + len, "_val"))
			return kft_event_str(e->ev, f, e->report->swap, ret, ret_len);
	}
	return false;
}

/*
 * For a call that is not in the table, the fields of its own event
 * are the best description.
 */
static bool named_enter(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_class *c = e->rc->cls;
	const struct kft_plain_signature *s = kft_plain_signature(e->report,
								  (int32_t)e->values[0]);
	size_t n = 0;

	kft_strbuf_add_escaped(sb, c->name + strlen(ENTER),
			       strlen(c->name + strlen(ENTER)));
	kft_strbuf_addc(sb, '(');
	for (uint32_t i = 0; i < c->n_fields && n < KFT_CALL_ARGS; i++) {
		const struct kft_field *f = &c->fields[i];
		const char *text = NULL;
		size_t len = 0;
		uint64_t v;

		if (!kft_arg_is(f) || !kft_event_int(e->ev, f, e->report->swap, &v))
			continue;
		(void)find_text(e, f, &text, &len);
		kft_strbuf_adds(sb, n ? ", " : "");
		kft_arg_add(s && s->args[n] ? s->args[n] : kft_arg_type_of(f), v, text,
			    len, sb);
		n++;
	}
	kft_strbuf_addc(sb, ')');
	return true;
}

static bool named_exit(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const char *name = e->rc->cls->name + strlen(EXIT);
	const struct kft_plain_signature *s = kft_plain_signature(e->report,
								  (int32_t)e->values[0]);

	kft_strbuf_add_escaped(sb, name, strlen(name));
	add_result((int64_t)e->values[1], s && s->gives_pointer, sb);
	return true;
}

const struct kft_plain_words kft_plain_calls[] = {
	{"raw_syscalls",
	 "sys_enter",
	 {"id", "args", "?text", "?text_arg"},
	 KFT_PLAIN_CALL,
	 raw_enter},
	{"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_PLAIN_CALL, raw_exit},
	{"syscalls", ENTER "*", {"__syscall_nr"}, KFT_PLAIN_CALL, named_enter},
	{"syscalls", EXIT "*", {"__syscall_nr", "ret"}, KFT_PLAIN_CALL, named_exit},
	{},
};
