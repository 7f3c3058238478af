// SPDX-License-Identifier: GPL-2.0-only
/* KPTrace's text. */
#include "trace.h"

#include "file/kpt/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, kft_kpt_open);
}
