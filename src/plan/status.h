/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "plan/run.h"

/* The state of a run in KFT's state machine. */
struct kft_run_state {
	uint32_t id; /* number of the run in its session, from 0 */
	bool primed;
	bool triggered;
	bool complete;
};

/*
 * The text of KFT's /proc/kft in its original layout, with functions as they are written
 * in the configuration. Lines for features that KFT lacked come last. Escaped.
 */
void kft_run_status_text(const struct kft_run_config *run, const struct kft_run_state *st,
			 struct kft_strbuf *sb);
