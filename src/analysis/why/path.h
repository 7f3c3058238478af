/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/cause.h"
#include "analysis/why/facts.h"

#define KFT_WHY_NO_CPU UINT32_MAX

/* The context in which a task runs. Comments give the meaning of the segment's `what`. */
enum kft_why_mode {
	KFT_WHY_MODE_UNKNOWN,
	KFT_WHY_MODE_SYSCALL, /* number of the call */
	KFT_WHY_MODE_WORK, /* address of the function */
	KFT_WHY_MODE_USER,
	/* number of the signal; also for system calls of the handler */
	KFT_WHY_MODE_HANDLER,
	KFT_WHY_MODE_KERNEL, /* a kernel thread */
};

#define KFT_WHY_NO_PRIO INT32_MIN

/* A segment's `what` for silence of one CPU while others had events. */
#define KFT_WHY_OTHERS_WORKED 1

/* A part of the interval that has one cause. */
struct kft_why_segment {
	uint64_t begin;
	uint64_t end;
	enum kft_why_cause cause;
	enum kft_why_mode mode; /* context of pid, if it runs */
	int32_t pid; /* the task that causes it; -1: none */
	uint32_t cpu; /* KFT_WHY_NO_CPU: none */
	uint64_t what; /* number, address or device, depending on cause and mode */
	/* kind of the interrupt with the key `what` */
	const struct kft_interval_kind *kind;
	int32_t prio; /* priority of pid, or KFT_WHY_NO_PRIO */
	int32_t own_prio; /* priority of the task that waits, or KFT_WHY_NO_PRIO */
	uint32_t link; /* index into links: the waker for which the task waits; 0: none */
	uint32_t row; /* index into kft_why.rows */
};

/* A member of a blocking chain: a task for which another one waits. */
struct kft_why_link {
	uint32_t up; /* index of the link of the task that waits; 0: the explained task */
	int32_t pid;
	enum kft_why_mode mode; /* its context at the wake-up */
	uint64_t what;
	bool by_packet;
};

struct kft_why_path {
	const struct kft_why_facts *facts; /* borrowed */
	KFT_VEC(struct kft_why_segment) segments; /* cover the interval without overlap */
	KFT_VEC(struct kft_why_link) links; /* index 0 is a placeholder */
	bool failed; /* out of memory */
};

/* An interval to be explained. */
struct kft_why_interval {
	uint64_t begin;
	uint64_t end;
	int32_t pid; /* the task to explain; -1: the CPU */
	uint32_t cpu;
	const struct kft_interval *irq; /* the interrupt to explain; NULL: none */
	bool is_command; /* the run of the command that was recorded */
	bool is_late; /* a timer was due at begin and expired at end */
	bool is_tick; /* the timer is the tick */
	bool is_io; /* a block request, with io_cause and dev */
	enum kft_why_cause io_cause;
	uint64_t dev;
};

/*
 * Finds the causes of an interval. Fails with -ENOMEM. The caller calls
 * kft_why_path_finish() after success.
 */
int kft_why_path_find(const struct kft_why_facts *facts,
		      const struct kft_why_interval *interval,
		      struct kft_why_path *ret) __must_check;
void kft_why_path_finish(struct kft_why_path *p);
