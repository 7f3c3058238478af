// SPDX-License-Identifier: GPL-2.0-only
/* Functions of programs: each is in the file, and has a name that is, too. */
#include "fuzz.h"

#include <string.h>

#include "decode/types/elf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t id[KFT_BUILD_ID_MAX];
	struct kft_elf_functions f;

	FUZZ_ASSERT(kft_elf_build_id(data, size, id) <= sizeof(id));
	if (kft_elf_code_names(data, size, data, size, &f) == 0) {
		for (size_t at = 0; at < size; at += 1 + size / 64) {
			const struct kft_elf_function *it = kft_elf_function_at(&f, at);

			FUZZ_ASSERT(!it || it->offset <= at);
		}
		kft_elf_functions_finish(&f);
	}
	if (kft_elf_functions(data, size, &f) < 0)
		return 0;
	kft_vec_for_each(&f.list, it) {
		FUZZ_ASSERT(it->offset < size);
		FUZZ_ASSERT((const uint8_t *)it->name > data &&
			    (const uint8_t *)it->name + strlen(it->name) < data + size);
	}
	kft_elf_functions_finish(&f);
	return 0;
}
