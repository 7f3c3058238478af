/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"
#include "model/meta.h"

/*
 * The types of the events that samples are written as. A sample is "perf:EVENT", called as the
 * event that it is taken of, followed by the stacks "ftrace:kernel_stack" and
 * "ftrace:user_stack", which all readers of trace.dat know. "perf:mmap", "perf:exec" and
 * "perf:fork" describe the address spaces of tasks.
 */
enum kft_perf_type {
	KFT_PERF_TYPE_SAMPLE,
	KFT_PERF_TYPE_MMAP,
	KFT_PERF_TYPE_EXEC,
	KFT_PERF_TYPE_FORK,
	KFT_PERF_TYPE_THROTTLE,
	KFT_PERF_TYPE_UNTHROTTLE,
	KFT_PERF_N_TYPES,
};

/* The layout of a stack's event, which differs between kernels. */
struct kft_perf_stack_format {
	uint16_t id;
	uint32_t callers; /* offset of the addresses in bytes */
	uint32_t size; /* offset of their number; 0: it is not in the event */
	uint32_t tgid; /* offset of the process; 0: it is not in the event */
};

struct kft_perf_formats {
	uint16_t ids[KFT_PERF_N_TYPES];
	struct kft_perf_stack_format kernel;
	struct kft_perf_stack_format user;
};

/*
 * Adds the formats to meta; those of stacks are the kernel's if the host has tracefs open.
 * event: the name of the event that is sampled. -ENOMEM.
 */
int kft_perf_formats_add(const struct kft_host *host, const char *event,
			 struct kft_meta *meta,
			 struct kft_perf_formats *ret) __must_check;

/* The events as they are in a page: in the order of bytes of this machine. */
struct kft_perf_common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct kft_perf_sample_event {
	struct kft_perf_common common;
	uint64_t ip;
	uint64_t period;
	int32_t tgid;
};

/* Bytes of the event: the struct has padding at its end. */
#define KFT_PERF_SAMPLE_BYTES 28

struct kft_perf_mmap_event {
	struct kft_perf_common common;
	int32_t tgid;
	uint32_t
		filename; /* offset in the lower 16 bits, length with the NUL in the upper ones */
	uint64_t addr;
	uint64_t len;
	uint64_t pgoff;
	uint64_t inode; /* 0: there is no file */
	uint32_t major; /* of the device that has it */
	uint32_t minor;
};

/* perf:exec has the process of the task only; perf:fork is about a new task. */
struct kft_perf_task_event {
	struct kft_perf_common common;
	int32_t tgid;
	int32_t tid;
	int32_t parent; /* process of the task that made it */
};

struct kft_perf_throttle_event {
	struct kft_perf_common common;
	uint64_t id;
};
