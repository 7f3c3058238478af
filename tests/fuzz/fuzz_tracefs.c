// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts of tracefs that a recorder reads. The first byte says which: 0 the counters of a
 * CPU, else an error_log.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/sources/filter.h"

static void fuzz_counts(const char *text)
{
	struct kft_cpu_counts c;

	if (kft_cpu_counts_parse(text, &c) == 0)
		FUZZ_ASSERT(c.now_max - c.now < 1000);
}

static void fuzz_error_log(const char *text)
{
	struct kft_strbuf what = {};
	size_t pos;

	if (kft_error_log_last(text, &what, &pos)) {
		FUZZ_ASSERT(pos <= strlen(text));
		FUZZ_ASSERT(what.len <= strlen(text));
	}
	kft_strbuf_finish(&what);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	char *text = strndup((const char *)data + 1, size - 1);
	if (!text)
		return 0;
	if (data[0])
		fuzz_error_log(text);
	else
		fuzz_counts(text);
	free(text);
	return 0;
}
