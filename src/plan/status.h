/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_STATUS_H
#define KFT_PLAN_STATUS_H

#include "base/strbuf.h"
#include "plan/run.h"

/* Where a run is in KFT's state machine. */
struct kft_run_state {
	uint32_t id; /* of the run: 0 for the first one of a session */
	bool primed;
	bool triggered;
	bool complete;
};

/*
 * The text that reading /proc/kft gave, in KFT's own layout, functions as they were
 * written in the configuration. Lines for what KFT did not have come last. Escaped.
 */
void kft_run_status_text(const struct kft_run_config *run, const struct kft_run_state *st,
			 struct kft_strbuf *sb);

#endif
