/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_CPUSTAT_H
#define KFT_FILE_TRACEDAT_READ_CPUSTAT_H

#include "file/tracedat/read_state.h"

/*
 * One CPUSTAT option: "CPU: 3\n" and the text of per_cpu/cpu3/stats becomes one of the
 * trace's stats. "\nBuffer: NAME\n\n" says that those after it are of an instance. -ENOMEM.
 */
int kft_dat_read_cpustat(struct kft_dat_reader *d,
			 const struct kft_blob *text) __must_check;

#endif
