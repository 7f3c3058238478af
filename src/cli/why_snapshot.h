/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_WHY_SNAPSHOT_H
#define KFT_CLI_WHY_SNAPSHOT_H

#include "analysis/why_find.h"
#include "watch/cause.h"

/*
 * Finds what `kft why` explains first: of a snapshot that a condition took, what that came
 * for; 1 then, and *cause has to be finished after *ret. Of another trace, or where the
 * trace does not have it, what is furthest from its usual time: 0. ask says how many, and of
 * which length and task.
 */
int cli_why_find_first(struct kft_trace *t, const struct kft_why_ask *ask,
		       struct kft_watch_cause *cause, struct kft_why_found *ret,
		       struct kft_err *e) __must_check;

#endif
