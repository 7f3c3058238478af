// SPDX-License-Identifier: GPL-2.0-only
/*
 * An example of a backend beside tracefs in one session: one start, stop, pause and end, two
 * buffers, one clock. tracefs records events, the example probes.
 */
#include "t.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/err.h"
#include "base/io.h"
#include "capture/backend.h"
#include "capture/capture.h"

#include "fake.h"
#include "test_sink.h"

#define INSTANCE   FAKE_TRACEFS "/instances/kft-mine"
#define PAGE_BYTES 8192

static struct {
	enum { IDLE, ARMED, RECORDING, PAUSED, STOPPED, CLOSED } state;
	char refuses; /* 'o', 'a', 's', 'e': the step that fails */
	char clock[16];
} example;

struct example {
	struct kft_backend base;
	struct kft_sink *sink;
	struct kft_meta meta;
};

static const struct kft_backend_ops example_backend;

static struct example *of(struct kft_backend *b)
{
	return container_of(b, struct example, base);
}

static int enter(int state, char step, struct kft_err *e)
{
	if (example.refuses == step)
		return kft_err_set(e, -EIO, "the example refuses");
	example.state = state;
	return 0;
}

static int accepts(const struct kft_plan *plan, enum kft_source source, struct kft_err *e)
{
	return source == KFT_SOURCE_PROBES
		       ? 0
		       : kft_err_set(e, -EOPNOTSUPP, "it records probes only");
}

static int open_example(const struct kft_backend_opts *opts, struct kft_backend **ret,
			struct kft_err *e)
{
	int r = enter(IDLE, 'o', e);

	if (r < 0)
		return r;
	assert_int_equal(opts->plan->n_events, 0);
	(void)snprintf(example.clock, sizeof(example.clock), "%s", opts->plan->clock);
	struct example *x = calloc(1, sizeof(*x));
	assert_non_null(x);
	x->base.ops = &example_backend;
	x->sink = opts->sink;
	*ret = &x->base;
	return 0;
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	static const char format[] = "name: sample\nID: 9000\nformat:\n";

	x->meta.page_size = PAGE_BYTES;
	x->meta.cpu_count = 1;
	if (!kft_vec_push(&x->meta.formats, (struct kft_format_text){
						    "example",
						    {format, strlen(format)},
					    }))
		return -ENOMEM;
	int r = enter(ARMED, 'a', e);
	return r < 0 ? r : x->sink->ops->begin(x->sink, &x->meta, e);
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	static const char page[PAGE_BYTES];
	struct kft_sink *sink = of(b)->sink;
	int fd;
	int r = enter(RECORDING, 's', e);

	if (r == 0)
		r = sink->ops->cpu_fd(sink, 0, &fd, e);
	return r < 0 ? r : kft_write_all(fd, page, sizeof(page));
}

static void tick(struct kft_backend *b)
{
}

static int pause_example(struct kft_backend *b, bool paused, struct kft_err *e)
{
	return enter(paused ? PAUSED : RECORDING, paused ? 'p' : 'r', e);
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	const struct kft_cpu_stat lost = {.dropped_events = 3};
	int r = enter(STOPPED, 'e', e);

	if (!kft_vec_push(&x->meta.stats, lost))
		return -ENOMEM;
	return r < 0 ? r : x->sink->ops->end(x->sink, &x->meta, e);
}

static int close_example(struct kft_backend *b, struct kft_err *e)
{
	kft_meta_finish(&of(b)->meta);
	free(of(b));
	return enter(CLOSED, 'c', e);
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	ret->events = 100;
	ret->bytes = PAGE_BYTES;
	ret->lost = 3;
}

static const char *const clocks[] = {"boot", "mono", NULL};

