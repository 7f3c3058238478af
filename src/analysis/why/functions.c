// SPDX-License-Identifier: LGPL-2.1-or-later
/* Splits the time that tasks run by function, as the samples in it show. */
#include <errno.h>
#include <string.h>

#include "analysis/why/why.h"
#include "derive/engine/engine.h"
#include "derive/recorded_stacks.h"

/*
 * Fewer samples do not split the time that they are from: the standard error of a share of 20
 * samples is up to 11 % of that time.
 */
#define SAMPLES_MIN 20

/* A sample lies in the interrupt of its timer; others may have come right before that. */
#define INTERRUPTS_MAX 4

struct splitting {
	struct kft_why *w; /* borrowed */
	bool only_own;
	struct kft_why_functions *functions; /* of w */
	struct kft_intern
		runnings; /* struct running_key -> index in functions->runnings */
	struct kft_intern list; /* struct function_key -> index in functions->list */
	struct kft_strbuf text;
};

/* Tasks of one name count together: a build has many that run shortly. */
struct running_key {
	uint64_t what;
	uint32_t comm;
	uint16_t mode;
	uint16_t faults;
};

struct function_key {
	uint32_t running;
	uint32_t name;
};

static void splitting_finish(struct splitting *s)
{
	kft_intern_finish(&s->runnings);
	kft_intern_finish(&s->list);
	kft_strbuf_finish(&s->text);
}

static bool is_running(const struct kft_why_segment *s)
{
	return s->pid > 0 && (s->cause == KFT_WHY_RUN || s->cause == KFT_WHY_DEP ||
			      s->cause == KFT_WHY_BUSY || s->cause == KFT_WHY_FAULT);
}

bool kft_why_is_own_run(const struct kft_why *w, const struct kft_why_segment *s)
{
	return is_running(s) && !s->link && s->pid == w->interval.pid;
}

static bool is_split(const struct splitting *s, const struct kft_why_segment *segment)
{
	return s->only_own ? kft_why_is_own_run(s->w, segment) : is_running(segment);
}

static bool is_interrupt(const struct kft_why_segment *s)
{
	return s->cause == KFT_WHY_IRQ || s->cause == KFT_WHY_CALLBACK;
}

/* Finds or adds the running time that a segment is part of. */
static int running_of(struct splitting *s, const struct kft_why_segment *segment,
		      struct kft_why_running **ret)
{
	struct kft_why_functions *f = s->functions;
	const char *comm = kft_why_comm(s->w, segment->pid, segment->begin);
	struct running_key key = {
		.what = segment->what,
		.mode = (uint16_t)segment->mode,
		.faults = segment->cause == KFT_WHY_FAULT,
	};
	uint32_t at;
	int r = kft_intern(&f->names, comm, strlen(comm), &key.comm);

	if (r == 0)
		r = kft_intern(&s->runnings, (const char *)&key, sizeof(key), &at);
	if (r < 0)
		return r;
	const struct kft_why_running new = {
		.faults = key.faults,
		.mode = segment->mode,
		.what = key.what,
		.comm = key.comm,
	};
	if (at == f->runnings.len && !kft_vec_push(&f->runnings, new))
		return -ENOMEM;
	*ret = &f->runnings.data[at];
	return 0;
}

/* The name of the function; a file without symbols counts as one. */
static void add_name(struct kft_trace *t, const struct kft_why_sample *sample,
		     struct kft_strbuf *sb)
{
	struct kft_user_symbol user;

	if (kft_is_kernel_address(t, sample->ip))
		kft_key_function(t, sample->ip, sb);
	else if (!t->user_symbol ||
		 !t->user_symbol(t, (uint32_t)sample->pid, sample->ip, sample->ts, &user))
		kft_strbuf_adds(sb, "[unknown]");
	else
		kft_user_symbol_add_function(&user, sb);
}

static int add_sample(struct splitting *s, const struct kft_why_sample *sample,
		      struct kft_why_running *running)
{
	struct kft_why_functions *f = s->functions;
	struct function_key key = {.running = (uint32_t)(running - f->runnings.data)};
	uint32_t at;

	kft_strbuf_clear(&s->text);
	add_name(s->w->trace, sample, &s->text);
	int r = kft_intern(&f->names, kft_strbuf_cstr(&s->text), s->text.len, &key.name);
	if (r == 0)
		r = kft_intern(&s->list, (const char *)&key, sizeof(key), &at);
	if (r < 0)
		return r;
	const struct kft_why_function new = {.running = key.running, .name = key.name};
	if (at == f->list.len && !kft_vec_push(&f->list, new))
		return -ENOMEM;
	f->list.data[at].samples++;
	f->list.data[at].weight += sample->weight;
	running->samples++;
	running->weight += sample->weight;
	f->samples++;
	return 0;
}

