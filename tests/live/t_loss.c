// SPDX-License-Identifier: GPL-2.0-only
#include "live.h"

#include <stdio.h>

/* Every call is either in the trace or counted as lost. */
static void assert_accounted(const struct live *l, uint64_t made, uint64_t *ret_recorded)
{
	uint64_t recorded = live_calls(l, NULL, NULL);
	uint64_t lost = l->sink.overrun + l->sink.dropped + l->sink.commit_overrun;

	(void)printf("%llu calls made, %llu recorded, %llu lost\n",
		     (unsigned long long)made, (unsigned long long)recorded,
		     (unsigned long long)lost);
	assert_int_equal(l->sink.unread, 0);
	assert_int_equal(recorded + lost, made);
	*ret_recorded = recorded;
}

/* Lost calls between two calls of a thread that are adjacent in the trace. */
struct gap {
	uint64_t since;
	uint64_t until;
	uint32_t cpu;
};

struct gaps {
	KFT_VEC(struct gap) gaps;
	struct call last[2];
	bool have_last[2];
	uint64_t missing;
};

static void find_gap(void *arg, const struct call *c)
{
	struct gaps *g = arg;
	struct call *last = &g->last[c->cpu & 1];

	if (g->have_last[c->cpu & 1]) {
		assert_true(c->ts >= last->ts);
		assert_true(c->number > last->number);
		g->missing += c->number - last->number - 1;
		if (c->number != last->number + 1)
			assert_true(kft_vec_push(&g->gaps,
						 (struct gap){last->ts, c->ts, c->cpu}));
	}
	*last = *c;
	g->have_last[c->cpu & 1] = true;
}

static bool overlaps(const struct kft_lost_range *r, const struct gap *g)
{
	return r->cpu == g->cpu && r->since <= g->until && r->until >= g->since;
}

/* A buffer of 16 pages for two CPUs that do nothing but fill it. */
static void every_lost_event_is_counted_and_placed(void **state)
{
	struct hammer h[] = {{.count = 500000, .cpu = 0}, {.count = 500000, .cpu = 1}};
	struct gaps g = {};
	struct live l;
	uint64_t recorded;

	live_init(&l, "loss");
	l.plan.buffer_bytes = 64 << 10;
	live_hammers_prepare(&l, h, 2);
	live_start(&l);
	live_hammers_run(h, 2);
	live_stop(&l);
	assert_accounted(&l, 1000000, &recorded);
	assert_int_equal(l.sink.overrun, 0);
	assert_true(l.sink.dropped > 0);
	assert_int_equal(l.sink.lost, 1000000 - recorded);
	assert_int_equal(l.sink.meta_lost, 1000000 - recorded);

	(void)live_calls(&l, find_gap, &g);
	/* The last calls of a thread may be missing without a call behind. */
	assert_true(g.missing <= 1000000 - recorded);
	for (size_t i = 0; i < g.gaps.len; i++) {
		bool found = false;

		for (size_t j = 0; j < l.sink.ranges.len && !found; j++)
			found = overlaps(&l.sink.ranges.data[j], &g.gaps.data[i]);
		assert_true(found);
	}
	(void)printf("%zu gaps in %zu ranges\n", g.gaps.len, l.sink.ranges.len);
	kft_vec_finish(&g.gaps);
	live_finish(&l);
}

struct marks {
	size_t n;
	uint64_t known;
};

/* A page that is full to the last byte has no room for the number of lost events. */
static void sum_marks(void *arg, const struct call *c)
{
	struct marks *m = arg;

	m->n += c->lost_before != 0;
	if (c->lost_before != KFT_LOST_UNKNOWN)
		m->known += c->lost_before;
}

/* A flight recorder: the newest are kept, the pages say how many were overwritten. */
static void overwritten_events_are_marked_in_the_pages(void **state)
{
	struct hammer h[] = {{.count = 100000, .cpu = 0}, {.count = 100000, .cpu = 1}};
	struct live l;
	uint64_t recorded;
	struct marks marks = {};

	live_init(&l, "overwrite");
	l.plan.buffer_bytes = 256 << 10;
	l.plan.overwrite = true;
	live_hammers_prepare(&l, h, 2);
	live_start(&l);
	live_hammers_run(h, 2);
	live_stop(&l);
	assert_accounted(&l, 200000, &recorded);
	assert_true(l.sink.overrun > 0);
	/* A loss is reported once: as a mark, not as a range as well. */
	assert_int_equal(l.sink.lost, 0);
	(void)live_calls(&l, sum_marks, &marks);
	assert_int_equal(marks.n, 2);
	assert_true(marks.known <= l.sink.overrun);
	live_finish(&l);
}

/* With the default buffer, losses are unlikely; each one must be reported. */
static void a_million_a_second_for_ten_seconds(void **state)
{
	struct hammer h[] = {
		{.count = 5000000, .per_second = 500000, .cpu = 0},
		{.count = 5000000, .per_second = 500000, .cpu = 1},
	};
	struct kft_progress p;
	struct live l;
	uint64_t recorded;

	live_init(&l, "rate");
	live_hammers_prepare(&l, h, 2);
	live_start(&l);
	live_hammers_run(h, 2);
	kft_capture_progress(l.session, &p);
	live_stop(&l);
	(void)printf("in %.2f s\n", p.elapsed_ns / 1e9);
	assert_accounted(&l, 10000000, &recorded);
	assert_int_equal(l.sink.lost, 10000000 - recorded);
	live_finish(&l);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_lost_event_is_counted_and_placed),
	cmocka_unit_test(overwritten_events_are_marked_in_the_pages),
	cmocka_unit_test(a_million_a_second_for_ten_seconds),
};

LIVE_MAIN(tests)
