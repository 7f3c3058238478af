/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_IN_KERNEL_H
#define KFT_WATCH_IN_KERNEL_H

#include "derive/engine.h"
#include "watch/match.h"

/*
 * Conditions that the kernel can find itself (capture/tracefs/hist.h): then a watcher is given
 * an event for each interval over the limit, instead of all beginnings and ends.
 */

/* Whether the kernel is to find a condition. */
bool kft_in_kernel_is_found(const struct kft_conditions *conditions, size_t index);

/*
 * What the kernel may leave out of an event that a condition needs: what is of other
 * interrupts and calls. NULL: nothing; the caller frees it.
 */
char *kft_in_kernel_filter(const struct kft_condition *c, const char *event);

/* The event that tells of the index'th condition of this process, one for each way it can come. */
#define KFT_IN_KERNEL_NAME_MAX 64
void kft_in_kernel_name(size_t index, size_t way,
			char ret[static KFT_IN_KERNEL_NAME_MAX]);

/* Adds what the kernel is to find. */
int kft_in_kernel_plan(const struct kft_condition *c, size_t index, struct kft_plan *p,
		       struct kft_err *e) __must_check;

/* The classes and the fields of such events. */
#define KFT_IN_KERNEL_WAYS 3
struct kft_in_kernel {
	struct kft_in_kernel_way {
		const struct kft_class *cls; /* these borrow from the trace */
		const struct kft_field *lat;
		const struct kft_field *key;
	} ways[KFT_IN_KERNEL_WAYS];
	size_t n; /* 0: the kernel does not look for it */
};

/* -ENOENT when the trace has no such event. */
int kft_in_kernel_find(struct kft_trace *t, const struct kft_condition *c, size_t index,
		       struct kft_in_kernel *ret) __must_check;

/* The interval that an event tells of; false when it does not. pid: of the event. */
bool kft_in_kernel_interval(const struct kft_in_kernel *k,
			    const struct kft_interval_kind *kind,
			    const struct kft_event *ev, int32_t pid, bool swap,
			    struct kft_interval *ret);

#endif
