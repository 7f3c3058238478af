// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/bits.h"
#include "model/merge.h"

/* A stream of events from an array, handed out a few at a time. */
struct fake {
	struct kft_stream s;
	struct kft_event evs[400];
	size_t len;
	size_t pos;
	size_t per_fill;
	int end; /* returned by fill at the end */
};

static int fake_fill(struct kft_stream *s, struct kft_event *evs, size_t max)
{
	struct fake *f = container_of(s, struct fake, s);
	size_t room = KFT_MIN(max, f->per_fill);
	size_t n = KFT_MIN(room, f->len - f->pos);

	memcpy(evs, f->evs + f->pos, n * sizeof(*evs));
	f->pos += n;
	return n ? (int)n : f->end;
}

static int fake_rewind(struct kft_stream *s, uint64_t since)
{
	container_of(s, struct fake, s)->pos = 0;
	return 0;
}

static void fake_destroy(struct kft_stream *s)
{
	free(container_of(s, struct fake, s));
}

static const struct kft_stream_ops fake_ops = {fake_fill, fake_rewind, fake_destroy};

static struct fake *add_stream(struct kft_trace *t, uint16_t buffer, uint32_t cpu)
{
	struct fake *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->s = (struct kft_stream){.ops = &fake_ops, .cpu = cpu, .buffer = buffer};
	f->per_fill = 7;
	while (t->buffers.len <= buffer)
		assert_true(kft_vec_push(&t->buffers, (struct kft_buffer){}));
	assert_true(kft_vec_push(&t->buffers.data[buffer].streams, &f->s));
	return f;
}

static void add_event(struct fake *f, uint64_t ts, uint16_t id, uint64_t lost)
{
	static const uint8_t bytes[ARRAY_SIZE(f->evs)];

	/* size numbers the events of a stream. */
	f->evs[f->len] = (struct kft_event){.ts = ts,
					    .lost_before = lost,
					    .data = bytes,
					    .size = f->len,
					    .cpu = f->s.cpu,
					    .id = id,
					    .buffer = f->s.buffer};
	f->len++;
}

static struct kft_trace *new_trace(void)
{
	struct kft_trace *t;

	assert_int_equal(kft_trace_create(&t), 0);
	return t;
}

static struct kft_merge *new_merge(struct kft_trace *t, const struct kft_scope *o)
{
	struct kft_merge *m;

	assert_int_equal(kft_merge_create(t, o, &m), 0);
	return m;
}

static bool in_order(const struct kft_event *a, const struct kft_event *b)
{
	if (a->ts != b->ts)
		return a->ts < b->ts;
	if (a->buffer != b->buffer)
		return a->buffer < b->buffer;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu;
	return a->size < b->size;
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

static void check_order(unsigned int n_streams, size_t n_events)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	uint32_t seed = 42 + n_streams;

	for (unsigned int i = 0; i < n_streams; i++) {
		struct fake *f = add_stream(t, i / 10, i % 10);
		uint64_t ts = next_random(&seed) % 10;

		for (size_t k = 0; k < n_events; k++) {
			add_event(f, ts, 1, 0);
			/* Many equal stamps. */
			ts += next_random(&seed) % 3;
		}
	}
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = new_merge(t, NULL);
	const struct kft_event *ev;
	struct kft_event last = {};
	size_t n = 0;
	while (kft_merge_next(m, &ev) > 0) {
		assert_true(n == 0 || in_order(&last, ev));
		last = *ev;
		n++;
	}
	assert_int_equal(n, n_streams * n_events);
	assert_int_equal(kft_merge_next(m, &ev), 0);
}

static void events_come_by_time_buffer_cpu_position(void **state)
{
	check_order(0, 0);
	check_order(1, 400);
	check_order(2, 399);
	check_order(3, 10);
	check_order(77, 101);
}

static void a_stream_that_jumps_back_keeps_its_order(void **state)
{
	static const uint64_t stamps[] = {10, 50, 20, 20, 5, 60};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *jumping = add_stream(t, 0, 0);
	struct fake *other = add_stream(t, 0, 1);

	jumping->per_fill = 2;
	for (size_t i = 0; i < ARRAY_SIZE(stamps); i++)
		add_event(jumping, stamps[i], 1, 0);
	for (uint64_t ts = 0; ts < 100; ts += 10)
		add_event(other, ts, 1, 0);
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = new_merge(t, NULL);
	const struct kft_event *ev;
	uint32_t next[2] = {};
	while (kft_merge_next(m, &ev) > 0)
		assert_int_equal(ev->size, next[ev->cpu]++);
	assert_int_equal(next[0], ARRAY_SIZE(stamps));
	assert_int_equal(next[1], 10);
}