/* The segment in which a task was interrupted for a sample in segment i; NULL: it is not explained. */
static const struct kft_why_segment *interrupted(const struct splitting *s, size_t i,
						 const struct kft_why_sample *sample)
{
	const struct kft_why_segment *segments = s->w->path.segments.data;

	for (int n = 0; n < INTERRUPTS_MAX && is_interrupt(&segments[i]) && i > 0; n++)
		i--;
	return is_split(s, &segments[i]) && segments[i].pid == sample->pid ? &segments[i]
									   : NULL;
}

/* Samples and segments are both in the order of time. */
static int add_samples(struct splitting *s)
{
	const struct kft_why *w = s->w;
	size_t i = 0;
	int r = 0;

	for (size_t n = 0; n < w->facts.samples.len && r == 0; n++) {
		const struct kft_why_sample *sample = &w->facts.samples.data[n];
		struct kft_why_running *running;

		while (i < w->path.segments.len &&
		       w->path.segments.data[i].end <= sample->ts)
			i++;
		if (i == w->path.segments.len)
			break;
		if (w->path.segments.data[i].begin > sample->ts)
			continue;
		const struct kft_why_segment *of = interrupted(s, i, sample);
		r = of ? running_of(s, of, &running) : 0;
		if (r == 0 && of)
			r = add_sample(s, sample, running);
	}
	return r;
}

static int add_segments(struct splitting *s)
{
	kft_vec_for_each(&s->w->path.segments, segment) {
		struct kft_why_running *running;

		if (!is_split(s, segment))
			continue;
		int r = running_of(s, segment, &running);
		if (r < 0)
			return r;
		running->total_ns += segment->end - segment->begin;
	}
	return 0;
}

static uint64_t part_of(uint64_t total_ns, uint64_t weight, uint64_t of)
{
	return (uint64_t)((double)total_ns * ((double)weight / (double)of));
}

/* Rounds the sums up to each function, so that the times of all add up to the total. */
static void estimate(struct kft_why_functions *f, uint32_t of)
{
	const struct kft_why_running *running = &f->runnings.data[of];
	uint64_t before = 0;
	uint64_t weight = 0;

	kft_vec_for_each(&f->list, it) {
		if (it->running != of)
			continue;
		weight += it->weight;
		uint64_t until = part_of(running->total_ns, weight, running->weight);
		it->ns = until - before;
		before = until;
	}
}

static int compare(const void *pa, const void *pb)
{
	const struct kft_why_function *a = pa;
	const struct kft_why_function *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->running != b->running)
		return a->running < b->running ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static bool has_enough(const struct kft_why_running *running)
{
	return running->samples >= SAMPLES_MIN;
}

static void finish_list(struct kft_why_functions *f)
{
	size_t n = 0;

	for (uint32_t i = 0; i < f->runnings.len; i++) {
		if (has_enough(&f->runnings.data[i]))
			estimate(f, i);
		else
			f->unsplit_ns += f->runnings.data[i].total_ns;
	}
	kft_vec_for_each(&f->list, it)
		if (has_enough(&f->runnings.data[it->running]))
			f->list.data[n++] = *it;
	f->list.len = n;
	if (n)
		qsort(f->list.data, n, sizeof(*f->list.data), compare);
}

int kft_why_split_running(struct kft_why *w, bool only_own)
{
	_cleanup_(splitting_finish) struct splitting s = {
		.w = w, .functions = &w->functions, .only_own = only_own};

	if (!w->facts.samples.len)
		return 0;
	int r = add_segments(&s);
	if (r == 0)
		r = add_samples(&s);
	if (r == 0)
		finish_list(&w->functions);
	return r;
}

const struct kft_why_running *kft_why_running_of(const struct kft_why *w,
						 const struct kft_why_segment *s)
{
	const struct kft_why_functions *f = &w->functions;
	const char *comm = kft_why_comm(w, s->pid, s->begin);

	if (!is_running(s))
		return NULL;
	kft_vec_for_each(&f->runnings, it)
		if (it->mode == s->mode && it->what == s->what &&
		    it->faults == (s->cause == KFT_WHY_FAULT) &&
		    strcmp(kft_intern_text(&f->names, it->comm), comm) == 0)
			return it;
	return NULL;
}

const struct kft_why_function *kft_why_top_function(const struct kft_why *w,
						    const struct kft_why_running *running)
{
	kft_vec_for_each(&w->functions.list, it)
		if (&w->functions.runnings.data[it->running] == running)
			return it;
	return NULL;
}
