// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two backends of the test replace those of kft. The tests check which parts a mechanism must
 * have, that each backend gets its sources, and that captures keep the promises of
 * capture/backend.h for both.
 */
#include "t.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "capture/backend.h"
#include "capture/capture.h"
#include "capture/detached.h"
#include "capture/shared_sink.h"

#include "test_sink.h"

static struct {
	char calls[32]; /* a letter for each, in their order; capitals: of the second */
	char refuses; /* the one that fails */
	bool waits; /* the plan's start has not come */
	struct kft_plan plans[2]; /* as they were opened with; they own nothing */
} seen;

struct example {
	struct kft_backend base;
	struct kft_sink *sink;
	struct kft_meta meta;
	size_t number;
};

extern const struct kft_backend_ops events_backend;
extern const struct kft_backend_ops probes_backend;

static struct example *of(const struct kft_backend *b)
{
	return container_of((struct kft_backend *)b, struct example, base);
}

static int say(size_t number, char letter, struct kft_err *e)
{
	size_t n = strlen(seen.calls);

	if (number)
		letter -= 'a' - 'A';
	assert_true(n + 1 < sizeof(seen.calls));
	seen.calls[n] = letter;
	return seen.refuses == letter ? kft_err_set(e, -EIO, "refuses %c", letter) : 0;
}

static int accepts_events(const struct kft_plan *plan, enum kft_source source,
			  struct kft_err *e)
{
	return source == KFT_SOURCE_EVENTS
		       ? 0
		       : kft_err_set(e, -EOPNOTSUPP, "it records events only");
}

static int accepts_probes(const struct kft_plan *plan, enum kft_source source,
			  struct kft_err *e)
{
	if (source == KFT_SOURCE_PROBES)
		return 0;
	kft_err_set(e, -EINVAL, "it records probes only");
	kft_err_hint(e, "record an event");
	return -EINVAL;
}

static int open_example(const struct kft_backend_opts *opts, size_t number,
			struct kft_backend **ret, struct kft_err *e)
{
	int r = say(number, 'o', e);

	seen.plans[number] = *opts->plan;
	if (r < 0)
		return r;
	struct example *x = calloc(1, sizeof(*x));
	assert_non_null(x);
	x->base.ops = number ? &probes_backend : &events_backend;
	x->sink = opts->sink;
	x->number = number;
	*ret = &x->base;
	return 0;
}

static int open_events(const struct kft_backend_opts *opts, struct kft_backend **ret,
		       struct kft_err *e)
{
	return open_example(opts, 0, ret, e);
}

static int open_probes(const struct kft_backend_opts *opts, struct kft_backend **ret,
		       struct kft_err *e)
{
	return open_example(opts, 1, ret, e);
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	int r = say(x->number, 'a', e);

	x->meta.page_size = 4096 << x->number;
	x->meta.cpu_count = 2;
	return r < 0 ? r : x->sink->ops->begin(x->sink, &x->meta, e);
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	int r = say(x->number, 's', e);
	int fd;

	return r < 0 ? r : x->sink->ops->cpu_fd(x->sink, x->number, &fd, e);
}

static void tick(struct kft_backend *b)
{
}

static int pause_example(struct kft_backend *b, bool paused, struct kft_err *e)
{
	return say(of(b)->number, paused ? 'p' : 'r', e);
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	int r = say(x->number, 'e', e);

	if (!kft_vec_push(&x->meta.stats, (struct kft_cpu_stat){.dropped_events = 2}))
		return -ENOMEM;
	return r < 0 ? r : x->sink->ops->end(x->sink, &x->meta, e);
}

static int close_example(struct kft_backend *b, struct kft_err *e)
{
	struct example *x = of(b);
	int r = say(x->number, 'c', e);

	kft_meta_finish(&x->meta);
	free(x);
	return r;
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	ret->events = 7;
	ret->bytes = 100;
	ret->taken = of(b)->number ? UINT64_MAX : 1;
	ret->waiting = !of(b)->number && seen.waits;
}

