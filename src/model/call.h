/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_CALL_H
#define KFT_MODEL_CALL_H

#include "base/intern.h"

/* What is known of how a call ended. */
enum kft_call_end {
	KFT_CALL_ENDED, /* dur_ns says when */
	KFT_CALL_OPEN, /* its exit was not seen: KFT's Delta of -1 */
	KFT_CALL_WATCHED, /* part of a call stack that was too deep: KFT's Delta of -2 */
};

/* More calls than are kept in memory at a time, where something needs them all. */
#define KFT_CALLS_MAX ((uint32_t)200 * 1000 * 1000)

#define KFT_CALL_IN_INTERRUPT (-1) /* as pid */
#define KFT_CALL_NO_CPU	      (-1)

/*
 * One call of a function: KFT's log row. Functions are numbers in a struct kft_intern that
 * whoever handles calls has beside them.
 */
struct kft_call {
	uint64_t entry_ns;
	uint64_t dur_ns; /* from entry to exit; 0 unless ended */
	enum kft_call_end end;
	int32_t pid; /* KFT_CALL_IN_INTERRUPT: not the task's own doing */
	int32_t cpu; /* KFT_CALL_NO_CPU: not known */
	uint32_t func;
	uint32_t caller; /* KFT_INTERN_NONE: not known */
	uint32_t
		caller_offset; /* bytes into it, of the place of the call; 0: not known */
	/* Arguments as the log shows them; borrowed until the next call; NULL: none. */
	const char *args;
	size_t args_len;
};

#endif
