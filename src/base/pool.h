/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * A pool of threads that run jobs in the order of submission. All functions
 * may be called from several threads. Workers block all signals, which are for
 * the program's own threads.
 */
#define KFT_POOL_THREADS_MAX 64u

/*
 * One job, part of its owner's memory. A zeroed job is idle; the owner sets run before
 * submitting it, and the pool uses the other members.
 */
struct kft_job {
	/*
	 * worker: 0 to kft_pool_threads() - 1, or kft_pool_threads() for a
	 * thread in kft_pool_wait().
	 */
	void (*run)(struct kft_job *job, unsigned int worker);
	struct kft_job *next;
	enum { KFT_JOB_IDLE, KFT_JOB_QUEUED, KFT_JOB_RUNNING, KFT_JOB_DONE } state;
};

struct kft_pool;

/*
 * Creates a pool of up to `threads` workers; the system may allow fewer, but at
 * least one. With 0, all jobs run in the thread that waits. -ENOMEM, or the error
 * of creating the first thread.
 */
int kft_pool_create(unsigned int threads, struct kft_pool **ret) __must_check;
/* No job may be running or waited for; queued jobs are dropped. NULL is fine. */
struct kft_pool *kft_pool_destroy(struct kft_pool *p);
KFT_DEFINE_CLEANUP(struct kft_pool *, kft_pool_destroy)

unsigned int kft_pool_threads(const struct kft_pool *p);

/* Queues an idle job. The job must not move until it is waited for or cancelled. */
void kft_pool_submit(struct kft_pool *p, struct kft_job *job);

/*
 * Waits until the job is done; it is idle afterwards. Meanwhile the calling thread runs
 * jobs itself: this one if no worker has begun it, else other queued ones.
 */
void kft_pool_wait(struct kft_pool *p, struct kft_job *job);

/* Does the same if the job is done already; otherwise returns false at once. */
bool kft_pool_is_done(struct kft_pool *p, struct kft_job *job);

/*
 * Waits for the job like kft_pool_wait() if a worker has begun it; otherwise removes it
 * from the queue and returns false.
 */
bool kft_pool_cancel(struct kft_pool *p, struct kft_job *job);
