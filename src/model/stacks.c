// SPDX-License-Identifier: LGPL-2.1-or-later
/* Holds stacks of frames without duplicates. */
#include "model/stacks.h"

#include <errno.h>

/* Limit of frames; a trace with more is corrupt. */
#define FRAMES_MAX (1u << 24)

void kft_stacks_init(struct kft_stacks *s)
{
	*s = (struct kft_stacks){.first = KFT_STACKS_NONE};
}

void kft_stacks_finish(struct kft_stacks *s)
{
	kft_vec_finish(&s->frames);
	kft_intern_finish(&s->names);
	kft_map_finish(&s->by_place);
}

int kft_stacks_frame(struct kft_stacks *s, uint32_t parent, uint32_t name, uint32_t *ret)
{
	uint32_t outer = parent == KFT_STACKS_NONE ? 0 : parent + 1;
	uint64_t *slot = kft_map_put(&s->by_place, (uint64_t)outer << 32 | name);

	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		uint32_t *first = outer ? &s->frames.data[parent].first_child : &s->first;
		const struct kft_stack_frame frame = {.name = name,
						      .parent = parent,
						      .first_child = KFT_STACKS_NONE,
						      .next = *first};

		if (s->frames.len >= FRAMES_MAX)
			return -ENOMEM;
		*first = s->frames.len;
		if (!kft_vec_push(&s->frames, frame))
			return -ENOMEM;
		*slot = s->frames.len;
	}
	*ret = *slot - 1;
	return 0;
}

int kft_stacks_named(struct kft_stacks *s, uint32_t parent, const char *name, size_t len,
		     uint32_t *ret)
{
	uint32_t number;
	int r = kft_intern(&s->names, name, len, &number);

	return r < 0 ? r : kft_stacks_frame(s, parent, number, ret);
}
