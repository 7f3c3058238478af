// SPDX-License-Identifier: GPL-2.0-only
/* Pairs of events that users name, as `kft stats --interval` takes them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "derive/kinds/user_pairs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_user_pair_destroyp) struct kft_interval_kind *kind = NULL;
	_cleanup_free_ char *text = strndup((const char *)data, size);
	struct kft_err e = {};
	void *state = NULL;

	if (!text)
		return 0;
	int r = kft_user_pair_parse(text, &kind, &e);

	if (r < 0) {
		FUZZ_ASSERT(e.code == r && *e.msg && !kind);
		return 0;
	}
	FUZZ_ASSERT(kind->name[0]);
	for (size_t i = 0; i < 2; i++) {
		const struct kft_kind_event *event = &kind->events[i];

		FUZZ_ASSERT(event->name && event->name[0]);
		for (size_t j = 0; j < KFT_KIND_FIELDS && event->fields[j]; j++)
			FUZZ_ASSERT(event->fields[j][0]);
	}
	FUZZ_ASSERT(!kind->events[2].name);
	if (kind->create(NULL, &state) == 0)
		kind->destroy(state);
	return 0;
}
