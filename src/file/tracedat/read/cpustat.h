/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/*
 * Reads one CPUSTAT option: "CPU: 3
 * " and the text of per_cpu/cpu3/stats become one of the trace's stats. After "
 * Buffer: NAME
 *
 * ", the following options belong to that instance. -ENOMEM.
 */
int kft_dat_read_cpustat(struct kft_dat_reader *d,
			 const struct kft_blob *text) __must_check;
