/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FUZZ_TRACE_H
#define KFT_TESTS_FUZZ_TRACE_H

#include "derive/kinds/kinds.h"
#include "fuzz.h"

#include <sys/mman.h>

#include "analysis/boot/report.h"
#include "analysis/stats/interval_result.h"
#include "analysis/stats/overview.h"
#include "analysis/why/why.h"
#include "base/err.h"
#include "base/io.h"
#include "base/utf8.h"
#include "decode/printfmt/print.h"
#include "decode/trace_lazy.h"
#include "model/merge.h"
#include "output/report/report.h"

/* At most so many events of an input are read: more of them would test nothing new. */
#define EVENTS_MAX 200000
/* Printing is slower, so only the first events are printed. */
#define PRINTED_MAX 1000

static inline int fuzz_file_of(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd >= 0 && kft_write_all(fd, data, size) == 0)
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return -1;
}

static inline uint64_t fuzz_read_events(struct kft_trace *t, uint64_t since,
					size_t *ret_n)
{
	const struct kft_scope scope = {.since = since};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t sum = 0;
	uint64_t middle = 0;
	size_t n = 0;

	if (kft_merge_create(t, &scope, &m) < 0)
		return 0;
	while (n < EVENTS_MAX && kft_merge_next(m, &ev) > 0) {
		FUZZ_ASSERT(ev->ts >= since && ev->size >= 2);
		FUZZ_ASSERT(ev->buffer < t->buffers.len);
		/* The first and the last byte of a record must be readable. */
		sum += ev->data[0] + ev->data[ev->size - 1];
		if (++n % 64 == 1)
			middle = ev->ts;
	}
	*ret_n = n;
	/* A use of the sum that the compiler cannot drop. */
	__asm__ volatile("" ::"r"(sum));
	return middle;
}

/* Results of reading a stream, to compare the ways to read it. */
struct fuzz_sum {
	uint64_t n;
	uint64_t gaps;
	uint64_t first;
	uint64_t last;
	bool in_order; /* no stamp is before the one before it */
	int end; /* result of the last fill */
};

static inline void fuzz_fill(struct kft_stream *s, struct fuzz_sum *sum)
{
	struct kft_event evs[64];

	while (sum->n < EVENTS_MAX && (sum->end = s->ops->fill(s, evs, 64)) > 0) {
		for (int i = 0; i < sum->end; i++) {
			const struct kft_event *ev = &evs[i];

			if (sum->n && ev->ts < sum->last)
				sum->in_order = false;
			sum->first = sum->n ? KFT_MIN(sum->first, ev->ts) : ev->ts;
			sum->last = sum->n ? KFT_MAX(sum->last, ev->ts) : ev->ts;
			sum->gaps += ev->lost_before != 0;
			sum->n++;
		}
	}
}

static inline void fuzz_count(struct kft_stream *s, const struct fuzz_sum *sum)
{
	_cleanup_(kft_counts_destroyp) struct kft_counts *c = kft_counts_create();
	uint64_t n = 0;

	FUZZ_ASSERT(c && s->ops->rewind(s, 0) == 0 && s->ops->count(s, c) == 0);
	for (uint32_t id = 0; id <= UINT16_MAX; id++)
		n += kft_counts_of(c, id);
	FUZZ_ASSERT(n == sum->n && c->gaps == sum->gaps);
	FUZZ_ASSERT(!n || (c->first == sum->first && c->last == sum->last));
}

static inline void fuzz_parts(struct kft_stream *s, const struct fuzz_sum *sum)
{
	struct kft_stream *parts[4];
	struct fuzz_sum of_parts = {.in_order = true};
	int n = s->ops->split(s, 1, parts, 4);

	FUZZ_ASSERT(n >= 0 && n <= 4);
	for (int i = 0; i < n; i++) {
		FUZZ_ASSERT(parts[i]->ops->rewind(parts[i], 0) == 0);
		fuzz_fill(parts[i], &of_parts);
		parts[i]->ops->destroy(parts[i]);
	}
	FUZZ_ASSERT(!n || of_parts.n == sum->n);
	/* If time goes back, the same loss can end in more than one part. */
	FUZZ_ASSERT(!n || !sum->in_order || of_parts.gaps == sum->gaps);
}

