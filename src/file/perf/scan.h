/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_SCAN_H
#define KFT_FILE_PERF_SCAN_H

#include "file/perf/state.h"

/*
 * One pass over all records of a file: finds where each CPU's are (p->cpus), takes names
 * of tasks from them and, in pipe mode, what else the file says of itself. Memory is
 * bounded by the named limits of format.h, not by the file's length. What is not shown
 * becomes notes with its number, what is broken damage.
 *
 * -ENOMEM and what kft_perf_unpack() fails with.
 */
int kft_perf_scan(struct kft_perf *p, struct kft_err *e) __must_check;

#endif
