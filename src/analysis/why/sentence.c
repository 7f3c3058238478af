// SPDX-License-Identifier: LGPL-2.1-or-later
/* The sentence in which kft why names the cause. */
#include "analysis/why/why.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "derive/kinds/kinds.h"

/* A row with less than half of the cause is only called the most of several ways. In tenths. */
#define MOST_TENTHS 5

static void add_percent(uint64_t part, uint64_t whole, struct kft_strbuf *sb)
{
	uint64_t tenths = whole ? (uint64_t)((double)part * 1000 / (double)whole + 0.5)
				: 0;

	kft_strbuf_addf(sb, "%" PRIu64 ".%" PRIu64 " %%", tenths / 10, tenths % 10);
}

static void add_time(uint64_t ts, struct kft_strbuf *sb)
{
	uint64_t us = ts / 1000 + (ts % 1000 >= 500);

	kft_strbuf_addf(sb, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
}

/* "(worst of 120, usually 1.2 ms)" */
static void add_place(const struct kft_why *w, struct kft_strbuf *sb)
{
	if (w->count < 2)
		return;
	kft_strbuf_adds(sb, " (");
	if (w->rank)
		kft_strbuf_addf(sb, "number %u", w->rank + 1);
	else
		kft_strbuf_adds(sb, "worst");
	kft_strbuf_adds(sb, " of ");
	kft_strbuf_add_count(sb, w->count);
	if (w->median_ns) {
		kft_strbuf_adds(sb, ", usually ");
		kft_strbuf_add_duration(sb, w->median_ns);
	}
	kft_strbuf_addc(sb, ')');
}

static void add_head(const struct kft_why *w, struct kft_strbuf *sb)
{
	const struct kft_interval *i = &w->interval;

	if (w->of_task) {
		const char *comm = kft_why_comm(w, i->pid, i->begin_ns);

		kft_strbuf_add_escaped(sb, comm, strlen(comm));
		kft_strbuf_addf(sb, "-%d: ", i->pid);
	}
	kft_why_add_what(w, sb);
	kft_strbuf_adds(sb, " took ");
	kft_strbuf_add_duration(sb, kft_interval_ns(i));
	kft_strbuf_adds(sb, " at ");
	add_time(i->begin_ns, sb);
	kft_strbuf_addf(sb, " on CPU %u", i->cpu);
	add_place(w, sb);
}

/* Number of rows of the cause that the sentence names. */
static size_t count_rows(const struct kft_why *w)
{
	size_t n = 0;

	kft_vec_for_each(&w->rows, row)
		n += row->like.cause == w->lead;
	return n;
}

/* Reclaim needs this share of an interval to be worth a sentence. In tenths. */
#define RECLAIM_TENTHS 1

/*
 * A task that reclaims memory runs for a part of that time, and waits for disks or for
 * other reclaiming tasks for the rest. No single row shows the total.
 */
static void add_reclaim(const struct kft_why *w, struct kft_strbuf *sb)
{
	const struct kft_interval_kind *kind = kft_interval_kind_find("reclaim");
	const struct kft_why_task *task =
		w->of_task ? kft_why_task_find(&w->facts, w->interval.pid) : NULL;
	const struct kft_interval *last = NULL;
	uint64_t whole = kft_interval_ns(&w->interval);
	uint64_t ns = 0;

	for (size_t i = 0; task && i < task->calls.len; i++) {
		const struct kft_interval *call = &task->calls.data[i];
		uint64_t begin = KFT_MAX(call->begin_ns, w->interval.begin_ns);
		uint64_t end = KFT_MIN(call->end_ns, w->interval.end_ns);

		if (call->kind != kind || end <= begin)
			continue;
		ns += end - begin;
		last = call;
	}
	if (!last || w->interval.kind == kind || ns < whole / 10 * RECLAIM_TENTHS)
		return;
	kft_strbuf_adds(sb, " In ");
	add_percent(ns, whole, sb);
	kft_strbuf_adds(sb, " of its time it was reclaiming memory, as ");
	kft_strbuf_adds(sb, kft_why_reclaim_reason(last->key));
	kft_strbuf_addc(sb, '.');
}

/* "about 71 of the 93 % in libfoo.so:json_parse, from 512 samples" */
static void add_function(const struct kft_why *w, const struct kft_why_row *row,
			 struct kft_strbuf *sb)
{
	const struct kft_why_running *running = kft_why_running_of(w, &row->like);
	const struct kft_why_function *top = running ? kft_why_top_function(w, running)
						     : NULL;
	double percent = 100.0 * (double)w->lead_ns /
			 (double)kft_interval_ns(&w->interval);

	if (!top)
		return;
	kft_strbuf_addf(sb, ", about %.0f of the %.0f %% in %s, from ",
			percent * (double)top->weight / (double)running->weight, percent,
			kft_intern_text(&w->functions.names, top->name));
	kft_strbuf_add_count(sb, running->samples);
	kft_strbuf_adds(sb, " samples");
}

void kft_why_add_sentence(const struct kft_why *w, struct kft_strbuf *sb)
{
	uint64_t whole = kft_interval_ns(&w->interval);

	add_head(w, sb);
	if (w->lead_row >= w->rows.len) {
		kft_strbuf_adds(sb, ".");
		return;
	}
	const struct kft_why_row *row = &w->rows.data[w->lead_row];
	uint64_t of_cause = w->by_cause[w->lead];
	bool is_most = w->lead_ns >= of_cause / 10 * MOST_TENTHS;

	kft_strbuf_adds(sb, "; ");
	add_percent(is_most ? w->lead_ns : of_cause, whole, sb);
	kft_strbuf_adds(sb, " of it: ");
	if (!is_most) {
		kft_strbuf_adds(sb, kft_why_causes[w->lead].title);
		kft_strbuf_addf(sb, ", in %zu ways, most (", count_rows(w));
		add_percent(w->lead_ns, whole, sb);
		kft_strbuf_adds(sb, ") ");
	}
	kft_why_add_row(w, row, sb);
	if (HAVE_PERF)
		add_function(w, row, sb);
	if (w->lead_is_shared)
		kft_strbuf_adds(sb, ", and others of that name");
	if (row->like.link) {
		kft_strbuf_adds(sb, "; ");
		if (w->of_task)
			kft_why_add_task(w, w->interval.pid, w->interval.begin_ns, sb);
		else
			kft_strbuf_adds(sb, "it");
		kft_strbuf_adds(sb, " was ");
		kft_why_add_chain(w, row, sb);
	}
	kft_strbuf_addc(sb, '.');
	add_reclaim(w, sb);
}
