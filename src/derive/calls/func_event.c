// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the function tracers' records of all kernel versions. */
#include "derive/calls/func_event.h"

#include "base/bits.h"

/* include/linux/trace_events.h, enum trace_flag_type */
#define TRACE_FLAG_HARDIRQ 0x08
#define TRACE_FLAG_SOFTIRQ 0x10

/*
 * Names of an event's fields, in the order in which place() uses their values. The last
 * one is optional.
 */
static const struct kind_info {
	enum kft_func_event_kind kind;
	const char *system;
	const char *name;
	const char *fields[KFT_FUNC_FIELDS];
} kinds[KFT_FUNC_CLASSES] = {
	{KFT_FUNC_EVENT_ENTRY, "ftrace", "funcgraph_entry", {"func", "depth"}},
	/* An entry with its call site, since Linux 6.13. */
	{KFT_FUNC_EVENT_ENTRY,
	 "ftrace",
	 "fgraph_retaddr_entry",
	 {"func", "depth", "retaddr"}},
	{KFT_FUNC_EVENT_EXIT,
	 "ftrace",
	 "funcgraph_exit",
	 {"func", "depth", "calltime", "rettime", "overrun"}},
	{KFT_FUNC_EVENT_CALL, "ftrace", "function", {"ip", NULL, "parent_ip"}},
	{KFT_FUNC_EVENT_SWITCH,
	 "sched",
	 "sched_switch",
	 {NULL, NULL, "prev_pid", "next_pid"}},
};

static bool init_class(struct kft_func_class *c, const struct kind_info *info,
		       struct kft_trace *t)
{
	const struct kft_class *cls = kft_class_table_find(&t->classes, info->system,
							   info->name);

	if (!cls)
		return false;
	*c = (struct kft_func_class){
		.kind = info->kind,
		.id = cls->id,
		.pid = kft_class_field(cls, "common_pid"),
		.flags = kft_class_field(cls, "common_flags"),
	};
	for (size_t i = 0; i < KFT_FUNC_FIELDS; i++) {
		if (!info->fields[i])
			continue;
		c->fields[i] = kft_class_field(cls, info->fields[i]);
		if (!c->fields[i] && i + 1 < KFT_FUNC_FIELDS)
			return false;
	}
	return c->pid && c->flags;
}

void kft_func_reader_init(struct kft_func_reader *r, struct kft_trace *t)
{
	*r = (struct kft_func_reader){.swap = t->swap, .symbols = &t->symbols};
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct kft_func_class *c = &r->classes[r->n_classes];

		if (!init_class(c, &kinds[i], t))
			continue;
		kft_bits_add(r->wanted, c->id);
		r->n_classes++;
	}
}

static void place(const uint64_t *v, struct kft_func_event *ret)
{
	switch (ret->kind) {
	case KFT_FUNC_EVENT_ENTRY:
		ret->func = v[0];
		ret->depth = v[1];
		ret->caller = v[2];
		return;
	case KFT_FUNC_EVENT_EXIT:
		ret->func = v[0];
		ret->depth = v[1];
		ret->call_ns = v[2];
		ret->return_ns = v[3];
		ret->overrun = v[4];
		return;
	case KFT_FUNC_EVENT_CALL:
		ret->func = v[0];
		ret->caller = v[2];
		return;
	case KFT_FUNC_EVENT_SWITCH:
		ret->prev = v[2];
		ret->next = v[3];
		return;
	case KFT_FUNC_EVENT_NONE:
		return;
	}
}

enum kft_func_context kft_func_context_of(uint64_t flags)
{
	if (flags & TRACE_FLAG_HARDIRQ)
		return KFT_FUNC_IN_HARDIRQ;
	return flags & TRACE_FLAG_SOFTIRQ ? KFT_FUNC_IN_SOFTIRQ : KFT_FUNC_IN_TASK;
}

void kft_func_event_read(const struct kft_func_reader *r, const struct kft_event *ev,
			 struct kft_func_event *ret)
{
	const struct kft_func_class *c = r->classes;
	const struct kft_func_class *end = c + r->n_classes;
	uint64_t values[KFT_FUNC_FIELDS] = {};
	uint64_t pid;
	uint64_t flags;

	*ret = (struct kft_func_event){};
	while (c < end && c->id != ev->id)
		c++;
	if (c == end || !kft_event_int(ev, c->pid, r->swap, &pid) ||
	    !kft_event_int(ev, c->flags, r->swap, &flags))
		return;
	for (size_t i = 0; i < KFT_FUNC_FIELDS; i++)
		if (c->fields[i] && !kft_event_int(ev, c->fields[i], r->swap, &values[i]))
			return;
	ret->kind = c->kind;
	ret->pid = pid;
	ret->context = kft_func_context_of(flags);
	place(values, ret);
	ret->func = kft_symbol_at(r->symbols, ret->func, ev->ts);
	ret->caller = kft_symbol_at(r->symbols, ret->caller, ev->ts);
}
