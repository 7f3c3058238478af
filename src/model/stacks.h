/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"

/*
 * Stacks of frames with a weight: time, or a count. A frame is called by its parent;
 * equal stacks share their frames.
 */
#define KFT_STACKS_NONE UINT32_MAX

struct kft_stack_frame {
	uint32_t name; /* number in kft_stacks.names */
	uint32_t parent; /* index; KFT_STACKS_NONE: an outermost frame */
	uint32_t first_child; /* index or KFT_STACKS_NONE, like next */
	uint32_t next; /* next child of the same parent */
	uint64_t weight; /* of the frame itself, without its children */
};

struct kft_stacks {
	KFT_VEC(struct kft_stack_frame) frames; /* parents before their children */
	uint32_t first; /* first outermost frame */
	struct kft_intern names;
	struct kft_map by_place; /* parent + 1 and name -> index */
};

/* Initializes an empty table; kft_stacks_finish() frees its content. */
void kft_stacks_init(struct kft_stacks *s);
void kft_stacks_finish(struct kft_stacks *s);

/*
 * Finds or adds the frame with a name in a parent (KFT_STACKS_NONE: outermost). -ENOMEM.
 */
int kft_stacks_frame(struct kft_stacks *s, uint32_t parent, uint32_t name,
		     uint32_t *ret) __must_check;

/* Finds or adds a frame like kft_stacks_frame(), with its name as text. */
int kft_stacks_named(struct kft_stacks *s, uint32_t parent, const char *name, size_t len,
		     uint32_t *ret) __must_check;
