// SPDX-License-Identifier: GPL-2.0-only
/* Measures the rate of a set. */
#include "cli/sets_measure.h"

#include <kft/session.h>

#define MEASURE_MS 500

/* Lost events count for the rate, too. */
static int measure(struct kft_session *s, uint64_t *ret_per_s, struct kft_err *e)
{
	struct kft_progress p = {.size = sizeof(p)};
	int r = kft_session_start(s, e);

	if (r == 0)
		r = kft_session_wait(s, NULL, 0, MEASURE_MS, e);
	if (r >= 0)
		r = kft_session_stop(s, e);
	if (r == 0)
		r = kft_session_progress(s, &p);
	if (r == 0)
		*ret_per_s = (uint64_t)((double)(p.events + p.lost) * 1e9 /
					(double)p.elapsed_ns);
	return r;
}

int cli_sets_measure(struct kft_host *host, const kft_found_points *points,
		     uint64_t *ret_per_s, struct kft_err *e)
{
	const struct kft_session_opts opts = {.size = sizeof(opts), .host = host};
	struct kft_session *s = NULL;
	struct kft_plan plan = {.size = sizeof(plan)};
	int r = kft_sets_plan(points, &plan, e);

	if (r == 0)
		r = kft_session_open(&plan, &opts, &s, e);
	if (r == 0) {
		r = measure(s, ret_per_s, e);
		int closed = kft_session_close(s, r < 0 ? NULL : e);

		if (r == 0)
			r = closed;
	}
	kft_plan_finish(&plan);
	return r;
}
