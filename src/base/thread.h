/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>
#include <stddef.h>

#include "base/macro.h"

/* Stack of a thread that only moves bytes: a recording may have one for each CPU. */
#define KFT_THREAD_SMALL_STACK ((size_t)256 << 10)

/*
 * Does the same as pthread_create(), with all signals but SIGBUS blocked: signals are
 * for the program's own threads. SIGPIPE and SIGXFSZ become errors of write(2).
 * stack_bytes 0: the default. 0 or -errno.
 */
int kft_thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *),
		     void *arg) __must_check;

/* The number of threads that can run at the same time: the CPUs this process may use. */
unsigned int kft_threads_usable(void);
