// SPDX-License-Identifier: LGPL-2.1-or-later
/* Feeds a trace's streams to an analysis, by several threads or in time order. */
#include "analysis/analysis.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "derive/engine/ahead.h"
#include "base/err.h"
#include "base/thread.h"
#include "model/merge.h"

#define BATCH_EVENTS 512
#define THREADS_MAX  64

/*
 * Streams are split into parts, so that all threads have work even if the trace has few CPUs or
 * one CPU has most of the events. Each part costs a state, and reading the page before it.
 */
#define PART_BYTES (UINT64_C(8) << 20)
#define PARTS_MAX  64

/* One stream and the state that it is fed into. */
struct job {
	struct kft_stream *stream; /* borrowed; owned when it is a part */
	struct kft_stream *whole; /* the stream it is a part of; NULL: it is not a part */
	void *state; /* owned; NULL once it is joined */
	int result; /* 0, or the error that ended feeding */
	bool done; /* protected by the run's lock */
};

struct run {
	const struct kft_analysis *analysis;
	const void *arg; /* for create and needs */
	struct kft_scope scope;
	uint64_t wanted[KFT_ID_WORDS];
	uint64_t part_bytes; /* 0: streams stay whole */
	KFT_VEC(struct job) jobs;
	/* The next job to take. Relaxed: a job has one owner, and the lock orders all else. */
	atomic_size_t next;

	pthread_mutex_t lock; /* protects the members below and the jobs' done */
	void *answer; /* borrowed: the state that the others are joined to */
	size_t joined; /* number of leading jobs that were joined */
	int result; /* first error of feeding or joining, in the order of the jobs */
};

static void finish_run(struct run *r)
{
	kft_vec_for_each(&r->jobs, job) {
		if (job->state)
			r->analysis->destroy(job->state);
		if (job->whole)
			job->stream->ops->destroy(job->stream);
	}
	kft_vec_finish(&r->jobs);
}

/* Narrows the scope to the events that both the caller and the analysis want. */
static void set_wanted(struct run *r, struct kft_trace *t)
{
	if (!r->analysis->needs)
		return;
	r->analysis->needs(t, r->arg, r->wanted);
	for (size_t i = 0; r->scope.wanted && i < KFT_ID_WORDS; i++)
		r->wanted[i] &= r->scope.wanted[i];
	r->scope.wanted = r->wanted;
}

static int add_job(struct run *r, struct kft_trace *t, struct kft_stream *s,
		   struct kft_stream *whole)
{
	struct job job = {.stream = s, .whole = whole};

	s->whole = whole;
	int err = r->analysis->create(t, r->arg, &job.state);

	if (err >= 0 && kft_vec_push(&r->jobs, job))
		return 0;
	if (err >= 0)
		r->analysis->destroy(job.state);
	if (whole)
		s->ops->destroy(s);
	return err < 0 ? err : -ENOMEM;
}

/*
 * Adds a stream, in parts if it can be split. A scope with time limits keeps it whole, because
 * the limits are searched in the whole stream.
 */
static int add_stream(struct run *r, struct kft_trace *t, struct kft_stream *s)
{
	struct kft_stream *parts[PARTS_MAX];
	int n = 0;
	int err = 0;

	if (r->part_bytes && s->ops->split && !r->scope.since && !r->scope.until)
		n = s->ops->split(s, r->part_bytes, parts, PARTS_MAX);
	if (n <= 0)
		return n < 0 ? n : add_job(r, t, s, NULL);
	for (int i = 0; i < n; i++) {
		if (err < 0)
			parts[i]->ops->destroy(parts[i]);
		else
			err = add_job(r, t, parts[i], s);
	}
	return err;
}

static int collect_jobs(struct run *r, struct kft_trace *t)
{
	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			int err = 0;

			if (kft_scope_has_cpu(&r->scope, (*s)->cpu))
				err = add_stream(r, t, *s);
			if (err < 0)
				return err;
		}
	}
	return 0;
}

/* Returns 1 if the analysis took the stream's counts, 0 if the events have to be fed to it. */
static int feed_counts(struct run *r, struct job *job)
{
	_cleanup_(kft_counts_destroyp) struct kft_counts *c = NULL;

	if (!r->analysis->count)
		return 0;
	c = kft_counts_create();
	if (!c)
		return -ENOMEM;
	if (!kft_scope_count(&r->scope, job->stream, c))
		return 0;
	int err = r->analysis->count(job->state, job->stream, c);
	return err < 0 ? err : 1;
}

static int feed(const struct kft_analysis *a, void *state, const struct kft_event *evs,
		size_t n)
{
	return a->engine ? kft_engine_feed_all(a->engine(state), evs, n)
			 : a->feed(state, evs, n);
}

static int feed_events(struct run *r, struct job *job)
{
	struct kft_event evs[BATCH_EVENTS];
	uint64_t lost = 0;
	size_t n;

	while ((n = kft_scope_fill(&r->scope, job->stream, evs, BATCH_EVENTS, &lost))) {
		int err = feed(r->analysis, job->state, evs, n);

		if (err < 0)
			return err;
	}
	return 0;
}

