/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_INFO_H
#define KFT_SESSION_RUN_INFO_H

#include "session/run/trim.h"

/*
 * What KFT's log says of a run goes into the trace's metadata: from its plan and what was
 * judged to be part of it, and of rec the id, and when and why it ended if the records do
 * not tell. -ENOMEM.
 */
int kft_run_keep_info(const struct kft_plan *plan, const struct kft_run_record *rec,
		      const struct kft_trim *trim, struct kft_trace *t,
		      struct kft_err *e) __must_check;

#endif
