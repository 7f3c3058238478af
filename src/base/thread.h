/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_THREAD_H
#define KFT_BASE_THREAD_H

#include <pthread.h>
#include <stddef.h>

#include "base/macro.h"

/* For a thread that only moves bytes: there may be one for each CPU. */
#define KFT_THREAD_SMALL_STACK ((size_t)256 << 10)

/*
 * As pthread_create(), with all signals but SIGBUS blocked: those are for the program's own
 * threads. What SIGPIPE and SIGXFSZ would tell is an error of write(2) then. stack_bytes 0: the
 * usual. -errno.
 */
int kft_thread_start(pthread_t *ret, size_t stack_bytes, void *(*run)(void *),
		     void *arg) __must_check;

/* How many threads can run at the same time: the CPUs that this process may use. */
unsigned int kft_threads_usable(void);

#endif
