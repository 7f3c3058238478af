// SPDX-License-Identifier: GPL-2.0-only
/* Rows that threads read ahead come in the order of kft_merge. */
#include "t.h"

#include <errno.h>

#include "derive/engine/ahead.h"
#include "fake_trace.h"
#include "model/merge.h"

struct seen {
	uint64_t *places; /* place_of() each */
	size_t len;
	size_t fail_at; /* the sink fails with -ENOSPC there; 0: nowhere */
};

static uint64_t place_of(uint32_t cpu, uint64_t ts)
{
	return (uint64_t)cpu << 48 | ts;
}

static int note(void *arg, const struct kft_interval *i)
{
	struct seen *s = arg;

	s->places[s->len++] = place_of(i->cpu, i->begin_ns);
	return s->len == s->fail_at ? -ENOSPC : 0;
}

static int create(struct kft_trace *t, void **ret_state)
{
	*ret_state = NULL;
	return 0;
}

static void destroy(void *state)
{
}

static int tell(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	const struct kft_interval i = {.kind = kind,
				       .key = in->fields[0],
				       .cpu = in->cpu,
				       .pid = in->pid,
				       .begin_ns = in->ts};

	assert_int_equal(in->fields[1], in->ts);
	return sink->take(sink->arg, &i);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return 0;
}

static const struct kft_kind_event events[] = {
	{"sched", "tick", {"a", "b"}}, {"sched", "wake", {"a", "b"}}, {}};

static const struct kft_interval_kind all = {
	.name = "all",
	.events = events,
	.create = create,
	.feed = tell,
	.flush = flush,
	.destroy = destroy,
};

static void add_stream(struct kft_trace *t, uint32_t cpu, size_t n_events)
{
	struct fake_stream *s = fake_add_stream(t, 0, cpu);
	uint64_t random = cpu + 1;
	uint64_t ts = cpu % 3;

	s->per_fill = 1 + cpu % 100;
	for (size_t i = 0; i < n_events; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		ts += random >> 62;
		fake_add_event(s, ts, 1 + random % 3, (int32_t)cpu, 0);
	}
}

/* Many events at equal times, in streams of different length; cpus are not in order of time. */
static struct kft_trace *trace_of(uint32_t n_cpus, size_t n_events)
{
	struct kft_trace *t = fake_trace();

	for (uint32_t cpu = 0; cpu < n_cpus; cpu++)
		add_stream(t, cpu, n_events * (1 + cpu % 5) / 5);
	return t;
}

/* The same from kft_merge. The third class is not asked for. */
static size_t merge_all(struct kft_trace *t, uint64_t *to)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t n = 0;

	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0)
		if (ev->id != 3)
			to[n++] = place_of(ev->cpu, ev->ts);
	return n;
}

static int run_ahead(struct kft_trace *t, struct seen *seen, unsigned int n_readers)
{
	static const struct kft_interval_kind *const kinds[] = {&all};
	_cleanup_(kft_engine_destroyp) struct kft_engine *engine = NULL;
	const struct kft_interval_sink sink = {note, seen};
	const struct kft_scope scope = {};

	assert_int_equal(kft_engine_create(t, kinds, 1, &sink, &engine), 0);
	return kft_ahead_run(t, &scope, engine, n_readers);
}

/* Compares all events of t, at most n_max, and destroys it. */
static void check_order_of(struct kft_trace *t, size_t n_max)
{
	uint64_t *merged = calloc(n_max + 1, sizeof(*merged));
	struct seen seen = {.places = calloc(n_max + 1, sizeof(*merged))};

	assert_non_null(merged);
	assert_non_null(seen.places);
	size_t n = merge_all(t, merged);

	for (unsigned int n_readers = 0; n_readers < 5; n_readers++) {
		seen.len = 0;
		assert_int_equal(run_ahead(t, &seen, n_readers), 0);
		assert_int_equal(seen.len, n);
		assert_memory_equal(seen.places, merged, n * sizeof(*merged));
	}
	free(merged);
	free(seen.places);
	kft_trace_destroy(t);
}

static void check_order(uint32_t n_cpus, size_t n_events)
{
	check_order_of(trace_of(n_cpus, n_events), n_cpus * n_events);
}

/* Streams of samples are short where those of events are long: they end in their first batch. */
static void one_stream_is_much_longer_than_all_others(void **state)
{
	const uint32_t n = 128;

	for (uint32_t longest = 0; longest < n; longest += n - 1) {
		struct kft_trace *t = fake_trace();

		for (uint32_t cpu = 0; cpu < n; cpu++)
			add_stream(t, cpu, cpu == longest ? FAKE_EVENTS_MAX : 3);
		check_order_of(t, FAKE_EVENTS_MAX + n * 3);
	}
}

static void rows_come_as_events_of_a_merge_do(void **state)
{
	check_order(1, 500);
	check_order(2, 500);
	check_order(7, 500);
	check_order(100, 500); /* several batches of each */
	check_order(300, 100);
}

static void a_trace_without_streams_has_no_rows(void **state)
{
	check_order(0, 0);
}

static void what_fails_ends_where_it_is(void **state)
{
	struct kft_trace *t = trace_of(3, 500);
	struct kft_stream *s = t->buffers.data[0].streams.data[1];
	uint64_t places[1500];
	struct seen seen = {.places = places};

	container_of(s, struct fake_stream, s)->end = -EIO;
	for (unsigned int n_readers = 0; n_readers < 3; n_readers++) {
		seen.len = 0;
		s->damage_count = 0;
		assert_int_equal(run_ahead(t, &seen, n_readers), 0);
		assert_in_range(seen.len, 200, 600);
		assert_int_equal(s->damage_count, 1);
	}
	kft_trace_destroy(t);
}

static void an_error_of_the_sink_ends_all(void **state)
{
	struct kft_trace *t = trace_of(100, 500);
	uint64_t places[100];

	for (unsigned int n_readers = 0; n_readers < 3; n_readers++) {
		struct seen seen = {.places = places, .fail_at = 100};

		assert_int_equal(run_ahead(t, &seen, n_readers), -ENOSPC);
		assert_int_equal(seen.len, 100);
	}
	kft_trace_destroy(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_as_events_of_a_merge_do),
		cmocka_unit_test(one_stream_is_much_longer_than_all_others),
		cmocka_unit_test(a_trace_without_streams_has_no_rows),
		cmocka_unit_test(what_fails_ends_where_it_is),
		cmocka_unit_test(an_error_of_the_sink_ends_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