#define EXAMPLE                                                                         \
	.arm = arm, .start = start, .tick = tick, .pause = pause_example, .stop = stop, \
	.close = close_example, .progress = progress

static const char *const fast[] = {"x86-tsc", "boot", "mono", NULL};
static const char *const readable[] = {"mono", "boot", NULL};

static const struct kft_detached_ops keeps_the_oldest = {};

const struct kft_backend_ops events_backend = {
	.detached = &keeps_the_oldest,
	.name = "one",
	.clocks = fast,
	.finds_conditions = true,
	.accepts = accepts_events,
	.open = open_events,
	EXAMPLE,
};

const struct kft_backend_ops probes_backend = {
	.name = "two",
	.clocks = readable,
	.accepts = accepts_probes,
	.open = open_probes,
	EXAMPLE,
};

const struct kft_backend_ops *const kft_backends[] = {
	&events_backend,
	&probes_backend,
	NULL,
};

/* The further buffer goes to the second CPU's file of the same sink. */
static int further_buffer(struct kft_sink *s, const char *name,
			  const struct kft_buffer_shape *shape, struct kft_sink **ret,
			  struct kft_err *e)
{
	assert_string_equal(name, "two");
	assert_int_equal(shape->page_size, 8192);
	assert_int_equal(shape->cpu_count, 2);
	*ret = s;
	return 0;
}

static struct kft_plan plan_of(const char *sources)
{
	return (struct kft_plan){
		.n_events = strchr(sources, 'e') != NULL,
		.n_probes = strchr(sources, 'p') != NULL,
		.functions.enabled = strchr(sources, 'f') != NULL,
	};
}

static int step_through(struct kft_capture *c)
{
	int r = kft_capture_arm(c, NULL);

	if (r == 0)
		r = kft_capture_start(c, NULL);
	if (r == 0)
		r = kft_capture_wait(c, NULL, 0, 0, NULL);
	if (r == 0)
		r = kft_capture_pause(c, true, NULL);
	if (r == 0)
		r = kft_capture_pause(c, false, NULL);
	return r == 0 ? kft_capture_stop(c, NULL) : r;
}

/* All steps, up to the one that fails; all that was opened is closed in any case. */
static const char *live(char refuses, const char *sources)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_plan plan = plan_of(sources);
	struct kft_progress p = {};
	struct kft_capture *c;
	struct test_sink sink;
	size_t n = strlen(sources);

	memset(&seen, 0, sizeof(seen));
	seen.refuses = refuses;
	test_sink_init(&sink);
	struct kft_sink_ops ops = *sink.base.ops;
	ops.buffer = further_buffer;
	sink.base.ops = &ops;
	if (kft_capture_create(NULL, &plan, &sink.base, &opts, &c, NULL) < 0)
		return seen.calls;
	int r = step_through(c);
	assert_int_equal(r < 0, refuses && refuses != 'c' && refuses != 'C');
	/* A session that cannot be paused goes on. */
	if (refuses && strchr("pPrR", refuses))
		r = kft_capture_stop(c, NULL);
	kft_capture_progress(c, &p);
	assert_int_equal(p.events, 7 * n);
	assert_int_equal(p.bytes, 100 * n);
	assert_true(p.taken == (strchr(sources, 'p') ? UINT64_MAX : 1));
	assert_int_equal(kft_capture_stop(c, NULL), -EINVAL);
	assert_int_equal(kft_capture_close(c, NULL) < 0,
			 refuses == 'c' || refuses == 'C');
	/* The trace has the statistics of all backends, or was not ended. */
	assert_int_equal(sink.ended, r == 0);
	assert_int_equal(sink.n_stats, r == 0 ? n : 0);
	test_sink_finish(&sink);
	return seen.calls;
}

static void the_steps_come_in_order(void **state)
{
	assert_string_equal(live('\0', "e"), "oasprec");
	assert_string_equal(live('\0', "p"), "OASPREC");
}

