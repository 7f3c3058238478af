/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_TRIM_FILTER_H
#define KFT_SESSION_RUN_TRIM_FILTER_H

#include "base/vec.h"
#include "session/run/trim.h"
#include "session/run/trim_event.h"

/* Those filters of a plan that the kernel does not have. */
struct kft_trim_filter {
	const struct kft_plan *plan; /* borrowed */
	struct kft_trace *trace; /* borrowed */
	bool tasks_filtered; /* the kernel has done so */
	const struct kft_task_table *tasks; /* NULL: names of tasks do not matter */
	/* Addresses of what is of interrupts and recorded as what they interrupted. */
	KFT_VEC(uint64_t) irq_funcs;
};

/* -ENOMEM */
int kft_trim_filter_init(struct kft_trim_filter *f, struct kft_trace *t,
			 const struct kft_plan *plan, bool tasks_filtered) __must_check;
void kft_trim_filter_finish(struct kft_trim_filter *f);

bool kft_trim_filter_wants_task(const struct kft_trim_filter *f,
				const struct kft_trim_event *ev);

/* What is wrong with where a call was made, if anything. */
enum kft_verdict kft_trim_filter_place(const struct kft_trim_filter *f,
				       const struct kft_trim_event *ev,
				       enum kft_verdict otherwise);

/* The same, and with how long it took. */
enum kft_verdict kft_trim_filter_call(const struct kft_trim_filter *f,
				      const struct kft_trim_event *exit,
				      enum kft_verdict otherwise);

#endif
