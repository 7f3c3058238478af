/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/why/why.h"
#include "watch/cause.h"

/*
 * Finds and explains the interval that `kft why` explains first. For a snapshot taken by a
 * condition, the cause of the condition: 1, and *cause has to be finished after *found. For
 * another trace, or if the trace lacks that interval, the answer to ask: 0. ask limits the
 * number, length and task of intervals. *ret is valid as after kft_why_answer().
 */
int cli_why_answer_first(struct kft_trace *t, const struct kft_why_ask *ask, size_t rank,
			 struct kft_watch_cause *cause, struct kft_why_found *found,
			 struct kft_why *ret, struct kft_err *e) __must_check;
