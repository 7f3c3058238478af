// SPDX-License-Identifier: LGPL-2.1-or-later
/* System calls of tasks; the value is what they returned. */
#include "derive/flights.h"
#include "derive/kinds.h"
#include "derive/pairs.h"
#include "model/syscall.h"

enum { ENTER, EXIT };

/* What rt_sigreturn() leaves behind as the number of its own call. */
#define FORGOTTEN (-1)

static int take_unended(struct kft_interval *i, const struct kft_kind_input *in,
			const struct kft_interval_sink *sink)
{
	i->end_ns = in->ts;
	i->end_cpu = in->cpu;
	i->flags |= KFT_INTERVAL_NOT_ENDED;
	return sink->take(sink->arg, i);
}

/* A task is in one call at a time. If it leaves another one, events were lost. */
static int leave(struct kft_flights *f, struct kft_interval *left,
		 const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	uint64_t task = (uint32_t)in->pid;
	struct kft_interval entered;
	int r;

	left->value = (int64_t)in->fields[1];
	if (!kft_flights_take(f, task, in, &entered))
		return kft_flights_end(f, task, left, in, sink);
	if (entered.key != left->key && (int64_t)left->key != FORGOTTEN) {
		r = take_unended(&entered, in, sink);
		return r < 0 ? r : kft_flights_end(f, task, left, in, sink);
	}
	entered.end_ns = in->ts;
	entered.end_cpu = in->cpu;
	entered.value = left->value;
	return sink->take(sink->arg, &entered);
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct kft_interval i = kft_pairs_interval(kind, in->fields[0], in);

	return in->event == ENTER
		       ? kft_flights_begin(state, (uint32_t)in->pid, &i, in, sink)
		       : leave(state, &i, in, sink);
}

static void name_of(struct kft_trace *t, uint64_t nr, struct kft_strbuf *sb)
{
	const char *name = kft_syscall_name(kft_trace_syscalls(t), (int64_t)nr);

	if (name)
		kft_strbuf_adds(sb, name);
}

static const struct kft_kind_event events[] = {
	[ENTER] = {"raw_syscalls", "sys_enter", {"id"}, KFT_KIND_BEGINS},
	[EXIT] = {"raw_syscalls", "sys_exit", {"id", "ret"}, KFT_KIND_ENDS},
	{},
};

const struct kft_interval_kind kft_kind_syscall = {
	.name = "syscall",
	.about = "system calls",
	.key = "nr",
	.value = "returned",
	.events = events,
	.key_name = name_of,
	.create = kft_flights_create,
	.feed = feed,
	.flush = kft_flights_flush,
	.destroy = kft_flights_destroy,
};
