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

struct kft_why_cause_info {
	const char *key; /* identifier in machine-readable output */
	const char *title; /* description for people */
	enum kft_why_sure sure;
};

extern const struct kft_why_cause_info kft_why_causes[KFT_WHY_CAUSES];