static const struct kft_backend_ops example_backend = {
	.name = "example",
	.clocks = clocks,
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

const struct kft_backend_ops *const kft_backends[] = {
	&example_backend,
	&kft_tracefs_backend,
	NULL,
};

/* The trace: its main buffer, and the example's. */
static struct {
	struct test_sink main;
	struct test_sink further;
	struct kft_sink_ops ops;
} trace;

static int further_buffer(struct kft_sink *s, const char *name,
			  const struct kft_buffer_shape *shape, struct kft_sink **ret,
			  struct kft_err *e)
{
	assert_ptr_equal(s, &trace.main.base);
	assert_int_equal(trace.main.begun, 1);
	assert_string_equal(name, "example");
	assert_int_equal(shape->page_size, PAGE_BYTES);
	*ret = &trace.further.base;
	return 0;
}

static void trace_init(void)
{
	test_sink_init(&trace.main);
	test_sink_init(&trace.further);
	trace.ops = *trace.main.base.ops;
	trace.ops.buffer = further_buffer;
	trace.main.base.ops = &trace.ops;
}

static void trace_finish(void)
{
	test_sink_finish(&trace.main);
	test_sink_finish(&trace.further);
}

static void plan_init(struct kft_plan *plan, const char *clock)
{
	*plan = (struct kft_plan){};
	assert_int_equal(kft_plan_set_name(plan, "mine", NULL), 0);
	assert_int_equal(kft_plan_set_clock(plan, clock, NULL), 0);
	assert_int_equal(kft_plan_add_event(plan, "sched", NULL, NULL), 0);
	assert_int_equal(kft_plan_add_probe(plan, false, "do_exit", NULL), 0);
}

/* The fake kernel has two pages; those of the example have another size. */
static void fill_pages(struct fake *f)
{
	char pages[2 * 4096 + 1];

	memset(pages, KFT_HOST_BIG_ENDIAN ? 0xe8 : 0x1d, sizeof(pages) - 1);
	pages[sizeof(pages) - 1] = '\0';
	fake_template_write(f, "per_cpu/cpu0/trace_pipe_raw", pages);
	fake_write(f, "proc/kallsyms", "ffffffff81000000 T a\n");
}

static void expect(struct fake *f, const char *tracing_on, int state)
{
	assert_string_equal(fake_read(f, INSTANCE "/tracing_on"), tracing_on);
	assert_int_equal(example.state, state);
}

static void both_record_one_session(void **state)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct fake *f = *state;
	struct kft_progress p;
	struct kft_capture *s;
	struct kft_plan plan;

	memset(&example, 0, sizeof(example));
	fill_pages(f);
	trace_init();
	plan_init(&plan, "mono");
	assert_int_equal(
		kft_capture_create(f->host, &plan, &trace.main.base, &opts, &s, NULL), 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	kft_plan_finish(&plan);
	expect(f, "0", ARMED);
	assert_string_equal(example.clock, "mono");
	assert_int_equal(kft_capture_start(s, NULL), 0);
	expect(f, "1", RECORDING);
	assert_int_equal(kft_capture_pause(s, true, NULL), 0);
	expect(f, "0", PAUSED);
	assert_int_equal(kft_capture_pause(s, false, NULL), 0);
	expect(f, "1", RECORDING);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	expect(f, "0", STOPPED);
	/* A limit is compared with the sums. */
	kft_capture_progress(s, &p);
	assert_int_equal(p.bytes, PAGE_BYTES + 2 * 4096);
	assert_true(p.events >= 100);
	assert_int_equal(p.lost, 3);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(example.state, CLOSED);
	assert_int_equal(fake_instances(f), 0);
	trace_finish();
}

static void one_trace_has_two_buffers(void **state)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct fake *f = *state;
	struct kft_capture *s;
	struct kft_plan plan;

	memset(&example, 0, sizeof(example));
	fill_pages(f);
	trace_init();
	plan_init(&plan, "mono");
	assert_int_equal(
		kft_capture_create(f->host, &plan, &trace.main.base, &opts, &s, NULL), 0);
	assert_int_equal(kft_capture_arm(s, NULL), 0);
	assert_int_equal(kft_capture_start(s, NULL), 0);
	assert_int_equal(kft_capture_stop(s, NULL), 0);
	assert_int_equal(trace.main.ended, 1);
	assert_int_equal(trace.further.begun, 0);
	assert_int_equal(trace.further.ended, 0);
	assert_int_equal(test_sink_bytes(&trace.main), 2 * 4096);
	assert_int_equal(test_sink_bytes(&trace.further), PAGE_BYTES);
	assert_string_equal(trace.main.clock.name, "mono");
	/* The kernel has four formats, the example one; each has the statistics of a CPU. */
	assert_int_equal(trace.main.n_formats, 4 + 1);
	assert_int_equal(trace.main.n_stats, 2);
	assert_int_equal(trace.main.dropped, 3);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	kft_plan_finish(&plan);
	trace_finish();
}

static int step_through(struct kft_capture *s)
{
	int r = kft_capture_arm(s, NULL);

	if (r == 0)
		r = kft_capture_start(s, NULL);
	return r == 0 ? kft_capture_stop(s, NULL) : r;
}

static void a_step_that_fails_leaves_nothing_of_both(void **state)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct fake *f = *state;
	struct kft_capture *s;
	struct kft_plan plan;

	for (const char *step = "oase"; *step; step++) {
		memset(&example, 0, sizeof(example));
		example.refuses = *step;
		fill_pages(f);
		trace_init();
		plan_init(&plan, "boot");
		int r = kft_capture_create(f->host, &plan, &trace.main.base, &opts, &s,
					   NULL);
		assert_int_equal(r, *step == 'o' ? -EIO : 0);
		if (r == 0) {
			assert_int_equal(step_through(s), -EIO);
			assert_int_equal(kft_capture_close(s, NULL), 0);
			assert_int_equal(example.state, CLOSED);
		}
		assert_int_equal(trace.main.ended, 0);
		assert_int_equal(fake_instances(f), 0);
		kft_plan_finish(&plan);
		trace_finish();
	}
}

static void tracefs_that_fails_ends_the_example(void **state)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct fake *f = *state;
	struct kft_capture *s;
	struct kft_plan plan;

	memset(&example, 0, sizeof(example));
	fill_pages(f);
	fake_template_remove(f, "per_cpu/cpu0/stats");
	trace_init();
	plan_init(&plan, "mono");
	assert_int_equal(
		kft_capture_create(f->host, &plan, &trace.main.base, &opts, &s, NULL), 0);
	assert_true(kft_capture_arm(s, NULL) < 0);
	assert_int_equal(kft_capture_close(s, NULL), 0);
	assert_int_equal(example.state, CLOSED);
	assert_int_equal(fake_instances(f), 0);
	kft_plan_finish(&plan);
	trace_finish();
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, fake_tracefs_setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	TEST(both_record_one_session),
	TEST(one_trace_has_two_buffers),
	TEST(a_step_that_fails_leaves_nothing_of_both),
	TEST(tracefs_that_fails_ends_the_example),
};

T_MAIN(tests)
