/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_PATH_H
#define KFT_ANALYSIS_WHY_PATH_H

#include "analysis/why_cause.h"
#include "analysis/why_facts.h"

#define KFT_WHY_NO_CPU UINT32_MAX

/* In what a task runs. */
enum kft_why_mode {
	KFT_WHY_MODE_UNKNOWN,
	KFT_WHY_MODE_SYSCALL, /* what: its number */
	KFT_WHY_MODE_WORK, /* what: the address of the function */
	KFT_WHY_MODE_USER,
	KFT_WHY_MODE_HANDLER, /* what: the signal; in user mode, or a system call from there */
	KFT_WHY_MODE_KERNEL, /* a thread of the kernel's own */
};

#define KFT_WHY_NO_PRIO INT32_MIN

/* What silence is of: of one CPU, while others had events. */
#define KFT_WHY_OTHERS_WORKED 1

/* A piece of the interval: its time has this cause. */
struct kft_why_segment {
	uint64_t begin;
	uint64_t end;
	enum kft_why_cause cause;
	enum kft_why_mode mode; /* of pid, where a task runs */
	int32_t pid; /* whose doing it is; -1: no task's */
	uint32_t cpu; /* KFT_WHY_NO_CPU: none */
	uint64_t what; /* by cause and mode: a number, an address, a device */
	const struct kft_interval_kind *kind; /* of an interrupt, whose key what is */
	int32_t prio; /* of pid, and of who waits for it; or KFT_WHY_NO_PRIO */
	int32_t own_prio;
	uint32_t link; /* index into links: for whom the task waited; 0: for nobody */
};

/* The task that a waiting one was woken by, and that one's waker before it. */
struct kft_why_link {
	uint32_t up; /* index of the link that it is behind; 0: the task itself */
	int32_t pid;
	enum kft_why_mode mode; /* in what it was when it woke the other */
	uint64_t what;
	bool by_packet;
};

struct kft_why_path {
	const struct kft_why_facts *facts; /* borrowed */
	KFT_VEC(struct kft_why_segment) segments; /* tile the interval */
	KFT_VEC(struct kft_why_link) links; /* the first one is nobody */
	bool failed; /* out of memory */
};

/* An interval to be explained. */
struct kft_why_interval {
	uint64_t begin;
	uint64_t end;
	int32_t pid; /* whose time it is; -1: that of the CPU */
	uint32_t cpu;
	const struct kft_interval *irq; /* the interrupt that it is; NULL: none */
	bool is_late; /* a timer should have expired at its beginning */
	bool is_tick; /* that is the tick's */
	bool is_io; /* of a device, with the cause that it is */
	enum kft_why_cause io_cause;
	uint64_t dev;
};

/* -ENOMEM. Finished by the caller. */
int kft_why_path_find(const struct kft_why_facts *facts,
		      const struct kft_why_interval *interval,
		      struct kft_why_path *ret) __must_check;
void kft_why_path_finish(struct kft_why_path *p);

#endif
