// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the signature of a system call: in the table, or in the trace's own events. */
#include <stdio.h>

#include "model/syscall.h"
#include "output/plain/call_sets.h"
#include "output/plain/words.h"

const struct kft_arg_type kft_arg_number = {KFT_ARG_NUMBER};
const struct kft_arg_type kft_arg_int = {KFT_ARG_INT};
const struct kft_arg_type kft_arg_pointer = {KFT_ARG_POINTER};
const struct kft_arg_type kft_arg_string = {KFT_ARG_STRING};
const struct kft_arg_type kft_arg_octal = {KFT_ARG_OCTAL};
const struct kft_arg_type kft_arg_signal = {KFT_ARG_SIGNAL};

#define FORM(name, of_kind, of_when)                                           \
	const struct kft_arg_type kft_arg_##name = {.kind = KFT_ARG_##of_kind, \
						    .form = KFT_FORM_##name,   \
						    .when = KFT_ARG_##of_when};
KFT_ARG_FORMS(FORM)
#undef FORM

struct kft_plain *kft_plain_create(struct kft_report *r)
{
	struct kft_trace *t = r->opts.trace;
	struct kft_plain *p = kft_arena_alloc(&r->arena, sizeof(*p));

	if (!p)
		return NULL;
	p->syscalls = kft_trace_syscalls(t);
	p->signatures = kft_arena_calloc(&r->arena, KFT_SYSCALLS,
					 sizeof(struct kft_plain_signature *));
	/* The threads only look up classes, so all are parsed before. */
	for (size_t i = 0; i < t->classes.texts.len; i++)
		if (strcmp(t->classes.texts.data[i].system, "syscalls") == 0)
			(void)kft_class_table_at(&t->classes, i);
	return p->signatures ? p : NULL;
}

const struct kft_arg_type *kft_arg_type_of(const struct kft_field *f)
{
	if (f->is_pointer)
		return strcmp(f->type, "const char *") == 0 ? &kft_arg_string
							    : &kft_arg_pointer;
	return strcmp(f->type, "int") == 0 ? &kft_arg_int : &kft_arg_number;
}

bool kft_arg_is(const struct kft_field *f)
{
	return !f->is_common && strncmp(f->name, "__", 2) != 0 &&
	       f->kind == KFT_FIELD_INT;
}

/*
 * Makes a signature from the fields of the call's own event; without that event, with
 * the maximum number of arguments.
 */
static const struct kft_plain_signature *make_signature(struct kft_report *r,
							const char *name)
{
	struct kft_plain_signature *s = kft_arena_alloc(&r->arena, sizeof(*s));
	char event[sizeof("sys_enter_new") + KFT_SYSCALL_NAME_MAX];
	struct kft_class_table *classes = &r->opts.trace->classes;
	size_t n = 0;

	if (!s)
		return NULL;
	(void)snprintf(event, sizeof(event), "sys_enter_%s", name);
	const struct kft_class *c = kft_class_table_find(classes, "syscalls", event);

	if (!c) {
		(void)snprintf(event, sizeof(event), "sys_enter_new%s", name);
		c = kft_class_table_find(classes, "syscalls", event);
	}
	for (uint32_t i = 0; c && i < c->n_fields; i++)
		if (kft_arg_is(&c->fields[i]) && n < KFT_CALL_ARGS)
			s->args[n++] = kft_arg_type_of(&c->fields[i]);
	while (!c && n < KFT_CALL_ARGS)
		s->args[n++] = &kft_arg_number;
	return s;
}

const struct kft_plain_signature *kft_plain_signature_find(const char *name,
							   const char *machine)
{
	for (const struct kft_plain_signature *s = kft_plain_signatures; s->name; s++) {
		bool is_of_it = !s->machine || (machine && !strncmp(machine, s->machine,
								    strlen(s->machine)));

		if (is_of_it && strcmp(s->name, name) == 0)
			return s;
	}
	return NULL;
}

static const struct kft_plain_signature *find_signature(struct kft_report *r,
							const char *name)
{
	const struct kft_syscalls *known = r->plain->syscalls;
	const char *machine = known ? kft_syscalls_machine(known) : NULL;
	const struct kft_plain_signature *s = kft_plain_signature_find(name, machine);

	return s ? s : make_signature(r, name);
}

const struct kft_plain_signature *kft_plain_signature(struct kft_report *r,
						      int64_t number)
{
	struct kft_plain *p = r->plain;
	const char *name = kft_syscall_name(p->syscalls, number);

	if (!name)
		return NULL;
	if (!p->signatures[number])
		p->signatures[number] = find_signature(r, name);
	return p->signatures[number];
}
