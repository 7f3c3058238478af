// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include "api/feed.h"
#include "sample.h"

#define CPUS	2
#define EVENT	2 /* words of a record */
#define HOUR_NS UINT64_C(3600000000000)

/*
 * CPUs are pipes in packet mode: as with trace_pipe_raw, a read gives one page or EAGAIN.
 */
struct rig {
	struct kft_meta meta;
	struct kft_feed *feed;
	int cpus[CPUS];
	int raws[CPUS];
	uint64_t past_ns; /* so long ago that nothing earlier can come any more */
	uint64_t future_ns; /* not before the test is over */
};

static int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct timespec ts;

	assert_non_null(r);
	sample_meta(&r->meta);
	assert_int_equal(kft_clock_parse("mono", 4, &r->meta.clock), 0);
	assert_int_equal(kft_feed_create(&r->feed), 0);
	for (int i = 0; i < CPUS; i++) {
		int fds[2];

		assert_int_equal(pipe2(fds, O_DIRECT | O_NONBLOCK | O_CLOEXEC), 0);
		r->raws[i] = fds[0];
		r->cpus[i] = fds[1];
	}
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &ts), 0);
	/* A machine that runs since a moment has a short past. */
	r->past_ns = (uint64_t)ts.tv_sec * 1000000000U / 2;
	r->future_ns = (uint64_t)ts.tv_sec * 1000000000U + HOUR_NS;
	*state = r;
	return 0;
}

static int teardown(void **state)
{
	struct rig *r = *state;

	assert_null(kft_feed_destroy(r->feed));
	for (int i = 0; i < CPUS; i++) {
		assert_int_equal(close(r->raws[i]), 0);
		assert_int_equal(close(r->cpus[i]), 0);
	}
	kft_meta_finish(&r->meta);
	free(r);
	return 0;
}

static void begin(struct rig *r)
{
	struct kft_sink *s = kft_feed_sink(r->feed);

	assert_int_equal(s->ops->begin(s, &r->meta, NULL), 0);
	for (uint32_t i = 0; i < CPUS; i++)
		assert_int_equal(s->ops->take_fd(s, i, r->raws[i], NULL), 0);
}

static void end(struct rig *r)
{
	struct kft_sink *s = kft_feed_sink(r->feed);

	assert_int_equal(s->ops->end(s, &r->meta, NULL), 0);
}

/* A page with n events, 1000 ns apart, the first one at ts. */
static void record(struct rig *r, int cpu, uint64_t ts, int n)
{
	struct t_page p = {};

	t_page_start(&p, KFT_HOST_BIG_ENDIAN, 8, ts);
	for (int i = 0; i < n; i++)
		t_page_data(&p, EVENT, i ? 1000 : 0, SAMPLE_EVENT_ID);
	t_page_end(&p, SAMPLE_PAGE_BYTES, 0);
	assert_int_equal(write(r->cpus[cpu], p.bytes.buf, p.bytes.len), p.bytes.len);
	t_page_finish(&p);
}

static void expect(struct rig *r, uint32_t cpu, uint64_t ts)
{
	const struct kft_event *ev;

	assert_int_equal(kft_feed_next(r->feed, &ev), 1);
	assert_int_equal(ev->cpu, cpu);
	assert_int_equal(ev->ts, ts);
	assert_int_equal(ev->id, SAMPLE_EVENT_ID);
	assert_int_equal(ev->size, EVENT * 4);
}

static int next(struct rig *r)
{
	const struct kft_event *ev;

	return kft_feed_next(r->feed, &ev);
}

static void events_of_all_cpus_come_in_order(void **state)
{
	struct rig *r = *state;
	uint64_t t = r->past_ns;

	begin(r);
	assert_int_equal(next(r), -EAGAIN);
	record(r, 0, t, 2);
	record(r, 0, t + 5000, 1);
	record(r, 1, t + 500, 3);
	expect(r, 0, t);
	expect(r, 1, t + 500);
	expect(r, 0, t + 1000);
	expect(r, 1, t + 1500);
	expect(r, 1, t + 2500);
	expect(r, 0, t + 5000);
	assert_int_equal(next(r), -EAGAIN);
	record(r, 1, t + 6000, 1);
	expect(r, 1, t + 6000);
	end(r);
	assert_int_equal(next(r), 0);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &ts), 0);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

/* However long it takes, that is once for each slack: the CPU has events all the time. */
static void a_waiting_event_wakes_nobody_before_its_time(void **state)
{
	struct rig *r = *state;
	struct pollfd fd = {.fd = kft_feed_fd(r->feed), .events = POLLIN};
	const unsigned int times = 20;

	begin(r);
	record(r, 0, r->future_ns, 1);
	assert_int_equal(next(r), -EAGAIN);
	record(r, 0, r->future_ns + 1, 1);
	uint64_t before = now_ns();
	for (unsigned int i = 0; i < times; i++) {
		assert_int_equal(next(r), -EAGAIN);
		assert_int_equal(poll(&fd, 1, -1), 1);
	}
	assert_true(now_ns() - before >= times * (uint64_t)KFT_FEED_SLACK_NS);
	end(r);
}

