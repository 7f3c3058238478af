// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Signals from being sent to being delivered; the cause is the sender. A signal to a
 * process may be delivered to any of its threads.
 */
#include <errno.h>
#include <stdlib.h>

#include "derive/engine/async.h"
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"

/* include/trace/events/signal.h */
enum { TRACE_SIGNAL_DELIVERED };

enum { GENERATED, DELIVERED };

struct state {
	struct kft_trace *trace; /* borrowed */
	void *pending; /* owned: struct kft_async */
};

static void destroy(void *state)
{
	kft_async_destroy(((struct state *)state)->pending);
	free(state);
}

static int create(struct kft_trace *t, void **ret_state)
{
	struct state *s = calloc(1, sizeof(*s));
	int r = s ? kft_async_create(t, &s->pending) : -ENOMEM;

	if (r < 0) {
		free(s);
		return r;
	}
	s->trace = t;
	*ret_state = s;
	return 0;
}

/* A signal that was sent to a process has the pid of the group's leader in its id. */
static uint64_t id_of_delivered(const struct state *s, const struct kft_kind_input *in)
{
	uint64_t id = kft_async_id((uint32_t)in->pid, in->fields[0]);
	const struct kft_task *task = kft_task_get(&s->trace->tasks, (uint32_t)in->pid);
	uint64_t of_process = task ? kft_async_id(task->tgid, in->fields[0]) : id;

	return kft_async_has(s->pending, id) || !kft_async_has(s->pending, of_process)
		       ? id
		       : of_process;
}

static int feed(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	struct state *s = state;
	struct kft_interval i = kft_nested_pairs_interval(kind, in->fields[0], in);

	if (in->event == DELIVERED)
		return kft_async_end(s->pending, id_of_delivered(s, in), &i, in, sink);
	/* The signal is ignored, or pending already. */
	if (in->fields[2] != TRACE_SIGNAL_DELIVERED)
		return 0;
	i.pid = (int32_t)in->fields[1];
	return kft_async_begin(s->pending, kft_async_id((uint32_t)i.pid, in->fields[0]),
			       &i, in, sink);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return kft_async_flush(((struct state *)state)->pending, in, sink);
}

/* Signal numbers of Linux on all architectures except MIPS, Alpha, SPARC and PA-RISC. */
static void name_of(struct kft_trace *t, uint64_t sig, struct kft_strbuf *sb)
{
	static const char *const names[] =
		{
			[1] = "HUP", "INT",	    "QUIT",	   "ILL",
			"TRAP",	     "ABRT",	    "BUS",	   [8] = "FPE",
			"KILL",	     "USR1",	    "SEGV",	   "USR2",
			"PIPE",	     "ALRM",	    [15] = "TERM", "STKFLT",
			"CHLD",	     "CONT",	    "STOP",	   "TSTP",
			"TTIN",	     [22] = "TTOU", "URG",	   "XCPU",
			"XFSZ",	     "VTALRM",	    "PROF",	   "WINCH",
			[29] = "IO", "PWR",	    "SYS",
		};

	if (sig && sig < ARRAY_SIZE(names))
		kft_strbuf_addf(sb, "SIG%s", names[sig]);
}

static const struct kft_kind_event events[] = {
	[GENERATED] = {"signal", "signal_generate", {"sig", "pid", "result"}},
	[DELIVERED] = {"signal", "signal_deliver", {"sig"}},
	{},
};

const struct kft_interval_kind kft_kind_signal = {
	.name = "signal",
	.about = "signals from being sent to being delivered",
	.key = "signal",
	.events = events,
	.key_name = name_of,
	.create = create,
	.feed = feed,
	.flush = flush,
	.destroy = destroy,
};
