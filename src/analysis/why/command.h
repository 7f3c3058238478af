/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/path.h"

/*
 * Finds the run of the command of `kft record -- COMMAND`: from its execve to its exit, or to the end
 * of the trace. Returns 1; 0 if the trace does not show it; a negative errno on failure. The caller
 * loads the names of tasks first.
 */
int kft_why_find_command(struct kft_trace *t, struct kft_why_interval *ret) __must_check;
