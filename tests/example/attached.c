// SPDX-License-Identifier: GPL-2.0-only
/* The example in a session that lives and dies with its process. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "base/io.h"
#include "example.h"
#include "trace.h"

struct example {
	struct kft_backend base;
	struct kft_backend_opts opts;
	struct ticks ticks;
	struct tick_trace trace;
	char clock[32];
};

static struct example *of(struct kft_backend *b)
{
	return container_of(b, struct example, base);
}

static int accepts(const struct kft_plan *plan, enum kft_source source, struct kft_err *e)
{
	return source == KFT_SOURCE_SAMPLES
		       ? 0
		       : kft_err_set(e, -EOPNOTSUPP, "it takes samples only");
}

static int open_example(const struct kft_backend_opts *opts, struct kft_backend **ret,
			struct kft_err *e)
{
	struct example *x = calloc(1, sizeof(*x));

	if (!x)
		return kft_err_memory(e);
	x->base.ops = &example_backend;
	x->opts = *opts;
	if (opts->plan->clock)
		(void)strncpy(x->clock, opts->plan->clock, sizeof(x->clock) - 1);
	*ret = &x->base;
	return 0;
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	const struct tick_trace_opts o = {
		.host = x->opts.host,
		.notify = &x->opts.notify,
		.clock = x->clock[0] ? x->clock : NULL,
		.command_line = x->opts.command_line,
		.leads = x->opts.leads,
	};

	return tick_trace_begin(&x->trace, x->opts.sink, &o, e);
}

static uint64_t now(const struct example *x)
{
	return tick_clock_ns(x->clock[0] ? x->clock : NULL);
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	int r = ticks_switch(&of(b)->ticks, true, now(of(b)));

	return r < 0 ? kft_err_sys(e, r, "cannot start the timer") : 0;
}

static void tick(struct kft_backend *b)
{
	(void)!tick_trace_move(&of(b)->trace, &of(b)->ticks, now(of(b)), NULL);
}

static int pause_example(struct kft_backend *b, bool paused, struct kft_err *e)
{
	int r = ticks_switch(&of(b)->ticks, !paused, now(of(b)));

	return r < 0 ? kft_err_sys(e, r, "cannot switch the timer") : 0;
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	int r = ticks_switch(&x->ticks, false, now(x));

	if (r == 0)
		r = tick_trace_move(&x->trace, &x->ticks, now(x), e);
	if (r == 0)
		r = kft_page_builder_end(&x->trace.pages);
	return r < 0 ? r : tick_trace_end(&x->trace, e);
}

static int close_example(struct kft_backend *b, struct kft_err *e)
{
	tick_trace_close(&of(b)->trace);
	free(of(b));
	return 0;
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	const struct example *x = container_of(b, struct example, base);
	uint64_t unused;

	ret->events = x->ticks.read + ticks_waiting(&x->ticks, now(x), &unused);
	ret->bytes = x->trace.bytes;
}

static const char *const clocks[] = {"mono", "boot", NULL};

const struct kft_backend_ops example_backend = {
	.name = "example",
	.clocks = clocks,
	.detached = &example_detached,
	.accepts = accepts,
	.open = open_example,
	.arm = arm,
	.start = start,
	.tick = tick,
	.pause = pause_example,
	.stop = stop,
	.close = close_example,
	.progress = progress,
};
