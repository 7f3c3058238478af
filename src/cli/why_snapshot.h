/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/why/find.h"
#include "watch/cause.h"

/*
 * Finds the interval that `kft why` explains first. For a snapshot taken by a condition,
 * the cause of the condition: 1, and *cause has to be finished after *ret. For another
 * trace, or if the trace lacks that interval, those furthest above their usual length: 0.
 * ask limits their number, length and task.
 */
int cli_why_find_first(struct kft_trace *t, const struct kft_why_ask *ask,
		       struct kft_watch_cause *cause, struct kft_why_found *ret,
		       struct kft_err *e) __must_check;