static void peeking_shows_the_next_of_the_stream(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *f[2] = {add_stream(t, 0, 0), add_stream(t, 0, 1)};
	const struct kft_event *ev;
	size_t seen[2] = {};

	for (uint64_t i = 0; i < 400; i++)
		add_event(f[i % 2], i, 1, 0);
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = new_merge(t, NULL);
	while (kft_merge_next(m, &ev) > 0) {
		uint32_t cpu = ev->cpu;
		uint32_t n = ev->size;
		const struct kft_event *next = kft_merge_peek(m, &ev);

		assert_int_equal(ev->cpu, cpu);
		assert_int_equal(ev->size, n);
		assert_int_equal(n, seen[cpu]);
		seen[cpu]++;
		if (n == 199) {
			assert_null(next);
			continue;
		}
		assert_int_equal(next->cpu, cpu);
		assert_int_equal(next->size, n + 1);
		if (n % 3)
			continue;
		kft_merge_drop_peeked(m);
		seen[cpu]++;
	}
	assert_int_equal(seen[0], 200);
	assert_int_equal(seen[1], 200);
}

static void what_is_too_large_is_not_peeked_behind(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *f = add_stream(t, 0, 0);
	const struct kft_event *ev;
	size_t unknown = 0;

	for (uint64_t i = 0; i < 400; i++)
		add_event(f, i, 1, 0);
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = new_merge(t, NULL);
	for (uint32_t n = 0; kft_merge_next(m, &ev) > 0; n++) {
		assert_int_equal(ev->size, n);
		unknown += !kft_merge_peek(m, &ev);
	}
	/* The last one of each batch of 7 beyond 256 bytes, and of all. */
	assert_int_equal(unknown, 22);
}

static size_t count(struct kft_trace *t, const struct kft_scope *o, uint64_t *ret_lost)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = new_merge(t, o);
	const struct kft_event *ev;
	size_t n = 0;

	*ret_lost = 0;
	while (kft_merge_next(m, &ev) > 0) {
		assert_true(ev->ts >= o->since);
		assert_true(!o->until || ev->ts <= o->until);
		if (ev->lost_before)
			*ret_lost = ev->lost_before;
		n++;
	}
	return n;
}

static void time_and_cpus_can_be_chosen(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	uint64_t cpus[2] = {0, 1};
	uint64_t lost;

	for (uint32_t cpu = 0; cpu < 66; cpu++) {
		struct fake *f = add_stream(t, 0, cpu);

		for (uint64_t ts = 0; ts < 100; ts++)
			add_event(f, ts, 1, 0);
	}
	struct kft_scope o = {.cpus = cpus, .n_cpus = 65};
	assert_int_equal(count(t, &o, &lost), 100);
	o.since = 20;
	assert_int_equal(count(t, &o, &lost), 80);
	o.until = 29;
	assert_int_equal(count(t, &o, &lost), 10);
	o.n_cpus = 64;
	assert_int_equal(count(t, &o, &lost), 0);
	o = (struct kft_scope){.since = 99};
	assert_int_equal(count(t, &o, &lost), 66);
}

static void one_stray_stamp_does_not_end_a_stream(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *f = add_stream(t, 0, 0);
	uint64_t lost;

	for (uint64_t ts = 0; ts < 30; ts++)
		add_event(f, ts == 7 ? 1000000 : ts, 1, 0);
	assert_int_equal(count(t, &(struct kft_scope){.until = 20}, &lost), 20);
}

static void loss_marks_move_to_the_next_wanted_event(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *f = add_stream(t, 0, 0);
	uint64_t wanted[1024] = {[1] = 2};
	uint64_t lost;

	add_event(f, 1, 65, 0);
	add_event(f, 2, 64, 3);
	add_event(f, 3, 1, 4);
	add_event(f, 4, 65, 0);
	assert_int_equal(count(t, &(struct kft_scope){.wanted = wanted}, &lost), 2);
	assert_int_equal(lost, 7);
	assert_null(f->s.wanted);
	add_event(f, 5, 64, KFT_LOST_UNKNOWN);
	add_event(f, 6, 1, 5);
	add_event(f, 7, 65, 1);
	assert_int_equal(count(t, &(struct kft_scope){.wanted = wanted}, &lost), 3);
	assert_true(lost == KFT_LOST_UNKNOWN);
	/* A loss before the requested time is not reported. */
	assert_int_equal(count(t, &(struct kft_scope){.since = 4, .until = 4}, &lost), 1);
	assert_int_equal(lost, 0);
}

/* Tasks are chosen by a field of the events, which have the size that is their number. */
static void tasks_can_be_chosen(void **state)
{
	static const uint8_t pids[] = {1, 2, 3, 1};
	static const uint32_t wanted[] = {3, 1};
	static const struct kft_field pid = {.name = "common_pid", .size = 1};
	struct kft_trace *t = new_trace();
	struct fake *f = add_stream(t, 0, 0);
	const struct kft_scope scope = {.pids = wanted, .n_pids = 2, .pid = &pid};
	const struct kft_event *ev;

	for (size_t i = 0; i < ARRAY_SIZE(pids); i++) {
		add_event(f, 10 * i, 1, i == 1 ? 5 : 0);
		f->evs[i].data = &pids[i];
		f->evs[i].size = 1;
	}
	/* Too short for the field: of no task. */
	add_event(f, 50, 1, 0);
	f->evs[4].size = 0;
	struct kft_merge *m = new_merge(t, &scope);
	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->ts, 0);
	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->ts, 20);
	assert_int_equal(ev->lost_before, 5);
	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->ts, 30);
	assert_int_equal(kft_merge_next(m, &ev), 0);
	(void)kft_merge_destroy(m);
	(void)kft_trace_destroy(t);
}

