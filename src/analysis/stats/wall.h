/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "model/result.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Adds the time of threads to a result: of each thread how long it ran and waited, and all reasons.
 * People see top rows of each table; 0: all. The trace's symbols and tasks must be loaded before.
 * -ENODATA: no states of tasks are in scope.
 */
int kft_wall_stats(struct kft_trace *t, const struct kft_scope *scope, size_t top,
		   struct kft_result *result, struct kft_err *e) __must_check;
