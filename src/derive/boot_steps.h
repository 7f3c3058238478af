/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/trace.h"

/*
 * Steps of a boot (model/boot_steps.h) from records of the function tracer. It records
 * entries only: a step lasts until the next one is entered, or until initcalls of another
 * level begin.
 */
#define KFT_BOOT_STEPS_MAX 10000

struct kft_boot_step {
	const char *name; /* static */
	uint64_t start_ns; /* ns on the clock of the buffer */
	uint64_t dur_ns; /* ns until the next step, or level of initcalls */
	bool ended; /* false: neither of them came */
};

struct kft_boot_step_list {
	KFT_VEC(struct kft_boot_step) list; /* in the order of start_ns */
};

void kft_boot_steps_finish(struct kft_boot_step_list *s);

/*
 * Finds the steps of t in scope (borrowed; NULL: everything). The list is empty if there
 * are none. -ENOMEM, -E2BIG with more than KFT_BOOT_STEPS_MAX.
 */
int kft_boot_steps_find(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_step_list *ret) __must_check;
