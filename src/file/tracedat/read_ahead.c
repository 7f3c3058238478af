// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/tracedat/read_ahead.h"

#include <errno.h>
#include <signal.h>

#define MAX_THREADS 16u

struct kft_dat_ahead {
	struct kft_dat_decompressor *dec;
	pthread_mutex_t lock; /* for the queue, the jobs' state and stop */
	pthread_cond_t work; /* there is a job, or stop */
	pthread_cond_t done; /* a job is */
	struct kft_dat_ahead_job *first; /* of the queue; NULL: it is empty */
	struct kft_dat_ahead_job **end; /* where the next one goes */
	bool stop;
	pthread_t threads[MAX_THREADS];
	unsigned int n_threads;
};

static struct kft_dat_ahead_job *take(struct kft_dat_ahead *a)
{
	struct kft_dat_ahead_job *job = a->first;

	a->first = job->next;
	if (!a->first)
		a->end = &a->first;
	job->state = KFT_DAT_AHEAD_TAKEN;
	return job;
}

static void *work(void *arg)
{
	struct kft_dat_ahead *a = arg;

	(void)pthread_mutex_lock(&a->lock);
	for (;;) {
		while (!a->stop && !a->first)
			(void)pthread_cond_wait(&a->work, &a->lock);
		if (a->stop)
			break;
		struct kft_dat_ahead_job *job = take(a);
		(void)pthread_mutex_unlock(&a->lock);
		job->result = kft_dat_unpack(a->dec, &job->chunk, job->buf, &job->why);
		(void)pthread_mutex_lock(&a->lock);
		job->state = KFT_DAT_AHEAD_DONE;
		(void)pthread_cond_broadcast(&a->done);
	}
	(void)pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* The program's signals are for its own threads. At least one worker must start. */
static int start_threads(struct kft_dat_ahead *a, unsigned int n)
{
	sigset_t all;
	sigset_t old;
	int r = 0;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	while (a->n_threads < n && r == 0) {
		r = pthread_create(&a->threads[a->n_threads], NULL, work, a);
		a->n_threads += r == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return a->n_threads ? 0 : -r;
}

int kft_dat_ahead_create(struct kft_dat_decompressor *dec, unsigned int threads,
			 struct kft_dat_ahead **ret)
{
	struct kft_dat_ahead *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	a->dec = dec;
	a->end = &a->first;
	(void)pthread_mutex_init(&a->lock, NULL);
	(void)pthread_cond_init(&a->work, NULL);
	(void)pthread_cond_init(&a->done, NULL);
	int r = start_threads(a, KFT_MIN(threads, MAX_THREADS));
	if (r < 0) {
		(void)kft_dat_ahead_destroy(a);
		return r;
	}
	*ret = a;
	return 0;
}

struct kft_dat_ahead *kft_dat_ahead_destroy(struct kft_dat_ahead *a)
{
	if (!a)
		return NULL;
	(void)pthread_mutex_lock(&a->lock);
	a->stop = true;
	(void)pthread_cond_broadcast(&a->work);
	(void)pthread_mutex_unlock(&a->lock);
	for (unsigned int i = 0; i < a->n_threads; i++)
		(void)pthread_join(a->threads[i], NULL);
	(void)pthread_cond_destroy(&a->work);
	(void)pthread_cond_destroy(&a->done);
	(void)pthread_mutex_destroy(&a->lock);
	free(a);
	return NULL;
}

void kft_dat_ahead_start(struct kft_dat_ahead *a, struct kft_dat_ahead_job *job)
{
	(void)pthread_mutex_lock(&a->lock);
	job->state = KFT_DAT_AHEAD_QUEUED;
	job->next = NULL;
	*a->end = job;
	a->end = &job->next;
	(void)pthread_cond_signal(&a->work);
	(void)pthread_mutex_unlock(&a->lock);
}

static void leave_queue(struct kft_dat_ahead *a, struct kft_dat_ahead_job *job)
{
	struct kft_dat_ahead_job **at = &a->first;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	if (!*at)
		a->end = at;
}

bool kft_dat_ahead_finish(struct kft_dat_ahead *a, struct kft_dat_ahead_job *job)
{
	(void)pthread_mutex_lock(&a->lock);
	if (job->state == KFT_DAT_AHEAD_QUEUED)
		leave_queue(a, job);
	while (job->state == KFT_DAT_AHEAD_TAKEN)
		(void)pthread_cond_wait(&a->done, &a->lock);
	bool is_done = job->state == KFT_DAT_AHEAD_DONE;
	job->state = KFT_DAT_AHEAD_IDLE;
	(void)pthread_mutex_unlock(&a->lock);
	return is_done;
}