static int feed_stream(struct run *r, struct job *job)
{
	if (!kft_scope_start(&r->scope, job->stream))
		return 0;
	int err = feed_counts(r, job);
	if (err == 0)
		err = feed_events(r, job);
	if (err < 0 || !r->analysis->end)
		return err < 0 ? err : 0;
	return r->analysis->end(job->state, job->stream);
}

/* Copies the damage and losses that reading a part found to its whole stream. */
static void take_notes(struct kft_stream *whole, const struct kft_stream *part)
{
	if (!whole->damage_count)
		whole->damage = part->damage;
	whole->damage_count += part->damage_count;
	whole->lost_after = part->lost_after;
}

/*
 * Marks a job as done and joins the finished jobs in order. A state is freed as soon as all
 * jobs before it are done, so that later states reuse its memory.
 */
static void finish_job(struct run *r, struct job *job)
{
	(void)pthread_mutex_lock(&r->lock);
	job->done = true;
	for (; r->joined < r->jobs.len && r->jobs.data[r->joined].done; r->joined++) {
		struct job *next = &r->jobs.data[r->joined];

		if (r->result >= 0)
			r->result = next->result;
		if (r->result >= 0)
			r->result = r->analysis->join(r->answer, next->state);
		r->analysis->destroy(TAKE(next->state));
		if (next->whole)
			take_notes(next->whole, next->stream);
	}
	(void)pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg)
{
	struct run *r = arg;

	for (;;) {
		size_t i = atomic_fetch_add_explicit(&r->next, 1, memory_order_relaxed);

		if (i >= r->jobs.len)
			return NULL;
		struct job *job = &r->jobs.data[i];
		job->result = feed_stream(r, job);
		/* wanted points into the run, which ends before the stream. */
		job->stream->wanted = NULL;
		finish_job(r, job);
	}
}

static unsigned int count_threads(unsigned int asked)
{
	unsigned int n = asked ? asked : kft_threads_usable();

	return KFT_MIN(n, (unsigned int)THREADS_MAX);
}

/* The calling thread works too, so one thread fewer is started. */
static void run_jobs(struct run *r, unsigned int n_threads)
{
	pthread_t threads[THREADS_MAX];
	unsigned int n = 0;

	while (n + 1 < n_threads && kft_thread_start(&threads[n], 0, work, r) == 0)
		n++;
	(void)work(r);
	while (n > 0)
		(void)pthread_join(threads[--n], NULL);
}

static int run_streams(struct run *r, struct kft_trace *t,
		       const struct kft_analysis_opts *opts, void *state)
{
	unsigned int threads = count_threads(opts->threads);

	r->part_bytes = opts->part_bytes;
	if (r->analysis->whole_streams)
		r->part_bytes = 0;
	else if (!r->part_bytes && threads > 1)
		r->part_bytes = PART_BYTES;
	int err = collect_jobs(r, t);
	if (err < 0)
		return err;
	r->answer = state;
	(void)pthread_mutex_init(&r->lock, NULL);
	run_jobs(r, KFT_MIN((size_t)threads, r->jobs.len));
	(void)pthread_mutex_destroy(&r->lock);
	return r->result;
}

static int feed_in_order(struct run *r, struct kft_trace *t, void *state)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int err = kft_merge_create(t, &r->scope, &m);

	while (!err && (err = kft_merge_next(m, &ev)) > 0)
		err = feed(r->analysis, state, ev, 1);
	return err;
}

static int run_in_order(struct run *r, struct kft_trace *t,
			const struct kft_analysis_opts *opts, void *state)
{
	unsigned int threads = count_threads(opts->threads);
	int err = r->analysis->engine
			  ? kft_ahead_run(t, &r->scope, r->analysis->engine(state),
					  threads - 1)
			  : feed_in_order(r, t, state);

	if (!r->analysis->end)
		return err;
	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			if (err >= 0 && kft_scope_has_cpu(&r->scope, (*s)->cpu))
				err = r->analysis->end(state, *s);
		}
	}
	return err;
}

int kft_analysis_run(const struct kft_analysis *a, struct kft_trace *t,
		     const struct kft_analysis_opts *opts, void **ret_state,
		     struct kft_err *e)
{
	struct run r = {.analysis = a, .arg = opts->arg};
	void *state;
	int err = a->create(t, opts->arg, &state);

	if (err < 0)
		return kft_err_sys(e, err, "cannot analyse the trace");
	if (opts->scope)
		r.scope = *opts->scope;
	set_wanted(&r, t);
	err = a->by_stream && !opts->in_order ? run_streams(&r, t, opts, state)
					      : run_in_order(&r, t, opts, state);
	finish_run(&r);
	if (err < 0) {
		a->destroy(state);
		return kft_err_sys(e, err, "cannot analyse the trace");
	}
	*ret_state = state;
	return 0;
}
