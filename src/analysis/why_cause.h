/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_CAUSE_H
#define KFT_ANALYSIS_WHY_CAUSE_H

#include <stdint.h>

/* What time is spent on, as kft why tells it apart: docs/why.md has the rules. */
enum kft_why_cause {
	KFT_WHY_RUN, /* the task itself */
	KFT_WHY_DEP, /* a task that it waited for, running */
	KFT_WHY_BUSY, /* whatever runs on the CPU that something waited for */
	KFT_WHY_FAULT,
	KFT_WHY_RECLAIM, /* a task makes memory free */
	KFT_WHY_SPIN, /* on a lock */
	KFT_WHY_IRQ,
	KFT_WHY_SOFTIRQ,
	KFT_WHY_CALLBACK, /* of a timer */
	KFT_WHY_SILENT,
	KFT_WHY_STILL, /* silence of all CPUs that had something to do */
	KFT_WHY_CPU, /* another task has the CPU */
	KFT_WHY_HELD, /* the same, and that should have left it */
	KFT_WHY_THROTTLED,
	KFT_WHY_LIMITED, /* by its scheduling class */
	KFT_WHY_IDLE_EXIT, /* the CPU was idle, and is not yet */
	KFT_WHY_WAY, /* a wake-up on its way to another CPU */
	KFT_WHY_STOPPED,
	KFT_WHY_SLEEP, /* as long as was asked */
	KFT_WHY_SLACK,
	KFT_WHY_TIMEOUT,
	KFT_WHY_TIMER,
	KFT_WHY_IO_QUEUE,
	KFT_WHY_IO_DEVICE,
	KFT_WHY_IO, /* before it was queued */
	KFT_WHY_DEVICE,
	KFT_WHY_IDLE, /* nothing ran on the CPU */
	KFT_WHY_BLOCKED, /* nothing is known of the wake-up */
	KFT_WHY_LOST,
	KFT_WHY_UNKNOWN,

	KFT_WHY_CAUSES,
};

/* How sure it is that this is the cause. */
enum kft_why_sure {
	KFT_WHY_MEASURED, /* events at both ends say so */
	KFT_WHY_LIKELY, /* from what is around it */
	KFT_WHY_OPEN, /* the trace cannot tell what it was */
};

struct kft_why_cause_info {
	const char *key; /* for programs */
	const char *title; /* of a row */
	enum kft_why_sure sure;
};

extern const struct kft_why_cause_info kft_why_causes[KFT_WHY_CAUSES];

#endif
