/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"
#include "watch/condition.h"

/*
 * Conditions that the kernel can find itself (tracefs/sources/hist.h): a watcher then
 * gets one event for each interval over the limit, instead of all beginnings and ends.
 */

/* Whether the kernel is to find the condition. */
bool kft_in_kernel_is_found(const struct kft_conditions *conditions, size_t index);

/*
 * A filter for an event that a condition needs: excludes other interrupts and system
 * calls. NULL: no filter; the caller frees it.
 */
char *kft_in_kernel_filter(const struct kft_condition *c, const char *event);

/*
 * The name of the event that reports the index'th condition of this process; each way in
 * which it can be met has one.
 */
#define KFT_IN_KERNEL_NAME_MAX 64
void kft_in_kernel_name(size_t index, size_t way,
			char ret[static KFT_IN_KERNEL_NAME_MAX]);

/* Adds the intervals that the kernel is to find to the plan. */
int kft_in_kernel_plan(const struct kft_condition *c, size_t index, struct kft_plan *p,
		       struct kft_err *e) __must_check;

/* The classes and fields of the events that report a condition. */
#define KFT_IN_KERNEL_WAYS 3
struct kft_in_kernel {
	struct kft_in_kernel_way {
		const struct kft_class *cls; /* these borrow from the trace */
		const struct kft_field *lat;
		const struct kft_field *key;
	} ways[KFT_IN_KERNEL_WAYS];
	size_t n; /* 0: the kernel does not find the condition */
};

/* -ENOENT when the trace lacks the event. */
int kft_in_kernel_find(struct kft_trace *t, const struct kft_condition *c, size_t index,
		       struct kft_in_kernel *ret) __must_check;

/*
 * Makes an interval from an event that reports a condition; false for any
 * other event. pid: the event's task.
 */
bool kft_in_kernel_interval(const struct kft_in_kernel *k,
			    const struct kft_interval_kind *kind,
			    const struct kft_event *ev, int32_t pid, bool swap,
			    struct kft_interval *ret);
