/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* Causes that kft why distinguishes; docs/why.md has the rules. */
enum kft_why_cause {
	KFT_WHY_RUN, /* the task itself runs */
	KFT_WHY_DEP, /* a task on which it waits runs */
	KFT_WHY_BUSY, /* a task runs on the explained CPU */
	KFT_WHY_FAULT,
	KFT_WHY_RECLAIM, /* direct or memcg reclaim by a task */
	KFT_WHY_SPIN, /* spinning on a lock */
	KFT_WHY_IRQ,
	KFT_WHY_SOFTIRQ,
	KFT_WHY_CALLBACK, /* callback of a timer */
	KFT_WHY_SILENT,
	KFT_WHY_STILL, /* no events on any busy CPU */
	KFT_WHY_CPU, /* runnable; another task has the CPU */
	KFT_WHY_HELD, /* the same, although a reschedule is due */
	KFT_WHY_THROTTLED,
	KFT_WHY_LIMITED, /* held back by a limit of its scheduling class */
	KFT_WHY_IDLE_EXIT, /* runnable; the idle CPU wakes up */
	KFT_WHY_WAY, /* from sched_waking to sched_wakeup */
	KFT_WHY_STOPPED,
	KFT_WHY_SLEEP, /* until the time that the task asked for */
	KFT_WHY_SLACK,
	KFT_WHY_TIMEOUT,
	KFT_WHY_TIMER,
	KFT_WHY_IO_QUEUE,
	KFT_WHY_IO_DEVICE,
	KFT_WHY_IO, /* before the request was queued */
	KFT_WHY_DEVICE,
	KFT_WHY_IDLE, /* nothing ran on the CPU */
	KFT_WHY_BLOCKED, /* the wake-up is not in the trace, or the chain is too long */
	KFT_WHY_LOST,
	KFT_WHY_UNKNOWN,

	KFT_WHY_CAUSES,
};

/* Confidence in a cause. */
enum kft_why_sure {
	KFT_WHY_MEASURED, /* events at both ends show it */
	KFT_WHY_LIKELY, /* inferred from nearby events */
	KFT_WHY_OPEN, /* the trace does not show the reason */
};

/* Classes of a task's time, which tables have as columns. */
enum kft_why_class {
	KFT_WHY_CLASS_RUNNING,
	KFT_WHY_CLASS_CPU, /* runnable: behind others, or held back */
	KFT_WHY_CLASS_TASKS, /* waiting for another task */
	KFT_WHY_CLASS_IO, /* waiting for a block device */
	KFT_WHY_CLASS_SLEEP, /* until a time */
	KFT_WHY_CLASS_DEVICE, /* waiting for another interrupt */
	KFT_WHY_CLASS_INTERRUPTED, /* on a CPU that did something else, or stood still */
	KFT_WHY_CLASS_OTHER, /* stopped, lost, not in the trace */

	KFT_WHY_CLASSES,
};

/* The class of the time of a task to which a cause happens. */
enum kft_why_class kft_why_class_of(enum kft_why_cause cause);

struct kft_why_cause_info {
	const char *key; /* identifier in machine-readable output */
	const char *title; /* description for people */
	enum kft_why_sure sure;
};

extern const struct kft_why_cause_info kft_why_causes[KFT_WHY_CAUSES];
