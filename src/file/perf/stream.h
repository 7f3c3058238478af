/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/*
 * Adds a stream for each CPU to the trace's only buffer, in the order of p->cpus. A
 * tracepoint's samples are borrowed from the file's bytes as they are; other events are
 * made up (classes.h). A call chain follows its sample as the kernel_stack and user_stack
 * that ftrace would have recorded.
 *
 * A group of blocks that is out of order is sorted when it is short enough for memory;
 * longer ones are sorted in pieces, which becomes a note. -ENOMEM.
 */
int kft_perf_add_streams(struct kft_perf *p) __must_check;
