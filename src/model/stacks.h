/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_STACKS_H
#define KFT_MODEL_STACKS_H

#include "base/intern.h"

/*
 * Stacks of frames with a weight: time, or how often. A frame is what is called in the frame
 * above it; equal stacks are one.
 */
#define KFT_STACKS_NONE UINT32_MAX

struct kft_stack_frame {
	uint32_t name; /* in kft_stacks.names */
	uint32_t parent; /* index; KFT_STACKS_NONE: an outermost one */
	uint32_t first_child; /* likewise, as the next one */
	uint32_t next; /* of the same parent */
	uint64_t weight; /* its own, without what is called in it */
};

struct kft_stacks {
	KFT_VEC(struct kft_stack_frame) frames; /* parents before their children */
	uint32_t first; /* outermost one */
	struct kft_intern names;
	struct kft_map by_place; /* parent + 1 and name -> index */
};

/* Empty; kft_stacks_finish() frees what is added. */
void kft_stacks_init(struct kft_stacks *s);
void kft_stacks_finish(struct kft_stacks *s);

/* The frame of a name in another one (KFT_STACKS_NONE: outermost), made if need be. -ENOMEM. */
int kft_stacks_frame(struct kft_stacks *s, uint32_t parent, uint32_t name,
		     uint32_t *ret) __must_check;

/* The same with the name as text. */
int kft_stacks_named(struct kft_stacks *s, uint32_t parent, const char *name, size_t len,
		     uint32_t *ret) __must_check;

#endif
