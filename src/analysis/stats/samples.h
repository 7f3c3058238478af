/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "model/result.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Adds the samples of a trace to a result: by function, each alone (self) and with all that it
 * called (total), by task and by CPU. Shares are of the periods or, if there are samples of
 * several events, of the samples. People see top rows; 0: all. The trace's symbols and tasks must be loaded before. -ENODATA:
 * the trace has no samples in scope.
 */
int kft_sample_stats(struct kft_trace *t, const struct kft_scope *scope, size_t top,
		     struct kft_result *result, struct kft_err *e) __must_check;
