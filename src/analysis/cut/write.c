// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the records of those calls that belong to a run. */
#include "analysis/cut/cut.h"

#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "model/merge.h"
#include "model/page_build.h"
#include "model/scope.h"

/* The pages of one CPU on their way to the sink. */
struct cpu {
	struct kft_page_builder builder;
	uint32_t number;
	int fd; /* borrowed from the sink; -1 until the first page */
	uint64_t lost; /* marks of records that were left out */
	uint64_t last_ns; /* of all records */
	struct kft_sink *sink;
	struct kft_err *e;
};

struct writer {
	struct cpu **cpus; /* owned, by number; NULL for one without records */
	size_t n_cpus;
	const struct kft_trace *trace;
	struct kft_sink *sink;
	struct kft_err *e;
};

static void writer_finish(struct writer *w)
{
	for (size_t i = 0; i < w->n_cpus; i++) {
		if (w->cpus[i])
			kft_page_builder_finish(&w->cpus[i]->builder);
		free(w->cpus[i]);
	}
	free(w->cpus);
}

static int flush(void *arg, const void *page, size_t size)
{
	struct cpu *c = arg;
	int r = 0;

	if (c->fd < 0)
		r = c->sink->ops->cpu_fd(c->sink, c->number, &c->fd, c->e);
	if (r < 0)
		return r;
	r = kft_write_all(c->fd, page, size);
	return r < 0 ? kft_err_sys(c->e, r, "cannot write the trace") : 0;
}

static int open_cpu(struct writer *w, uint32_t number, struct cpu **ret)
{
	const struct kft_meta *m = &w->trace->meta;

	if (number >= w->n_cpus) {
		struct cpu **cpus = reallocarray(w->cpus, number + 1,
						 sizeof(struct cpu *));

		if (!cpus)
			return -ENOMEM;
		for (size_t i = w->n_cpus; i <= number; i++)
			cpus[i] = NULL;
		w->cpus = cpus;
		w->n_cpus = number + 1;
	}
	if (!w->cpus[number]) {
		struct cpu *c = calloc(1, sizeof(*c));

		if (!c)
			return -ENOMEM;
		w->cpus[number] = c;
		*c = (struct cpu){.number = number, .fd = -1, .sink = w->sink, .e = w->e};
		int r = kft_page_builder_init(&c->builder, m->page_size, m->big_endian,
					      m->long_size);
		if (r < 0)
			return r;
		c->builder.flush = flush;
		c->builder.arg = c;
	}
	*ret = w->cpus[number];
	return 0;
}

static int write_event(struct writer *w, const struct kft_event *ev, bool keep)
{
	struct cpu *c;
	int r = open_cpu(w, ev->cpu, &c);

	if (r < 0)
		return r;
	c->lost = kft_lost_add(c->lost, ev->lost_before);
	c->last_ns = ev->ts;
	if (!keep)
		return 0;
	r = kft_page_builder_add(&c->builder, ev->ts, ev->data, ev->size, c->lost);
	c->lost = 0;
	return r;
}

static int write_all(struct writer *w, struct kft_trace *t, const struct kft_cut *cut)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	size_t at = 0;
	int r = kft_merge_create(t, NULL, &m);

	/* To the end, where the streams know what was lost behind their last event. */
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = at < cut->verdicts.len
			    ? write_event(w, ev,
					  kft_verdict_keeps(cut->verdicts.data[at++]))
			    : 0;
	for (size_t i = 0; r == 0 && i < w->n_cpus; i++)
		if (w->cpus[i])
			r = kft_page_builder_end(&w->cpus[i]->builder);
	return r;
}

/* A loss that comes before no event that is written. */
static int add_loss_behind(const struct writer *w, const struct kft_stream *s,
			   struct kft_meta *meta)
{
	const struct cpu *c = s->cpu < w->n_cpus ? w->cpus[s->cpu] : NULL;
	uint64_t last_ns = c ? c->last_ns : 0;
	const struct kft_lost_range range = {
		.cpu = s->cpu,
		.since = last_ns,
		.until = last_ns + 1,
		.count = kft_lost_add(c ? c->lost : 0, s->lost_after),
	};

	return !range.count || kft_vec_push(&meta->lost, range) ? 0 : -ENOMEM;
}

/*
 * Losses were marks of the events that were read, and are marks of those that are written: of
 * the ranges in the metadata only those are left behind which there is no event.
 */
static int end_sink(const struct writer *w, struct kft_meta *meta)
{
	int r = 0;

	if (w->trace->buffers.len)
		kft_vec_for_each(&w->trace->buffers.data[0].streams, s)
			r = r < 0 ? r : add_loss_behind(w, *s, meta);
	return r == 0 ? w->sink->ops->end(w->sink, meta, w->e) : r;
}

int kft_cut_write(struct kft_trace *t, const struct kft_cut *cut, struct kft_sink *sink,
		  struct kft_err *e)
{
	struct kft_err inner = {};
	_cleanup_(writer_finish) struct writer w = {
		.trace = t, .sink = sink, .e = &inner};

	/* Read when asked for, but written with the rest. */
	(void)kft_trace_kallsyms(t);
	struct kft_meta meta = t->meta;
	memset(&meta.lost, 0, sizeof(meta.lost));
	int r = sink->ops->begin(sink, &meta, e);

	if (r < 0)
		return r;
	r = write_all(&w, t, cut);
	if (r == 0)
		r = end_sink(&w, &meta);
	kft_vec_finish(&meta.lost);
	if (r < 0) {
		if (!inner.code)
			(void)kft_err_sys(&inner, r, "cannot write the trace");
		if (e)
			*e = inner;
	}
	return r;
}
