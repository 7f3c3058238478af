/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/*
 * Adds an empty buffer to the trace: name is cut at KFT_BUFFER_NAME_MAX, clock NULL
 * or unknown means the trace's. -EINVAL (and damage at the offset) when the page
 * size is impossible, -ENOMEM.
 */
int kft_dat_add_buffer(struct kft_dat_reader *d, const char *name, const char *clock,
		       uint32_t page_size, uint64_t offset, uint16_t *ret) __must_check;

/*
 * Adds a stream for each CPU of a table that has data. Ranges beyond the file's end and
 * repeated CPUs are damage. Sorts the table by CPU.
 */
int kft_dat_add_cpus(struct kft_dat_reader *d, uint16_t buffer, struct kft_dat_cpu *cpus,
		     size_t n, bool chunked) __must_check;