/* The time of one that was given is over. */
static void no_time_is_waited_for_without_events(void **state)
{
	struct rig *r = *state;
	struct pollfd fd = {.fd = kft_feed_fd(r->feed), .events = POLLIN};

	begin(r);
	record(r, 0, now_ns() + KFT_FEED_SLACK_NS, 1);
	while (next(r) == -EAGAIN)
		assert_int_equal(poll(&fd, 1, -1), 1);
	assert_int_equal(next(r), -EAGAIN);
	assert_int_equal(poll(&fd, 1, 0), 0);
	record(r, 1, r->past_ns, 1);
	assert_int_equal(poll(&fd, 1, 0), 1);
	end(r);
}

/* An earlier event of another CPU may still be being written. */
static void a_new_event_waits_until_nothing_earlier_can_come(void **state)
{
	struct rig *r = *state;
	uint64_t t = r->future_ns;

	begin(r);
	record(r, 0, t + 1000, 1);
	assert_int_equal(next(r), -EAGAIN);
	record(r, 1, t, 1);
	/* Each CPU's next event is in hand now. */
	expect(r, 1, t);
	assert_int_equal(next(r), -EAGAIN);
	end(r);
	expect(r, 0, t + 1000);
	assert_int_equal(next(r), 0);
}

static void the_descriptor_says_when_to_ask(void **state)
{
	struct rig *r = *state;
	struct pollfd p = {.fd = kft_feed_fd(r->feed), .events = POLLIN};

	begin(r);
	assert_int_equal(poll(&p, 1, 0), 0);
	record(r, 1, r->future_ns, 1);
	assert_int_equal(poll(&p, 1, 0), 1);
	/* The event is in hand now, and wakes the program when it is old enough. */
	assert_int_equal(next(r), -EAGAIN);
	assert_int_equal(poll(&p, 1, -1), 1);
}

static void losses_come_with_the_next_event_of_their_cpu(void **state)
{
	struct rig *r = *state;
	struct kft_sink *s = kft_feed_sink(r->feed);
	const struct kft_event *ev;
	uint64_t t = r->past_ns;

	begin(r);
	assert_int_equal(s->ops->lost(s, &(struct kft_lost_range){.cpu = 1, .count = 7}),
			 0);
	assert_int_equal(s->ops->lost(s, &(struct kft_lost_range){.cpu = 1, .count = 4}),
			 0);
	record(r, 0, t, 1);
	record(r, 1, t + 10, 1);
	assert_int_equal(kft_feed_next(r->feed, &ev), 1);
	assert_int_equal(ev->lost_before, 0);
	assert_int_equal(kft_feed_next(r->feed, &ev), 1);
	assert_int_equal(ev->lost_before, 11);
	assert_int_equal(
		s->ops->lost(
			s, &(struct kft_lost_range){.cpu = 0, .count = KFT_LOST_UNKNOWN}),
		0);
	record(r, 0, t + 20, 1);
	assert_int_equal(kft_feed_next(r->feed, &ev), 1);
	assert_int_equal(ev->lost_before, KFT_LOST_UNKNOWN);
}

static void a_damaged_page_costs_itself_only(void **state)
{
	struct rig *r = *state;
	uint64_t t = r->past_ns;
	char garbage[SAMPLE_PAGE_BYTES];

	begin(r);
	memset(garbage, 0xff, sizeof(garbage));
	assert_int_equal(write(r->cpus[0], garbage, sizeof(garbage)), sizeof(garbage));
	assert_int_equal(write(r->cpus[0], garbage, 3), 3);
	record(r, 0, t, 1);
	expect(r, 0, t);
}

static void a_clock_that_cannot_be_read_is_refused(void **state)
{
	struct rig *r = *state;
	struct kft_sink *s = kft_feed_sink(r->feed);
	struct kft_err e;

	assert_int_equal(kft_clock_parse("local", 5, &r->meta.clock), 0);
	assert_int_equal(s->ops->begin(s, &r->meta, &e), -EINVAL);
	assert_non_null(strstr(e.msg, "'local'"));
	assert_non_null(strstr(e.hint, "mono"));
	assert_int_equal(next(r), -EAGAIN);
}

static void names_of_tasks_are_kept_up(void **state)
{
	static const char comms[] = "7 late\n";
	struct rig *r = *state;
	struct kft_sink *s = kft_feed_sink(r->feed);
	const struct kft_blob text = {.data = comms, .len = sizeof(comms) - 1};

	begin(r);
	assert_string_equal(kft_trace_comm(kft_feed_trace(r->feed), 7), "<...>");
	assert_int_equal(s->ops->tasks(s, &text, &(struct kft_blob){}), 0);
	assert_string_equal(kft_trace_comm(kft_feed_trace(r->feed), 7), "late");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(events_of_all_cpus_come_in_order, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_waiting_event_wakes_nobody_before_its_time,
					setup, teardown),
	cmocka_unit_test_setup_teardown(no_time_is_waited_for_without_events, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_new_event_waits_until_nothing_earlier_can_come,
					setup, teardown),
	cmocka_unit_test_setup_teardown(the_descriptor_says_when_to_ask, setup, teardown),
	cmocka_unit_test_setup_teardown(losses_come_with_the_next_event_of_their_cpu,
					setup, teardown),
	cmocka_unit_test_setup_teardown(a_damaged_page_costs_itself_only, setup,
					teardown),
	cmocka_unit_test_setup_teardown(a_clock_that_cannot_be_read_is_refused, setup,
					teardown),
	cmocka_unit_test_setup_teardown(names_of_tasks_are_kept_up, setup, teardown),
};

T_MAIN(tests)
