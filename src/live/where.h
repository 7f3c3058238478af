/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/stats/interval_where.h"
#include "live/condition.h"

/*
 * A condition on intervals for the programs of a kind: they test it when an interval ends, with r7
 * and r9 as live/emit.h has them.
 */
struct kft_live_where {
	const struct kft_interval_kind *kind; /* borrowed, like names */
	struct kft_trace *names;
};

/* The condition; w is borrowed by it. */
struct kft_live_condition kft_live_where_condition(const struct kft_interval_where *where,
						   const struct kft_live_where *w);
