// SPDX-License-Identifier: LGPL-2.1-or-later
/* A pool of threads that run jobs from one queue. */
#include "base/pool.h"

#include <errno.h>
#include <pthread.h>

#include "base/thread.h"

struct kft_pool;

struct worker {
	struct kft_pool *pool; /* borrowed */
	pthread_t thread;
	unsigned int number;
};

struct kft_pool {
	pthread_mutex_t lock; /* protects the queue, the state of jobs, and stop */
	pthread_cond_t queued; /* signalled when a job is queued, or at stop */
	pthread_cond_t done; /* signalled when a job is done */
	struct kft_job *first; /* head of the queue; NULL: empty */
	struct kft_job **end; /* pointer to the link at the tail */
	bool stop;
	unsigned int n_threads;
	struct worker workers[KFT_POOL_THREADS_MAX];
};

/* Removes the job at *at from the queue. */
static struct kft_job *leave_queue(struct kft_pool *p, struct kft_job **at)
{
	struct kft_job *job = *at;

	*at = job->next;
	if (!*at)
		p->end = at;
	job->next = NULL;
	return job;
}

static struct kft_job **place_in_queue(struct kft_pool *p, const struct kft_job *job)
{
	struct kft_job **at = &p->first;

	while (*at != job)
		at = &(*at)->next;
	return at;
}

/* Called with the lock held; releases it while the job runs. */
static void run_job(struct kft_pool *p, struct kft_job **at, unsigned int worker)
{
	struct kft_job *job = leave_queue(p, at);

	job->state = KFT_JOB_RUNNING;
	(void)pthread_mutex_unlock(&p->lock);
	job->run(job, worker);
	(void)pthread_mutex_lock(&p->lock);
	job->state = KFT_JOB_DONE;
	(void)pthread_cond_broadcast(&p->done);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct kft_pool *p = w->pool;

	(void)pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (p->first)
			run_job(p, &p->first, w->number);
		else
			(void)pthread_cond_wait(&p->queued, &p->lock);
	}
	(void)pthread_mutex_unlock(&p->lock);
	return NULL;
}

static int start_workers(struct kft_pool *p, unsigned int count)
{
	int r = 0;

	for (unsigned int i = 0; i < count && r == 0; i++) {
		struct worker *w = &p->workers[i];

		w->pool = p;
		w->number = i;
		r = kft_thread_start(&w->thread, 0, work, w);
		p->n_threads += r == 0;
	}
	return p->n_threads || !count ? 0 : r;
}

int kft_pool_create(unsigned int threads, struct kft_pool **ret)
{
	struct kft_pool *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->end = &p->first;
	(void)pthread_mutex_init(&p->lock, NULL);
	(void)pthread_cond_init(&p->queued, NULL);
	(void)pthread_cond_init(&p->done, NULL);
	int r = start_workers(p, KFT_MIN(threads, KFT_POOL_THREADS_MAX));
	if (r < 0) {
		(void)kft_pool_destroy(p);
		return r;
	}
	*ret = p;
	return 0;
}

struct kft_pool *kft_pool_destroy(struct kft_pool *p)
{
	if (!p)
		return NULL;
	(void)pthread_mutex_lock(&p->lock);
	p->stop = true;
	(void)pthread_cond_broadcast(&p->queued);
	(void)pthread_mutex_unlock(&p->lock);
	for (unsigned int i = 0; i < p->n_threads; i++)
		(void)pthread_join(p->workers[i].thread, NULL);
	(void)pthread_cond_destroy(&p->queued);
	(void)pthread_cond_destroy(&p->done);
	(void)pthread_mutex_destroy(&p->lock);
	free(p);
	return NULL;
}

unsigned int kft_pool_threads(const struct kft_pool *p)
{
	return p->n_threads;
}

void kft_pool_submit(struct kft_pool *p, struct kft_job *job)
{
	(void)pthread_mutex_lock(&p->lock);
	job->state = KFT_JOB_QUEUED;
	job->next = NULL;
	*p->end = job;
	p->end = &job->next;
	(void)pthread_cond_signal(&p->queued);
	(void)pthread_mutex_unlock(&p->lock);
}

void kft_pool_wait(struct kft_pool *p, struct kft_job *job)
{
	(void)pthread_mutex_lock(&p->lock);
	while (job->state != KFT_JOB_DONE && job->state != KFT_JOB_IDLE) {
		if (job->state == KFT_JOB_QUEUED)
			run_job(p, place_in_queue(p, job), p->n_threads);
		else if (p->first)
			run_job(p, &p->first, p->n_threads);
		else
			(void)pthread_cond_wait(&p->done, &p->lock);
	}
	job->state = KFT_JOB_IDLE;
	(void)pthread_mutex_unlock(&p->lock);
}

bool kft_pool_is_done(struct kft_pool *p, struct kft_job *job)
{
	(void)pthread_mutex_lock(&p->lock);
	bool is_done = job->state == KFT_JOB_DONE;
	if (is_done)
		job->state = KFT_JOB_IDLE;
	(void)pthread_mutex_unlock(&p->lock);
	return is_done;
}

bool kft_pool_cancel(struct kft_pool *p, struct kft_job *job)
{
	(void)pthread_mutex_lock(&p->lock);
	if (job->state == KFT_JOB_QUEUED) {
		(void)leave_queue(p, place_in_queue(p, job));
		job->state = KFT_JOB_IDLE;
	}
	while (job->state == KFT_JOB_RUNNING)
		(void)pthread_cond_wait(&p->done, &p->lock);
	bool is_done = job->state == KFT_JOB_DONE;
	job->state = KFT_JOB_IDLE;
	(void)pthread_mutex_unlock(&p->lock);
	return is_done;
}