static void a_failing_stream_leaves_the_others(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	struct fake *bad = add_stream(t, 0, 0);
	struct fake *good = add_stream(t, 0, 1);
	uint64_t lost;

	add_event(bad, 5, 1, 0);
	bad->end = -EIO;
	for (uint64_t ts = 0; ts < 50; ts++)
		add_event(good, ts, 1, 0);
	assert_int_equal(count(t, &(struct kft_scope){}, &lost), 51);
	assert_int_equal(bad->s.damage.code, -EIO);
	assert_int_equal(bad->s.damage_count, 1);
	assert_int_equal(good->s.damage_count, 0);
}

/* Each time two streams have as many events more as the step says, known up to settled. */
static const struct {
	size_t n[2];
	uint64_t settled;
} steps[] = {
	{{3, 0}, 0}, {{0, 2}, 15}, {{0, 0}, 30}, {{2, 3}, 30}, {{0, 0}, UINT64_MAX},
};

static size_t step;

static int grow(struct kft_trace *t)
{
	const bool is_last = step + 1 == ARRAY_SIZE(steps);

	for (size_t i = 0; i < 2; i++) {
		struct kft_stream *s = t->buffers.data[0].streams.data[i];

		container_of(s, struct fake, s)->len += steps[step].n[i];
		s->is_growing = !is_last;
	}
	t->settled = steps[step].settled;
	step++;
	return !is_last;
}

/* Nothing of the two streams is there yet. */
static struct kft_merge *start_growing(struct kft_trace *t, const struct kft_scope *scope)
{
	for (size_t i = 0; i < 2; i++) {
		struct kft_stream *s = t->buffers.data[0].streams.data[i];

		container_of(s, struct fake, s)->len = 0;
		s->is_growing = true;
	}
	t->more = grow;
	step = 0;
	return new_merge(t, scope);
}

static void a_trace_that_grows_is_given_as_far_as_it_is_settled(void **state)
{
	static const uint64_t times[2][5] = {{10, 20, 30, 40, 60}, {11, 25, 31, 50, 70}};
	static const uint64_t expected[] = {10, 11, 20, 25, 30, 31, 40, 50, 60, 70};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	const struct kft_event *ev;
	size_t n = 0;
	int r;

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct fake *f = add_stream(t, 0, cpu);

		for (size_t i = 0; i < 5; i++)
			add_event(f, times[cpu][i], 1, times[cpu][i] == 31 ? 9 : 0);
	}
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = start_growing(t, NULL);
	while ((r = kft_merge_next(m, &ev)) != 0) {
		if (r == -EAGAIN) {
			assert_int_equal(kft_merge_more(m), 0);
			continue;
		}
		assert_int_equal(r, 1);
		assert_int_equal(ev->ts, expected[n++]);
		assert_true(ev->ts <= t->settled);
		assert_int_equal(ev->lost_before, ev->ts == 31 ? 9 : 0);
	}
	assert_int_equal(n, ARRAY_SIZE(expected));
	assert_int_equal(step, ARRAY_SIZE(steps));
}

/* The loss before unwanted events is reported by a wanted event that comes much later. */
static void a_loss_waits_for_more_of_the_trace(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = new_trace();
	uint64_t wanted[KFT_ID_WORDS] = {};
	const struct kft_scope scope = {.wanted = wanted};
	const struct kft_event *ev;

	kft_bits_add(wanted, 1);
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct fake *f = add_stream(t, 0, cpu);

		for (uint64_t i = 0; i < 5; i++)
			add_event(f, 10 * i, i == 4 && !cpu ? 1 : 2,
				  i == 1 && !cpu ? 9 : 0);
	}
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = start_growing(t, &scope);
	while (step < ARRAY_SIZE(steps)) {
		assert_int_equal(kft_merge_next(m, &ev), -EAGAIN);
		assert_int_equal(kft_merge_more(m), 0);
	}
	assert_int_equal(kft_merge_next(m, &ev), 1);
	assert_int_equal(ev->lost_before, 9);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(events_come_by_time_buffer_cpu_position),
	cmocka_unit_test(a_stream_that_jumps_back_keeps_its_order),
	cmocka_unit_test(peeking_shows_the_next_of_the_stream),
	cmocka_unit_test(what_is_too_large_is_not_peeked_behind),
	cmocka_unit_test(time_and_cpus_can_be_chosen),
	cmocka_unit_test(one_stray_stamp_does_not_end_a_stream),
	cmocka_unit_test(loss_marks_move_to_the_next_wanted_event),
	cmocka_unit_test(tasks_can_be_chosen),
	cmocka_unit_test(a_failing_stream_leaves_the_others),
	cmocka_unit_test(a_trace_that_grows_is_given_as_far_as_it_is_settled),
	cmocka_unit_test(a_loss_waits_for_more_of_the_trace),
};

T_MAIN(tests)