static void a_step_that_fails_is_the_last_one(void **state)
{
	assert_string_equal(live('o', "e"), "o");
	assert_string_equal(live('a', "e"), "oac");
	assert_string_equal(live('s', "e"), "oasc");
	assert_string_equal(live('e', "e"), "oasprec");
}

/* The lead, which has the main buffer, comes last and goes first. */
static void two_backends_go_through_one_life(void **state)
{
	assert_string_equal(live('\0', "ep"), "OoAaSspPRreEcC");
	assert_int_equal(seen.plans[0].n_events, 1);
	assert_int_equal(seen.plans[0].n_probes, 0);
	assert_int_equal(seen.plans[1].n_events, 0);
	assert_int_equal(seen.plans[1].n_probes, 1);
}

static void a_backend_that_fails_undoes_the_others(void **state)
{
	assert_string_equal(live('O', "ep"), "O");
	assert_string_equal(live('o', "ep"), "OoC");
	assert_string_equal(live('A', "ep"), "OoAcC");
	assert_string_equal(live('a', "ep"), "OoAacC");
	assert_string_equal(live('S', "ep"), "OoAaScC");
	assert_string_equal(live('s', "ep"), "OoAaSscC");
	/* Paused are all or none, and all are stopped whichever fails. */
	assert_string_equal(live('p', "ep"), "OoAaSspeEcC");
	assert_string_equal(live('P', "ep"), "OoAaSspPreEcC");
	assert_string_equal(live('r', "ep"), "OoAaSspPRrPeEcC");
	assert_string_equal(live('e', "ep"), "OoAaSspPRreEcC");
	assert_string_equal(live('E', "ep"), "OoAaSspPRreEcC");
	assert_string_equal(live('c', "ep"), "OoAaSspPRreEcC");
	assert_string_equal(live('C', "ep"), "OoAaSspPRreEcC");
}

static void expect_refused(const struct kft_plan *plan, struct kft_sink *sink,
			   const char *msg, const char *hint)
{
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_capture *c;
	struct kft_err e = {};

	memset(&seen, 0, sizeof(seen));
	assert_true(kft_capture_create(NULL, plan, sink, &opts, &c, &e) < 0);
	assert_string_equal(e.msg, msg);
	assert_string_equal(e.hint, hint);
	assert_string_equal(seen.calls, "");
}

static void a_source_that_none_takes_is_refused_with_all_reasons(void **state)
{
	struct kft_plan plan = plan_of("epf");

	expect_refused(&plan, NULL,
		       "nothing here records functions (one: it records events only; "
		       "two: it records probes only)",
		       "record an event");
	plan = plan_of("");
	expect_refused(&plan, NULL, "there is nothing to record: no event was named",
		       "'kft list events' shows what there is");
}

static void a_trace_of_one_buffer_is_for_one_backend(void **state)
{
	struct kft_plan plan = plan_of("ep");
	struct test_sink sink;

	test_sink_init(&sink);
	expect_refused(&plan, &sink.base,
		       "two and one are recorded together to a file only", "");
	test_sink_finish(&sink);
}

static void all_have_one_clock(void **state)
{
	struct kft_plan plan = plan_of("ep");
	struct kft_shares s;
	struct kft_err e = {};

	assert_int_equal(kft_shares_of_plan(&plan, false, &s, NULL), 0);
	assert_string_equal(s.items[0].plan.clock, "boot");
	assert_string_equal(s.items[1].plan.clock, "boot");
	plan.clock = (char *)"mono";
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, NULL), 0);
	assert_string_equal(s.items[0].plan.clock, "mono");
	plan.clock = (char *)"x86-tsc";
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, &e), -EINVAL);
	assert_string_equal(e.msg,
			    "not all that is recorded can use the clock 'x86-tsc'");
	assert_string_equal(e.hint, "all have: boot, mono");
	/* Alone it takes the kernel's best. */
	plan = plan_of("e");
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, NULL), 0);
	assert_null(s.items[0].plan.clock);
}

