// SPDX-License-Identifier: GPL-2.0-only
/* Conditions on intervals, as `kft stats --where` takes them. */
#include "derive/kinds/kinds.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stats/interval_where.h"

/* Each condition decides about any interval, and always in the same way. */
static void check(const struct kft_interval_where *w, struct kft_trace *t)
{
	const struct kft_interval some[] = {
		{.kind = kft_interval_kinds[0]},
		{.kind = kft_interval_kind_find("irq"),
		 .key = 24,
		 .begin_ns = 5,
		 .end_ns = 5000005,
		 .value = 1,
		 .pid = 42,
		 .cpu = 3},
		{.kind = kft_interval_kind_find("syscall"),
		 .key = KFT_INTERVAL_NO_KEY,
		 .end_ns = UINT64_MAX,
		 .value = KFT_INTERVAL_NO_VALUE,
		 .pid = -1,
		 .cpu = UINT32_MAX},
	};

	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		FUZZ_ASSERT(kft_interval_where_match(w, t, &some[i]) ==
			    kft_interval_where_match(w, t, &some[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_interval_where_destroyp) struct kft_interval_where *w = NULL;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_free_ char *text = strndup((const char *)data, size);
	struct kft_err e = {};

	if (!text || kft_trace_create(&t) < 0)
		return 0;
	int r = kft_interval_where_parse(text, &w, &e);

	if (r < 0)
		FUZZ_ASSERT(e.code == r && *e.msg);
	else
		check(w, t);
	return 0;
}
