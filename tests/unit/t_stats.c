// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "analysis/stats/stats.h"
#include "boot_trace.h"
#include "fake_trace.h"

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* Many CPUs in two buffers with losses of all kinds. */
static struct kft_trace *random_trace(void)
{
	struct kft_trace *t = fake_trace();
	uint32_t seed = 7;

	for (unsigned int i = 0; i < 20; i++) {
		struct fake_stream *f = fake_add_stream(t, i / 12, i % 12);
		uint64_t ts = 1000 + next_random(&seed) % 100;

		for (size_t k = 0; k < i * 20; k++) {
			uint32_t dice = next_random(&seed) % 50;

			ts += next_random(&seed) % 10;
			fake_add_event(f, ts, 1 + next_random(&seed) % 4,
				       next_random(&seed) % 30,
				       dice == 0   ? KFT_LOST_UNKNOWN
				       : dice == 1 ? k
						   : 0);
		}
	}
	return t;
}

static void run(struct kft_trace *t, unsigned int threads, bool in_order,
		const struct kft_scope *scope, struct kft_stats *ret)
{
	struct kft_analysis_opts opts = {
		.scope = scope, .threads = threads, .in_order = in_order};
	struct kft_err e;

	assert_int_equal(kft_stats_run(t, KFT_STATS_ALL, &opts, ret, &e), 0);
}

static void assert_same(const struct kft_stats *a, const struct kft_stats *b)
{
	assert_true(a->count == b->count && a->lost == b->lost && a->gaps == b->gaps);
	assert_true(a->first == b->first && a->last == b->last);
	assert_true(a->uncounted_gaps == b->uncounted_gaps);
	assert_int_equal(a->tasks.len, b->tasks.len);
	for (size_t i = 0; i < a->tasks.len; i++)
		assert_true(a->tasks.data[i].pid == b->tasks.data[i].pid &&
			    a->tasks.data[i].count == b->tasks.data[i].count);
	assert_int_equal(a->events.len, b->events.len);
	for (size_t i = 0; i < a->events.len; i++) {
		const struct kft_stats_event *x = &a->events.data[i];
		const struct kft_stats_event *y = &b->events.data[i];

		assert_true(x->buffer == y->buffer && x->id == y->id);
		assert_true(x->count == y->count && x->first == y->first &&
			    x->last == y->last);
	}
	assert_int_equal(a->cpus.len, b->cpus.len);
	for (size_t i = 0; i < a->cpus.len; i++) {
		const struct kft_stats_cpu *x = &a->cpus.data[i];
		const struct kft_stats_cpu *y = &b->cpus.data[i];

		assert_true(x->buffer == y->buffer && x->cpu == y->cpu);
		assert_true(x->count == y->count && x->first == y->first &&
			    x->last == y->last);
		assert_true(x->gaps == y->gaps && x->lost == y->lost &&
			    x->uncounted_gaps == y->uncounted_gaps);
	}
}

static void threads_change_no_result(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = random_trace();
	uint64_t cpus[1] = {0xbf5};
	uint64_t wanted[1024] = {[0] = 1 << 1 | 1 << 3};
	const struct kft_scope scopes[] = {
		{},
		{.since = 1200, .until = 2000},
		{.cpus = cpus, .n_cpus = 12},
		{.wanted = wanted, .since = 1100},
	};

	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++) {
		_cleanup_(kft_stats_finish) struct kft_stats one = {};
		_cleanup_(kft_stats_finish) struct kft_stats many = {};
		_cleanup_(kft_stats_finish) struct kft_stats ordered = {};

		run(t, 1, false, &scopes[i], &one);
		run(t, 8, false, &scopes[i], &many);
		run(t, 0, true, &scopes[i], &ordered);
		assert_true(one.count > 0);
		assert_same(&one, &many);
		assert_same(&one, &ordered);
	}
}

/* kft overwrites only when it is asked to; trace-cmd does when it is not quick enough. */
static void what_is_overwritten_on_purpose_is_no_loss(void **state)
{
	static const char *const writers[] = {"kft 0.1.0", "trace-cmd 3.1.6"};

	for (size_t i = 0; i < 2; i++) {
		_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
		_cleanup_(kft_stats_finish) struct kft_stats s = {};
		const struct kft_cpu_stat stat[] = {{.cpu = 0, .overwritten = 70},
						    {.cpu = 1, .overwritten = 30}};
		struct fake_stream *cpu0 = fake_add_stream(t, 0, 0);
		struct fake_stream *cpu1 = fake_add_stream(t, 0, 1);

		t->meta.version = (struct kft_blob){writers[i], strlen(writers[i])};
		assert_true(kft_vec_push(&t->meta.stats, stat[0]));
		assert_true(kft_vec_push(&t->meta.stats, stat[1]));
		fake_add_event(cpu0, 1000, 1, 5, 70);
		fake_add_event(cpu0, 2000, 1, 5, 3);
		/* The first page had no room for the number of lost events. */
		fake_add_event(cpu1, 1500, 1, 5, KFT_LOST_UNKNOWN);
		assert_int_equal(kft_trace_is_overwritten(t, &cpu0->evs[0]), i == 0);
		assert_false(kft_trace_is_overwritten(t, &cpu0->evs[1]));
		assert_int_equal(kft_trace_is_overwritten(t, &cpu1->evs[0]), i == 0);
		run(t, 2, false, NULL, &s);
		assert_int_equal(s.overwritten, i == 0 ? 100 : 0);
		assert_int_equal(s.whole_from, i == 0 ? 1500 : 0);
		assert_int_equal(s.lost, i == 0 ? 3 : 73);
		assert_int_equal(s.gaps, i == 0 ? 1 : 3);
		assert_int_equal(s.uncounted_gaps, i == 0 ? 0 : 1);
		assert_int_equal(s.cpus.data[0].lost, i == 0 ? 3 : 73);
	}
}