static void only_a_backend_that_finds_conditions_leads_by_them(void **state)
{
	struct kft_plan plan = plan_of("ep");
	struct kft_shares s;
	struct kft_err e = {};

	plan.start.kind = KFT_TRIGGER_TIME;
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, NULL), 0);
	assert_string_equal(s.items[1].ops->name, "one");
	assert_int_equal(s.items[1].plan.start.kind, KFT_TRIGGER_TIME);
	assert_int_equal(s.items[0].plan.start.kind, KFT_TRIGGER_NONE);
	plan.n_events = 0;
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, &e), -EOPNOTSUPP);
	assert_string_equal(e.msg, "'two' cannot find a start or a stop in what happens");
}

static void detached_sessions_need_a_backend_without_a_process(void **state)
{
	struct kft_plan plan = plan_of("ep");
	struct kft_shares s;
	struct kft_err e = {};

	assert_int_equal(kft_shares_of_plan(&plan, true, &s, &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.msg, "only while a process waits with it"));
	plan.n_probes = 0;
	assert_int_equal(kft_shares_of_plan(&plan, true, &s, NULL), 0);
	assert_int_equal(s.n, 1);
	plan.overwrite = true;
	assert_int_equal(kft_shares_of_plan(&plan, false, &s, NULL), 0);
	assert_int_equal(kft_shares_of_plan(&plan, true, &s, &e), -EOPNOTSUPP);
	assert_non_null(strstr(e.msg, "it cannot keep the newest events"));
}

/* Waits until the capture has looked again. */
static void look(struct kft_capture *c, size_t calls)
{
	do
		assert_int_equal(kft_capture_wait(c, NULL, 0, 25, NULL), 0);
	while (strlen(seen.calls) < calls);
}

static void keep_text(void *arg, const char *text)
{
	(void)snprintf(arg, 128, "%s", text);
}

static void the_others_start_when_the_lead_found_the_start(void **state)
{
	char told[128] = "";
	const struct kft_capture_opts opts = {
		.sink_dirfd = -1,
		.notify = {.note = keep_text, .arg = told},
	};
	struct kft_plan plan = plan_of("ep");
	struct kft_capture *c;
	struct test_sink sink;

	memset(&seen, 0, sizeof(seen));
	seen.waits = true;
	plan.start.kind = KFT_TRIGGER_TIME;
	test_sink_init(&sink);
	struct kft_sink_ops ops = *sink.base.ops;
	ops.buffer = further_buffer;
	sink.base.ops = &ops;
	assert_int_equal(kft_capture_create(NULL, &plan, &sink.base, &opts, &c, NULL), 0);
	assert_int_equal(kft_capture_arm(c, NULL), 0);
	assert_int_equal(kft_capture_start(c, NULL), 0);
	look(c, 0);
	assert_string_equal(seen.calls, "OoAas");
	seen.waits = false;
	look(c, strlen("OoAasS"));
	assert_string_equal(seen.calls, "OoAasS");
	assert_non_null(strstr(told, "'two' records from up to "));
	assert_int_equal(kft_capture_stop(c, NULL), 0);
	assert_int_equal(kft_capture_close(c, NULL), 0);
	assert_int_equal(sink.ended, 1);
	test_sink_finish(&sink);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_steps_come_in_order),
	cmocka_unit_test(a_step_that_fails_is_the_last_one),
	cmocka_unit_test(two_backends_go_through_one_life),
	cmocka_unit_test(a_backend_that_fails_undoes_the_others),
	cmocka_unit_test(a_source_that_none_takes_is_refused_with_all_reasons),
	cmocka_unit_test(a_trace_of_one_buffer_is_for_one_backend),
	cmocka_unit_test(all_have_one_clock),
	cmocka_unit_test(only_a_backend_that_finds_conditions_leads_by_them),
	cmocka_unit_test(detached_sessions_need_a_backend_without_a_process),
	cmocka_unit_test(the_others_start_when_the_lead_found_the_start),
};

T_MAIN(tests)
