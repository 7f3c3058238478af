/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/perf/state.h"

/*
 * One pass over all records of a file: finds the file offsets of each CPU's records
 * (p->cpus), reads task names and, in pipe mode, the metadata. Memory is bounded by the
 * named limits of format.h, not by the file's length. Records that are not shown become
 * notes with their number; malformed ones become damage.
 *
 * -ENOMEM and the errors of kft_perf_unpack().
 */
int kft_perf_scan(struct kft_perf *p, struct kft_err *e) __must_check;
