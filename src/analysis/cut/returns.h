/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/record.h"
#include "base/map.h"
#include "base/vec.h"

/*
 * A stop at an exit is recorded after the exit itself: the kernel calls functions to notice it,
 * and interrupts come in between. So many exits of a task are looked through to find it.
 */
#define KFT_CUT_RETURNS_REMEMBERED 32

struct kft_cut_return {
	uint64_t func;
	size_t at; /* index of the event */
	uint64_t ts;
};

struct kft_cut_task_returns {
	struct kft_cut_return last[KFT_CUT_RETURNS_REMEMBERED];
	size_t count; /* so far: the next one goes to count % KFT_CUT_RETURNS_REMEMBERED */
};

struct kft_cut_returns {
	struct kft_map by_pid; /* -> index + 1 into tasks */
	KFT_VEC(struct kft_cut_task_returns) tasks;
};

void kft_cut_returns_finish(struct kft_cut_returns *e);

/* at: index of the event. -ENOMEM. */
int kft_cut_returns_add(struct kft_cut_returns *e, const struct kft_cut_record *exit,
			size_t at) __must_check;

/* The return that fired a stop: the last one of its function in its task; NULL: none. */
const struct kft_cut_return *kft_cut_returns_find(const struct kft_cut_returns *e,
						  const struct kft_cut_record *stop);
