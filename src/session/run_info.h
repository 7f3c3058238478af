/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/cut.h"
#include "capture/session_state.h"

/*
 * Decides which of the trace's records belong to a run; probe_group and window are those of
 * struct kft_cut_opts. -ENOMEM, -EFBIG.
 */
int kft_run_cut(struct kft_trace *t, const struct kft_plan *plan,
		const struct kft_session_state *rec, const char *probe_group,
		const struct kft_cut_window *window, struct kft_cut *ret,
		struct kft_err *e) __must_check;

/*
 * Adds the facts that KFT's log shows of a run to the trace's metadata: from its plan and
 * the records that belong to it, and from rec the id, and the time and cause of the end
 * if the records have none. -ENOMEM.
 */
int kft_run_retention_info(const struct kft_plan *plan,
			   const struct kft_session_state *rec, const struct kft_cut *cut,
			   struct kft_trace *t, struct kft_err *e) __must_check;
