// SPDX-License-Identifier: GPL-2.0-only
/* Whole trace.dat files. */
#include "trace.h"

#include "file/tracedat/read/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, kft_tracedat_open);
}
