// SPDX-License-Identifier: GPL-2.0-only
/* The format text of an event class, for a kernel of 64 bits and one of 32. */
#include "fuzz.h"

#include <string.h>

#include "decode/format.h"

static void check_field(const struct kft_field *f)
{
	FUZZ_ASSERT(f->name && *f->name && f->type);
	FUZZ_ASSERT(f->offset + f->size <= KFT_FORMAT_END_MAX);
	FUZZ_ASSERT(f->elem_size == 1 || f->elem_size == 2 || f->elem_size == 4 ||
		    f->elem_size == 8);
	FUZZ_ASSERT(f->kind != KFT_FIELD_INT || f->place == KFT_FIELD_INLINE);
	FUZZ_ASSERT((f->place != KFT_FIELD_DATA_LOC && f->place != KFT_FIELD_REL_LOC) ||
		    f->size >= sizeof(uint32_t));
}

static void parse(const char *text, size_t size, uint32_t long_size)
{
	struct kft_arena arena = {};
	struct kft_class c;

	if (kft_format_parse("fuzz", text, size, long_size, NULL, &arena, &c) == 0) {
		FUZZ_ASSERT(c.name && *c.name && c.print_fmt);
		FUZZ_ASSERT(c.n_common <= c.n_fields &&
			    c.n_fields <= KFT_FORMAT_FIELD_MAX);
		for (uint32_t i = 0; i < c.n_fields; i++)
			check_field(&c.fields[i]);
		const struct kft_class_text like = {.text = text, .len = size, .cls = &c};
		struct kft_class again;

		FUZZ_ASSERT(kft_format_parse("fuzz", text, size, long_size, &like, &arena,
					     &again) == 0 &&
			    again.n_fields == c.n_fields);
	}
	kft_arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	parse((const char *)data, size, 8);
	parse((const char *)data, size, 4);
	return 0;
}
