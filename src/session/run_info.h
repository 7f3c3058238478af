/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_INFO_H
#define KFT_SESSION_RUN_INFO_H

#include "session/run/trim.h"

/*
 * Adds the facts that KFT's log shows of a run to the trace's metadata: from its plan and
 * the records that belong to it, and from rec the id, and the time and cause of the end
 * if the records have none. -ENOMEM.
 */
int kft_run_keep_info(const struct kft_plan *plan, const struct kft_run_record *rec,
		      const struct kft_trim *trim, struct kft_trace *t,
		      struct kft_err *e) __must_check;

#endif
