// SPDX-License-Identifier: GPL-2.0-only
/*
 * The example in a session that outlives its processes: its state is a file in the session's
 * directory, with the clock in the first line.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cursor.h"
#include "base/err.h"
#include "example.h"
#include "trace.h"

#define STATE_FILE   "example"
#define BUFFER_PAGES 2

struct part {
	struct kft_part base;
	struct ticks ticks;
	char clock[32];
	struct tick_trace trace; /* from drain_begin to drain_close */
};

static struct part *of(struct kft_part *p)
{
	return container_of(p, struct part, base);
}

static const struct part *of_const(const struct kft_part *p)
{
	return container_of(p, struct part, base);
}

static int open_part(struct kft_run *r, struct kft_part **ret, struct kft_err *e)
{
	struct part *p = calloc(1, sizeof(*p));

	if (!p)
		return kft_err_memory(e);
	p->base = (struct kft_part){.ops = &example_backend, .run = r};
	*ret = &p->base;
	return 0;
}

static int attach(struct kft_part *b, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct part *p = of(b);
	int r = kft_rundir_read(&b->run->dir, STATE_FILE, &text, e);

	if (r < 0)
		return r;
	const char *rest = strchrnul(kft_strbuf_cstr(&text), '\n');
	size_t len = (size_t)(rest - text.buf);
	if (!*rest || len >= sizeof(p->clock) || ticks_parse(rest + 1, &p->ticks) < 0)
		return kft_err_set(e, -EINVAL, "cannot understand the example's state");
	memcpy(p->clock, text.buf, len);
	return 0;
}

static int save(const struct part *p, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text, "%s\n", p->clock);
	ticks_format(&p->ticks, &text);
	return kft_strbuf_ok(&text) ? kft_rundir_write(&p->base.run->dir, STATE_FILE,
						       text.buf, text.len, e)
				    : kft_err_memory(e);
}

static int resolve(struct kft_part *b, const struct kft_plan *plan, struct kft_err *e)
{
	return 0;
}

static int set_up(struct kft_part *b, const struct kft_plan *plan, struct kft_err *e)
{
	struct part *p = of(b);

	p->ticks = (struct ticks){};
	(void)strncpy(p->clock, plan->clock ? plan->clock : "mono", sizeof(p->clock) - 1);
	return save(p, e);
}

static uint64_t now(const struct part *p)
{
	return tick_clock_ns(p->clock);
}

static int record(struct kft_part *b, bool on)
{
	int r = ticks_switch(&of(b)->ticks, on, now(of(b)));

	return r < 0 ? r : save(of(b), NULL);
}

static int mark(struct kft_part *b, const char *text, size_t len)
{
	return 0;
}

static int counts(const struct kft_part *b, struct kft_cpu_counts *ret)
{
	const struct part *p = of_const(b);

	*ret = (struct kft_cpu_counts){.read = p->ticks.read, .now = now(p)};
	ret->entries = ticks_waiting(&p->ticks, ret->now, &ret->oldest);
	return 0;
}

static int look(struct kft_part *b, const struct kft_plan *plan,
		struct kft_part_look *ret, struct kft_err *e)
{
	ret->is_on = ticks_are_on(&of(b)->ticks);
	return counts(b, &ret->counts);
}

static int drain_begin(struct kft_part *b, const struct kft_part_drain *how,
		       struct kft_err *e)
{
	struct part *p = of(b);
	const struct tick_trace_opts o = {
		.host = b->run->host,
		.notify = how->notify,
		.clock = p->clock,
		.command_line = how->command_line,
		.leads = kft_run_lead(b->run) == b,
	};

	return tick_trace_begin(&p->trace, how->sink, &o, e);
}

static int drain_move(struct kft_part *b, struct kft_progress *ret, struct kft_err *e)
{
	struct part *p = of(b);
	int r = tick_trace_move(&p->trace, &p->ticks, now(p), e);

	if (r == 0)
		r = kft_page_builder_end(&p->trace.pages);
	ret->events += p->trace.events;
	ret->bytes += p->trace.bytes;
	return r < 0 ? r : save(p, e);
}

static int drain_end(struct kft_part *b, struct kft_err *e)
{
	return tick_trace_end(&of(b)->trace, e);
}

static void drain_close(struct kft_part *b)
{
	tick_trace_close(&of(b)->trace);
}

static int shape(const struct kft_part *b, struct kft_part_shape *ret)
{
	uint64_t bytes = BUFFER_PAGES * (uint64_t)sysconf(_SC_PAGESIZE);

	*ret = (struct kft_part_shape){
		.buffer_bytes = bytes,
		.total_bytes = bytes,
		.layout = kft_ring_layout_default(KFT_HOST_BIG_ENDIAN, sizeof(long)),
	};
	return 0;
}

static int no_fd(const struct kft_part *b)
{
	return -1;
}

static int undo(struct kft_part *b, struct kft_err *e)
{
	return kft_rundir_remove_file(&b->run->dir, STATE_FILE, e);
}

static void close_part(struct kft_part *b)
{
	tick_trace_close(&of(b)->trace);
	free(of(b));
}

const struct kft_detached_ops example_detached = {
	.overwrites = true,
	.open = open_part,
	.attach = attach,
	.resolve = resolve,
	.set_up = set_up,
	.enable = resolve,
	.record = record,
	.mark = mark,
	.counts = counts,
	.look = look,
	.drain_begin = drain_begin,
	.drain_move = drain_move,
	.drain_end = drain_end,
	.drain_close = drain_close,
	.shape = shape,
	.work_dirfd = no_fd,
	.undo = undo,
	.close = close_part,
};
