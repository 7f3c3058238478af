// SPDX-License-Identifier: LGPL-2.1-or-later
/* Says how each thing that a plan asks for is carried out. */
#include "doctor/means.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

/* One kind of source: all but its words. */
static const struct kft_means
	/* clang-format off */
	session = {"session", NULL, "an instance of tracefs", "memory for its buffers", "instances"},
	event = {"event", NULL, "trace events", "a record each time", "events"},
	syscall_event = {"event", NULL, "trace events", "a record at each system call", "syscall-events"},
	filter = {"filter", NULL, "the kernel, at the event", "nothing is recorded of what it drops", "event-filters"},
	kprobe = {"kprobe", NULL, "a kprobe event", "a breakpoint and a record each time", "kprobe-events"},
	kretprobe = {"kprobe", NULL, "a kretprobe event", "a breakpoint, a changed return and a record each time", "kretprobe-events"},
	types = {"arguments", NULL, "the kernel's types (BTF)", "nothing while it records", "btf"},
	uprobe = {"uprobe", NULL, "a uprobe event", "a trap into the kernel and a record each time", "uprobe-events"},
	probe_trigger = {"condition", NULL, "a kprobe event with a trigger", "a breakpoint each time", "kprobe-events"},
	event_trigger = {"condition", NULL, "a trigger at the event", "nothing but at that event", "event-triggers"},
	timer = {"condition", NULL, "kft, by the clock", "a look each 20 ms", NULL},
	tasks = {"tasks", NULL, "set_event_pid", "a comparison at each event", "pid-filter"},
	stack = {"stack", NULL, "an option of tracefs", "a walk of the stack and a longer record at each event", "events"},
	trace_clock = {"clock", NULL, "trace_clock", "what reading the clock takes, at each record", "clocks"},
	stream = {"keeping", NULL, "splice of trace_pipe_raw", "a thread for each CPU; pages are not copied", "splice"},
	newest = {"keeping", NULL, "the ring buffer", "nothing while it records", "splice"};
/* clang-format on */

void kft_means_finish(struct kft_means_list *list)
{
	kft_vec_for_each(&list->items, m)
		free(m->what);
	kft_vec_finish(&list->items);
}

static int add(struct kft_means_list *list, const struct kft_means *kind, char *what)
{
	struct kft_means m = *kind;

	m.what = what;
	if (what && kft_vec_push(&list->items, m))
		return 0;
	free(what);
	return -ENOMEM;
}

__printf_fmt(3, 4) static int say(struct kft_means_list *list,
				  const struct kft_means *kind, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return add(list, kind, strdup(text));
}

static int add_event(struct kft_means_list *list, const struct kft_plan_event *ev)
{
	bool is_syscall = strncmp(ev->pattern, "syscalls:", 9) == 0 ||
			  strcmp(ev->pattern, "syscalls") == 0;
	int r = say(list, is_syscall ? &syscall_event : &event, "%s", ev->pattern);

	return r == 0 && ev->filter ? say(list, &filter, "%s", ev->filter) : r;
}

static int add_probe(struct kft_means_list *list, const struct kft_plan_probe *p)
{
	const struct kft_means *kind = p->is_user     ? &uprobe
				       : p->at_return ? &kretprobe
						      : &kprobe;
	int r = say(list, kind, "%s%s%s%s", p->program ? p->program : "",
		    p->program ? ":" : "", p->symbol, p->at_return ? "%return" : "");

	if (r == 0 && p->args && !p->is_user && !p->at_return && *p->args != '$')
		r = say(list, &types, "%s", p->args);
	return r == 0 && p->filter ? say(list, &filter, "%s", p->filter) : r;
}

static int add_condition(struct kft_means_list *list, const char *which,
			 const struct kft_plan_trigger *t)
{
	switch (t->kind) {
	case KFT_TRIGGER_NONE:
		return 0;
	case KFT_TRIGGER_TIME:
		return say(list, &timer, "%s at a time", which);
	case KFT_TRIGGER_EVENT:
		return say(list, &event_trigger, "%s at %s", which, t->event.pattern);
	case KFT_TRIGGER_ENTRY:
	case KFT_TRIGGER_EXIT:
		return say(list, &probe_trigger, "%s when %s is %s", which,
			   t->func.name ? t->func.name : "a function",
			   t->kind == KFT_TRIGGER_ENTRY ? "entered" : "left");
	}
	return 0;
}

static int add_keeping(struct kft_means_list *list, const struct kft_plan *plan)
{
	int r = say(list, &trace_clock, "%s", plan->clock ? plan->clock : "mono");

	if (r < 0)
		return r;
	return say(list, plan->overwrite ? &newest : &stream,
		   plan->overwrite ? "the newest events" : "all events");
}

int kft_means_of_plan(const struct kft_plan *plan, struct kft_means_list *ret)
{
	int r = say(ret, &session, "%s", plan->name ? plan->name : "a name of its own");

	for (size_t i = 0; r == 0 && i < plan->n_events; i++)
		r = add_event(ret, &plan->events[i]);
	for (size_t i = 0; r == 0 && i < plan->n_probes; i++)
		r = add_probe(ret, &plan->probes[i]);
	if (r == 0)
		r = add_condition(ret, "start", &plan->start);
	if (r == 0)
		r = add_condition(ret, "stop", &plan->stop);
	if (r == 0 && plan->n_pids)
		r = say(ret, &tasks, "%zu process%s%s", plan->n_pids,
			plan->n_pids == 1 ? "" : "es",
			plan->follow_children ? " and what they start" : "");
	if (r == 0 && plan->stack)
		r = say(ret, &stack, "of the kernel");
	if (r == 0 && plan->user_stack)
		r = say(ret, &stack, "of the program");
	return r == 0 ? add_keeping(ret, plan) : r;
}

/* What later tries need to know: see kft_mechanisms[]. */
static bool comes_before(const struct kft_mechanism *m)
{
	static const char *const ids[] = {"tracefs", "instances", "function-list",
					  "filter-by-index"};

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (strcmp(m->id, ids[i]) == 0)
			return true;
	return false;
}

static bool is_needed(const struct kft_means_list *list, const char *id)
{
	kft_vec_for_each(&list->items, m)
		if (m->mechanism && strcmp(m->mechanism, id) == 0)
			return true;
	return false;
}

int kft_means_mechanisms(const struct kft_means_list *list, struct kft_mechanism **ret,
			 size_t *ret_n)
{
	struct kft_mechanism *rows = calloc(kft_n_mechanisms, sizeof(*rows));
	size_t n = 0;

	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < kft_n_mechanisms; i++)
		if (comes_before(&kft_mechanisms[i]) ||
		    is_needed(list, kft_mechanisms[i].id))
			rows[n++] = kft_mechanisms[i];
	*ret = rows;
	*ret_n = n;
	return 0;
}
