// SPDX-License-Identifier: GPL-2.0-only
/* Intervals are counted by kind and key. */
#include "t.h"

#include "analysis/stats/interval_stats.h"
#include "fake_trace.h"

static int create(struct kft_trace *t, void **ret_state)
{
	*ret_state = NULL;
	return 0;
}

static void destroy(void *state)
{
}

/* Each interval is as long as its key; intervals with keys above 9 did not end. */
static int tell(const struct kft_interval_kind *kind, void *state,
		const struct kft_kind_input *in, const struct kft_interval_sink *sink)
{
	const struct kft_interval i = {.kind = kind,
				       .key = in->fields[0],
				       .begin_ns = in->ts - in->fields[0],
				       .end_ns = in->ts,
				       .flags = in->fields[0] > 9 ? KFT_INTERVAL_NOT_ENDED
								  : 0};

	return sink->take(sink->arg, &i);
}

static int flush(void *state, const struct kft_kind_input *in,
		 const struct kft_interval_sink *sink)
{
	return 0;
}

static const struct kft_kind_event events[] = {{"sched", "tick", {"a"}}, {}};

static const struct kft_interval_kind kind = {
	.name = "all",
	.events = events,
	.create = create,
	.feed = tell,
	.flush = flush,
	.destroy = destroy,
};

static const struct kft_kind_event moments[] = {{"sched", "wake", {"a"}}, {}};

static const struct kft_interval_kind instants = {
	.name = "instants",
	.is_instant = true,
	.events = moments,
	.create = create,
	.feed = tell,
	.flush = flush,
	.destroy = destroy,
};

static struct kft_interval_stats stats_of(bool is_exact)
{
	static const struct kft_interval_kind *const kinds[] = {&instants, &kind};
	const struct kft_interval_question question = {
		.kinds = kinds, .n_kinds = 2, .is_exact = is_exact};
	const struct kft_analysis_opts opts = {};
	struct kft_trace *t = fake_trace();
	struct fake_stream *s = fake_add_stream(t, 0, 0);
	struct kft_interval_stats stats = {};
	struct kft_err e;

	/* Field a, which is the key, numbers them. */
	for (unsigned int i = 0; i < 20; i++)
		fake_add_event(s, 100 + i, i == 5 ? 2 : 1, 7, 0);
	assert_int_equal(kft_interval_stats_run(t, &question, &opts, &stats, &e), 0);
	assert_int_equal(stats.list.len, 20);
	kft_trace_destroy(t);
	return stats;
}

static void only_what_has_ended_has_percentiles(void **state)
{
	for (int is_exact = 0; is_exact < 2; is_exact++) {
		struct kft_interval_stats stats = stats_of(is_exact);

		kft_vec_for_each(&stats.list, s) {
			bool ended = s->row.key < 10;
			bool takes_time = s->row.kind == &kind;

			assert_int_equal(s->count, ended);
			assert_int_equal(s->cut, !ended);
			for (int p = 0; p < KFT_PERCENTILES; p++)
				assert_int_equal(s->percentiles[p],
						 ended && takes_time ? s->row.key : 0);
		}
		kft_interval_stats_finish(&stats);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_has_ended_has_percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