static void everything_is_counted_once(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_stats_finish) struct kft_stats s = {};
	struct fake_stream *cpu3 = fake_add_stream(t, 0, 3);
	struct fake_stream *cpu0 = fake_add_stream(t, 0, 5);

	fake_add_event(cpu3, 10, 1, 77, 0);
	fake_add_event(cpu3, 20, 2, 77, 4);
	fake_add_event(cpu3, 30, 2, 0, KFT_LOST_UNKNOWN);
	fake_add_event(cpu0, 5, 60000, 12, 2);
	fake_add_stream(t, 0, 7);
	run(t, 2, false, NULL, &s);
	assert_int_equal(s.count, 4);
	assert_true(s.have_time && s.first == 5 && s.last == 30);
	assert_true(s.gaps == 3 && s.uncounted_gaps == 1 && s.lost == 6);
	assert_int_equal(s.events.len, 3);
	assert_int_equal(s.events.data[0].id, 2);
	assert_int_equal(s.events.data[0].count, 2);
	assert_int_equal(s.events.data[0].first, 20);
	assert_int_equal(s.events.data[0].last, 30);
	assert_int_equal(s.events.data[2].id, 60000);
	assert_int_equal(s.cpus.len, 3);
	assert_int_equal(s.cpus.data[0].cpu, 3);
	assert_int_equal(s.cpus.data[0].count, 3);
	assert_int_equal(s.cpus.data[2].cpu, 7);
	assert_int_equal(s.cpus.data[2].count, 0);
	assert_true(s.have_tasks);
	assert_int_equal(s.tasks.len, 3);
	assert_int_equal(s.tasks.data[0].pid, 77);
	assert_int_equal(s.tasks.data[0].count, 2);
	assert_int_equal(s.tasks.data[1].pid, 0);
}

static void counting_clocks_give_no_time(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_stats_finish) struct kft_stats s = {};

	fake_add_event(fake_add_stream(t, 0, 0), 1, 1, 1, 0);
	t->buffers.data[0].clock.unit = KFT_CLOCK_COUNT;
	run(t, 1, false, NULL, &s);
	assert_false(s.have_time);
	kft_stats_finish(&s);
	fake_add_event(fake_add_stream(t, 1, 0), 500, 1, 1, 0);
	run(t, 1, false, NULL, &s);
	assert_true(s.have_time && s.first == 500 && s.last == 500);
	assert_int_equal(s.count, 2);
}

static void a_failing_stream_is_counted_up_to_there(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_stats_finish) struct kft_stats s = {};
	struct fake_stream *f = fake_add_stream(t, 0, 0);

	fake_add_event(f, 1, 1, 1, 0);
	f->end = -EIO;
	run(t, 1, false, NULL, &s);
	assert_int_equal(s.count, 1);
	assert_int_equal(f->s.damage_count, 1);
	assert_null(f->s.wanted);
}

static void an_empty_trace_has_empty_statistics(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = fake_trace();
	_cleanup_(kft_stats_finish) struct kft_stats s = {};

	run(t, 0, false, NULL, &s);
	assert_int_equal(s.count, 0);
	assert_int_equal(s.cpus.len, 0);
	assert_false(s.have_time);
}

/* Each exit says how many calls of its task there was no room for so far. */
static void calls_that_were_too_deep_are_counted(void **state)
{
	struct boot_trace *b = *state;
	static const struct kft_scope scopes[] = {{}, {.since = 1050}, {.until = 950}};
	static const uint64_t expected[] = {150, 7, 0};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		boot_add_exit(b, cpu, 900, 7 + (int32_t)cpu, 0x1000, 5);
		boot_add_exit(b, cpu, 1000, 7 + (int32_t)cpu, 0x1000, 5);
		boot_add_exit(b, cpu, 1100, 7 + (int32_t)cpu, 0x1000, 5);
	}
	b->records[0][1].f.overrun = 136;
	b->records[0][2].f.overrun = 143;
	b->records[1][2].f.overrun = 7;
	b->records[1][2].f.depth = 48;
	for (size_t i = 0; i < ARRAY_SIZE(scopes); i++) {
		_cleanup_(kft_stats_finish) struct kft_stats s = {};

		run(b->trace, 2, false, &scopes[i], &s);
		assert_int_equal(s.too_deep, expected[i]);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(calls_that_were_too_deep_are_counted,
					boot_trace_setup, boot_trace_teardown),
	cmocka_unit_test(threads_change_no_result),
	cmocka_unit_test(what_is_overwritten_on_purpose_is_no_loss),
	cmocka_unit_test(everything_is_counted_once),
	cmocka_unit_test(counting_clocks_give_no_time),
	cmocka_unit_test(a_failing_stream_is_counted_up_to_there),
	cmocka_unit_test(an_empty_trace_has_empty_statistics),
};

T_MAIN(tests)