/* Counting a stream and reading it in parts must give the same as reading it whole. */
static inline void fuzz_stream(struct kft_stream *s)
{
	struct fuzz_sum sum = {.in_order = true};
	uint64_t damage = s->damage_count;

	if (s->ops->rewind(s, 0) < 0)
		return;
	fuzz_fill(s, &sum);
	/* A stream that is given up after much damage in a row ends elsewhere when cut in parts. */
	if (sum.end != 0 || s->damage_count - damage > 500)
		return;
	if (s->ops->count)
		fuzz_count(s, &sum);
	if (s->ops->split)
		fuzz_parts(s, &sum);
}

/* Text is fit for a terminal. */
static inline void fuzz_check_text(const struct kft_strbuf *sb)
{
	for (size_t i = 0; i < sb->len;) {
		size_t n = kft_utf8_printable(sb->buf + i, sb->len - i);

		FUZZ_ASSERT(n || sb->buf[i] == '\n' || sb->buf[i] == '\t');
		i += n ? n : 1;
	}
	/* A text is at most as long as its record lets it be: 64 KB in hex, with names. */
	FUZZ_ASSERT(sb->len < (64u << 20));
}

/* Every text that is made of an event. */
static inline void fuzz_print_event(struct kft_printer *p, const struct kft_event *ev,
				    const struct kft_class *c, struct kft_strbuf *sb)
{
	kft_strbuf_clear(sb);
	kft_printer_info(p, ev, sb);
	fuzz_check_text(sb);
	kft_strbuf_clear(sb);
	kft_printer_raw(p, ev, sb);
	fuzz_check_text(sb);
	for (uint32_t i = 0; c && i < c->n_fields; i++) {
		kft_strbuf_clear(sb);
		kft_printer_field(p, ev, &c->fields[i], sb);
		fuzz_check_text(sb);
		kft_strbuf_clear(sb);
		kft_printer_field_json(p, ev, &c->fields[i], sb);
		FUZZ_ASSERT(sb->len > 0);
		fuzz_check_text(sb);
	}
}

static inline void fuzz_print_events(struct kft_trace *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_printer_destroyp) struct kft_printer *p = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;

	(void)kft_trace_tasks(t);
	if (kft_printer_create(t, &p) < 0 || kft_merge_create(t, NULL, &m) < 0)
		return;
	for (size_t n = 0; n < PRINTED_MAX && kft_merge_next(m, &ev) > 0; n++)
		fuzz_print_event(p, ev, kft_trace_class(t, ev->id), &text);
}

static inline void fuzz_no_info(void *ctx, const struct kft_event *ev,
				const struct kft_class *c, struct kft_strbuf *sb)
{
}

/* Prints the trace in the plain style, with the context of each event. */
static inline void fuzz_plain(struct kft_trace *t)
{
	const struct kft_report_opts how = {
		.trace = t, .info = fuzz_no_info, .tree = true};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_event_contexts_destroyp) struct kft_event_contexts *moments = NULL;
	_cleanup_(kft_report_destroyp) struct kft_report *report = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event_context *moment;
	const struct kft_event *ev;

	(void)kft_trace_symbols(t);
	if (kft_event_contexts_create(t, &moments) < 0 ||
	    kft_merge_create(t, NULL, &m) < 0 ||
	    kft_report_create(&kft_report_plain, &how, &report) < 0)
		return;
	kft_report_begin(report, &text);
	for (size_t n = 0; n < PRINTED_MAX && kft_merge_next(m, &ev) > 0; n++) {
		kft_strbuf_clear(&text);
		if (kft_event_contexts_next(moments, ev, &moment) < 0)
			return;
		kft_report_moment(report, moment);
		kft_report_event(report, ev, &text);
		fuzz_check_text(&text);
	}
}

