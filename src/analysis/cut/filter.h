/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/cut.h"
#include "analysis/cut/record.h"
#include "base/vec.h"

/* The plan's filters that the kernel does not have. */
struct kft_cut_filter {
	const struct kft_plan *plan; /* borrowed */
	struct kft_trace *trace; /* borrowed */
	bool tasks_filtered; /* the kernel has done so */
	const struct kft_task_table *tasks; /* NULL: names of tasks do not matter */
	/* Addresses of functions of interrupts that are recorded with the flags of a task. */
	KFT_VEC(uint64_t) irq_funcs;
};

/* -ENOMEM */
int kft_cut_filter_init(struct kft_cut_filter *f, struct kft_trace *t,
			const struct kft_plan *plan, bool tasks_filtered) __must_check;
void kft_cut_filter_finish(struct kft_cut_filter *f);

bool kft_cut_filter_wants_task(const struct kft_cut_filter *f,
			       const struct kft_cut_record *ev);

/* The verdict on the context that a call was made in; otherwise: it passes. */
enum kft_verdict kft_cut_filter_place(const struct kft_cut_filter *f,
				      const struct kft_cut_record *ev,
				      enum kft_verdict otherwise);

/* The verdict on a call's context and duration. */
enum kft_verdict kft_cut_filter_call(const struct kft_cut_filter *f,
				     const struct kft_cut_record *exit,
				     enum kft_verdict otherwise);
