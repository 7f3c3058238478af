/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/* States of tasks: the keys of the kind "task". */
enum kft_task_state {
	KFT_TASK_RUNNING,
	KFT_TASK_PREEMPTED, /* it is runnable, but another task runs */
	KFT_TASK_WAITING, /* runnable: it was woken, and does not run yet */
	KFT_TASK_SLEEPING,
	KFT_TASK_BLOCKED, /* asleep, and no signal wakes it */
	KFT_TASK_STOPPED, /* by a signal */
	KFT_TASK_TRACED, /* stopped for a debugger, which lets it go on */
	KFT_TASK_DEAD,
};

/* The state of a task after it left its CPU, from sched_switch's prev_state. */
enum kft_task_state kft_task_state_when_off(uint64_t prev_state);
