/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"

/* How a call ended. */
enum kft_call_end {
	KFT_CALL_ENDED, /* dur_ns is known */
	KFT_CALL_OPEN, /* without a recorded exit: KFT's Delta of -1 */
	KFT_CALL_WATCHED, /* part of a call stack that was too deep: KFT's Delta of -2 */
};

/* Limit of the calls that are held in memory together. */
#define KFT_CALLS_MAX ((uint32_t)200 * 1000 * 1000)

#define KFT_CALL_IN_INTERRUPT (-1) /* pid of a call made by an interrupt */
#define KFT_CALL_NO_CPU	      (-1)

/*
 * One call of a function: a row of KFT's log. Functions are numbers in a struct
 * kft_intern that the owner of the calls keeps.
 */
struct kft_call {
	uint64_t entry_ns;
	uint64_t dur_ns; /* ns from entry to exit; 0 unless ended */
	enum kft_call_end end;
	int32_t pid; /* KFT_CALL_IN_INTERRUPT: the call was made by an interrupt */
	int32_t cpu; /* KFT_CALL_NO_CPU: unknown */
	uint32_t func;
	uint32_t caller; /* KFT_INTERN_NONE: unknown */
	/* Offset of the call instruction in the caller, in bytes; 0: unknown. */
	uint32_t caller_offset;
	/*
	 * Arguments as they stand in the log; borrowed until the next call; NULL: none.
	 */
	const char *args;
	size_t args_len;
};

/* The key of a stack of calls: idle tasks and interrupts have one for each CPU. */
static inline uint64_t kft_stack_key(int32_t pid, int32_t cpu)
{
	if (pid > 0)
		return (uint32_t)pid;
	return (UINT64_C(1) + (pid < 0)) << 32 | (uint32_t)cpu;
}
