// SPDX-License-Identifier: GPL-2.0-only
/* A condition of --on: parsed, and the events that it needs. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "watch/match.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_plan_finish) struct kft_plan p = {};
	struct kft_condition c;
	struct kft_err e = {};
	char *text = strndup((const char *)data, size);

	if (!text)
		abort();
	int r = kft_condition_parse(text, &c, &e);
	free(text);
	FUZZ_ASSERT(r == 0 || (e.code == r && e.msg[0]));
	if (r < 0)
		return 0;
	const struct kft_conditions one = {&c, 1};
	FUZZ_ASSERT(c.actions.len > 0);
	r = kft_match_plan(&one, &p, &e);
	FUZZ_ASSERT(r == 0 ? p.n_events + p.n_probes > 0 : e.code == r && e.msg[0]);
	kft_condition_finish(&c);
	return 0;
}
