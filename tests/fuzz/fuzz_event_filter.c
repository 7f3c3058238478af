// SPDX-License-Identifier: GPL-2.0-only
/* A record and a filter of its fields: the first 64 bytes and the text behind them. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "model/event_filter.h"

#define RECORD_BYTES 64

static const struct kft_field fields[] = {
	{.name = "a", .offset = 8, .size = 4, .elem_size = 4, .is_signed = true},
	{.name = "b", .offset = 12, .size = 8, .elem_size = 8},
	{.name = "c", .offset = 20, .size = 1, .elem_size = 1},
	{.name = "s", .offset = 24, .size = 16, .elem_size = 1, .kind = KFT_FIELD_STRING},
	{.name = "d",
	 .offset = 40,
	 .size = 4,
	 .elem_size = 1,
	 .kind = KFT_FIELD_STRING,
	 .place = KFT_FIELD_DATA_LOC},
	{.name = "t",
	 .offset = 44,
	 .elem_size = 1,
	 .kind = KFT_FIELD_STRING,
	 .place = KFT_FIELD_TAIL},
	{.name = "l", .offset = 44, .size = 8, .elem_size = 4, .kind = KFT_FIELD_ARRAY},
};
static const struct kft_class cls = {.system = "fuzz",
				     .name = "fuzz",
				     .fields = fields,
				     .n_fields = ARRAY_SIZE(fields)};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kft_filter *f = NULL;
	struct kft_err e = {};

	if (size < RECORD_BYTES)
		return 0;
	char *text = strndup((const char *)data + RECORD_BYTES, size - RECORD_BYTES);
	if (!text)
		abort();
	int r = kft_filter_compile(text, &cls, &f, &e);
	FUZZ_ASSERT(r == 0 ? f != NULL : e.code == r && e.msg[0]);
	for (uint32_t n = 0; r == 0 && n <= RECORD_BYTES; n += 4) {
		struct kft_event ev = {.data = data, .size = n};

		(void)kft_filter_match(f, &ev, n & 4);
	}
	(void)kft_filter_destroy(f);
	free(text);
	return 0;
}
