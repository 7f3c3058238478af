/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/trace.h"

/*
 * Counts the calls that function_graph did not record because the return stack of their task
 * was full (model/overruns.h). Only the times and CPUs of a scope are used; NULL: the whole
 * trace. *ret is 0 for a trace without records of returns. -ENOMEM, and errors of reading.
 */
int kft_too_deep_count(struct kft_trace *t, const struct kft_scope *scope,
		       uint64_t *ret) __must_check;
