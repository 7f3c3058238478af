// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's BTF: all of it is walked, whatever it says. */
#include "fuzz.h"

#include "decode/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t n = 0;
	uint32_t id = 0;
	int counted = kft_btf_count(data, size, &n);

	/* A type takes 12 bytes. */
	FUZZ_ASSERT(counted < 0 || n <= size / 12);
	if (kft_btf_find(data, size, KFT_BTF_FUNC, "f", &id) == 0)
		FUZZ_ASSERT(id >= 1 && id <= size / 12);
	return 0;
}