/* Derives all kinds of intervals and checks their statistics. */
static inline void fuzz_intervals(struct kft_trace *t)
{
	const struct kft_analysis_opts how = {.threads = 1};
	const struct kft_interval_view view = {
		.by = KFT_INTERVAL_BY_KEY, .sort = KFT_SORT_NAME, .histograms = true};
	struct kft_interval_question q = {.kinds = kft_interval_kinds, .is_exact = true};
	struct kft_interval_stats stats;
	struct kft_result result = {};
	struct kft_err e;

	while (kft_interval_kinds[q.n_kinds])
		q.n_kinds++;
	if (kft_interval_stats_run(t, &q, &how, &stats, &e) < 0)
		return;
	kft_vec_for_each(&stats.list, s) {
		FUZZ_ASSERT(s->count + s->cut + s->lossy > 0);
		FUZZ_ASSERT(!s->count || s->min_ns <= s->max_ns);
		FUZZ_ASSERT(s->percentiles[KFT_P50] <= s->percentiles[KFT_P999]);
		FUZZ_ASSERT(s->percentiles[KFT_P999] <= s->max_ns);
	}
	(void)kft_interval_stats_result(t, &stats, &view, &result);
	kft_overview_result(t, &stats, "file", &result);
	kft_result_finish(&result);
	kft_interval_stats_finish(&stats);
}

static inline void fuzz_report(struct kft_trace *t)
{
	const struct kft_symbol_table *symbols = kft_trace_symbols(t);
	struct kft_result result = {};
	struct kft_boot_report r;

	if (kft_boot_report_run(t, NULL, symbols, &r) < 0)
		return;
	FUZZ_ASSERT(r.calls || r.initcalls.list.len);
	for (size_t i = 1; i < r.n_entry_gaps; i++)
		FUZZ_ASSERT(r.entry_gaps[i].to.entry_ns - r.entry_gaps[i].from.entry_ns <=
			    r.entry_gaps[i - 1].to.entry_ns -
				    r.entry_gaps[i - 1].from.entry_ns);
	(void)kft_trace_tasks(t);
	kft_boot_report_result(t, symbols, &r, &result);
	kft_result_finish(&result);
	kft_boot_report_finish(&r);
}

/* The segments of an explanation must cover its interval without gaps. */
static inline void fuzz_why_one(struct kft_trace *t, const struct kft_why_found *found)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	const struct kft_why_target target = {found, found->worst.len - 1};
	struct kft_result result = {};
	struct kft_err e;
	struct kft_why w;

	(void)!kft_why_all(t, found, &result, &e);
	kft_result_finish(&result);
	if (kft_why_explain(t, &target, 1, &w, &e) < 0)
		return;
	result = (struct kft_result){};
	uint64_t at = w.interval.begin_ns;

	kft_vec_for_each(&w.path.segments, s) {
		FUZZ_ASSERT(s->begin == at && s->end > at);
		at = s->end;
	}
	FUZZ_ASSERT(at == w.interval.end_ns);
	kft_why_add_sentence(&w, &text);
	fuzz_check_text(&text);
	kft_why_result(&w, &result);
	kft_result_finish(&result);
	kft_why_finish(&w);
}

static inline void fuzz_why(struct kft_trace *t)
{
	struct kft_err e;

	(void)kft_trace_tasks(t);
	(void)kft_trace_symbols(t);
	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_why_ask ask = {
			.kinds = {kft_interval_kinds[i]}, .n_kinds = 1, .keep = 2};
		struct kft_why_found found;

		if (kft_why_find(t, &ask, &found, &e) < 0)
			continue;
		if (found.worst.len)
			fuzz_why_one(t, &found);
		kft_why_found_finish(&found);
	}
}

typedef int fuzz_open_fn(int fd, const char *path, struct kft_trace **ret,
			 struct kft_err *e);

/* A file opened, events printed, all read, from a time in the middle and from the start. */
static inline int fuzz_trace(const uint8_t *data, size_t size, fuzz_open_fn *open_fn)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};
	size_t n = 0;
	size_t again = 0;
	int fd = fuzz_file_of(data, size);

	if (fd < 0)
		return 0;
	int r = open_fn(fd, "/nowhere/fuzz", &t, &e);
	if (r < 0) {
		FUZZ_ASSERT(e.code == r && *e.msg);
		return 0;
	}
	fuzz_print_events(t);
	fuzz_plain(t);
	uint64_t middle = fuzz_read_events(t, 0, &n);
	(void)fuzz_read_events(t, middle, &again);
	(void)fuzz_read_events(t, 0, &again);
	FUZZ_ASSERT(again == n);
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			fuzz_stream(*s);
	fuzz_report(t);
	fuzz_intervals(t);
	fuzz_why(t);
	return 0;
}

#endif
