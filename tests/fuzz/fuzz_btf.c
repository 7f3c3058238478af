// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's BTF: all of it is walked, whatever it says, and paths through it are taken. */
#include "fuzz.h"

#include "decode/types/btf_fetch.h"

static void fetch(const struct kft_btf *btf, const char *function)
{
	static const char *const expressions[] = {"file->f_inode->i_ino", "a->b.c",
						  "file->list.name",	  "file->path",
						  "$arg1->f_inode",	  "f"};
	const struct kft_btf_fetch f = {btf, function, false, 8};

	for (size_t i = 0; i < ARRAY_SIZE(expressions); i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		int r = kft_btf_fetch(&f, expressions[i], &sb, NULL);

		FUZZ_ASSERT(r <= 0);
		FUZZ_ASSERT(r < 0 || strchr(kft_strbuf_cstr(&sb), '='));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t n = 0;
	uint32_t id = 0;
	int counted = kft_btf_count(data, size, &n);
	struct kft_btf btf;

	/* A type takes 12 bytes. */
	FUZZ_ASSERT(counted < 0 || n <= size / 12);
	if (kft_btf_find(data, size, KFT_BTF_FUNC, "f", &id) == 0)
		FUZZ_ASSERT(id >= 1 && id <= size / 12);
	int opened = kft_btf_open(data, size, &btf);
	FUZZ_ASSERT((opened < 0) == (counted < 0));
	if (opened < 0)
		return 0;
	FUZZ_ASSERT(btf.starts.len == n);
	fetch(&btf, "read");
	fetch(&btf, "f");
	kft_btf_close(&btf);
	return 0;
}
