/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_POOL_H
#define KFT_BASE_POOL_H

#include "base/macro.h"

/*
 * A pool of threads that run jobs in the order in which they were submitted. All functions
 * may be called from several threads. Workers block all signals: those are for the
 * program's own threads.
 */
#define KFT_POOL_THREADS_MAX 64u

/*
 * One piece of work, part of its owner's memory. Zeroed is one that was never submitted;
 * run is set before it is submitted, the rest is the pool's.
 */
struct kft_job {
	/* Numbers of workers begin at 0; kft_pool_threads() is a thread that waits. */
	void (*run)(struct kft_job *job, unsigned int worker);
	struct kft_job *next;
	enum { KFT_JOB_IDLE, KFT_JOB_QUEUED, KFT_JOB_RUNNING, KFT_JOB_DONE } state;
};

struct kft_pool;

/*
 * At most threads workers (0: none, all jobs run in who waits), fewer when the system
 * refuses more, but one. -ENOMEM, or what creating the first thread fails with.
 */
int kft_pool_create(unsigned int threads, struct kft_pool **ret) __must_check;
/* No job may be running or waited for; what is queued is not run. NULL is fine. */
struct kft_pool *kft_pool_destroy(struct kft_pool *p);
KFT_DEFINE_CLEANUP(struct kft_pool *, kft_pool_destroy)

unsigned int kft_pool_threads(const struct kft_pool *p);

/* The job is idle. It stays where it is until it is waited for or cancelled. */
void kft_pool_submit(struct kft_pool *p, struct kft_job *job);

/*
 * Until the job is done, and idle again. The calling thread does not sit idle: it runs the
 * job when no worker has begun it, else others that are queued.
 */
void kft_pool_wait(struct kft_pool *p, struct kft_job *job);

/* The same only when that takes no waiting; false otherwise. */
bool kft_pool_is_done(struct kft_pool *p, struct kft_job *job);

/* As wait, but what no worker has begun is left alone: false. */
bool kft_pool_cancel(struct kft_pool *p, struct kft_job *job);

#endif
