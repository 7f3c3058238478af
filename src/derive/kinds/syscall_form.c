// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds system calls by the names of their events. */
#include "derive/kinds/syscall_form.h"

#include <string.h>

#include "model/syscall.h"

/* Upper half of a key that stands for a name: no kernel has such numbers. */
#define NAME_HALF UINT64_C(1)

/* Prefixes of event names; the rest is the call's name. */
static const char *const prefixes[] = {
	"sys_enter_",
	"sys_exit_",
	"compat_sys_enter_",
	"compat_sys_exit_",
};

/* Some kernel functions have other names than their calls: sys_newfstat() is fstat. */
#define NEW "new"

static const char *name_of(const struct kft_class *cls)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (strncmp(cls->name, prefixes[i], len) == 0)
			return cls->name + len;
	}
	return cls->name;
}

uint64_t kft_call_class_key(struct kft_trace *t, const struct kft_class *cls)
{
	/* Each event has the number. */
	if (kft_class_field(cls, "__syscall_nr"))
		return 0;
	const struct kft_syscalls *calls = kft_trace_syscalls(t);
	const char *name = name_of(cls);
	int64_t nr = kft_syscall_number(calls, name);

	if (nr < 0 && strncmp(name, NEW, strlen(NEW)) == 0)
		nr = kft_syscall_number(calls, name + strlen(NEW));
	/* LTTng has one event, "unknown", for all calls without a description. */
	if (nr >= 0 || strcmp(name, "unknown") == 0)
		return (uint64_t)nr;
	return NAME_HALF << 32 | kft_names_number(&t->names, name, strlen(name));
}

uint64_t kft_call_number(const struct kft_kind_input *in)
{
	if (in->has[0])
		return in->fields[0];
	return in->has[1] && (int64_t)in->class_key < 0 ? in->fields[1] : in->class_key;
}

void kft_call_returns_find(struct kft_trace *t, struct kft_call_returns *ret)
{
	static const char *const names[] = {"sys_enter_rt_sigreturn",
					    "sys_enter_sigreturn"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kft_class cls = {.name = names[i]};

		ret->calls[i] = kft_call_class_key(t, &cls);
	}
}

bool kft_call_is_return(const struct kft_call_returns *r, uint64_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(r->calls); i++)
		if (r->calls[i] == nr)
			return true;
	return false;
}

bool kft_call_is_name(uint64_t nr)
{
	return nr >> 32 == NAME_HALF;
}

void kft_call_name(struct kft_trace *t, uint64_t nr, struct kft_strbuf *sb)
{
	const char *name = kft_syscall_name(kft_trace_syscalls(t), (int64_t)nr);

	if (kft_call_is_name(nr))
		kft_names_text(&t->names, nr & UINT32_MAX, sb);
	else if (name)
		kft_strbuf_adds(sb, name);
}
