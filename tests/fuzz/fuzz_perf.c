// SPDX-License-Identifier: GPL-2.0-only
/* Whole perf.data files. */
#include "trace.h"

#include "file/perf/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, kft_perf_open);
}
