// SPDX-License-Identifier: GPL-2.0-only
/* Expressions of `kft trace -e`. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "strace/choose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kft_strace_choice c;
	_cleanup_free_ char *text = strndup((const char *)data, size);
	struct kft_err e = {};

	/* Patterns are read by the C library. */
	if (!text || strchr(text, '/'))
		return 0;
	kft_strace_choice_init(&c);
	int r = kft_strace_choose(&c, text, &e);

	if (r < 0) {
		FUZZ_ASSERT(e.code == r && *e.msg);
		return 0;
	}
	/* Only "!" chooses the calls without a number in the tables. */
	FUZZ_ASSERT(c.all || c.others || !kft_strace_chooses(&c, KFT_TRACED_NATIVE, -1));
	FUZZ_ASSERT((c.status & ~(unsigned int)KFT_STRACE_ANY_STATUS) == 0);
	return 0;
}
