// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake_trace.h"
#include "model/span.h"

/* A stream that jumps to the very end when asked for a time after all events. */
static int rewind_to(struct kft_stream *s, uint64_t since)
{
	struct fake_stream *f = container_of(s, struct fake_stream, s);

	f->pos = 0;
	while (f->pos < f->len && f->evs[f->pos].ts < since)
		f->pos++;
	return 0;
}

static const struct kft_stream_ops jumping_ops = {fake_fill, rewind_to, fake_destroy};

static void first_and_last_of_all_streams(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	struct fake_stream *a = fake_add_stream(t, 0, 0);
	struct fake_stream *b = fake_add_stream(t, 0, 1);
	struct fake_stream *other_clock = fake_add_stream(t, 1, 0);
	uint64_t ts;

	assert_false(kft_span_first(t, &ts));
	assert_false(kft_span_last(t, &ts));
	b->s.ops = &jumping_ops;
	t->buffers.data[1].clock.unit = KFT_CLOCK_COUNT;
	for (uint64_t i = 0; i < 20; i++) {
		fake_add_event(a, 100 + i, 1, 1, 0);
		fake_add_event(b, 90 + i * 2, 1, 1, 0);
		fake_add_event(other_clock, i, 1, 1, 0);
	}
	assert_true(kft_span_first(t, &ts));
	assert_int_equal(ts, 90);
	assert_true(kft_span_last(t, &ts));
	assert_int_equal(ts, 128);
}

static void a_scope_cuts_at_its_times(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	struct fake_stream *f = fake_add_stream(t, 0, 0);
	struct kft_scope scope = {.since = 50, .until = 300};
	uint64_t first, last;

	assert_false(kft_span_of(t, NULL, &first, &last));
	fake_add_event(f, 100, 1, 1, 0);
	fake_add_event(f, 200, 1, 1, 0);
	assert_true(kft_span_of(t, &scope, &first, &last));
	assert_int_equal(first, 100);
	assert_int_equal(last, 200);
	scope = (struct kft_scope){.since = 120};
	assert_true(kft_span_of(t, &scope, &first, &last));
	assert_int_equal(first, 120);
	assert_int_equal(last, 200);
	scope = (struct kft_scope){.until = 150};
	assert_true(kft_span_of(t, &scope, &first, &last));
	assert_int_equal(first, 100);
	assert_int_equal(last, 150);
}

static int failing_fill(struct kft_stream *s, struct kft_event *evs, size_t max)
{
	s->damage_count++;
	return fake_fill(s, evs, max);
}

static void damage_is_not_counted_yet(void **state)
{
	static const struct kft_stream_ops failing_ops = {failing_fill, fake_rewind,
							  fake_destroy};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	struct fake_stream *f = fake_add_stream(t, 0, 0);
	uint64_t ts;

	f->s.ops = &failing_ops;
	f->s.damage_count = 1;
	fake_add_event(f, 5, 1, 1, 0);
	assert_true(kft_span_first(t, &ts) && kft_span_last(t, &ts));
	assert_int_equal(f->s.damage_count, 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(first_and_last_of_all_streams),
	cmocka_unit_test(a_scope_cuts_at_its_times),
	cmocka_unit_test(damage_is_not_counted_yet),
};

T_MAIN(tests)
