// SPDX-License-Identifier: LGPL-2.1-or-later
/* Puts the answer of kft why into a result. */
#include "analysis/why/why.h"

#include <stdlib.h>

#define ROWS_TOP 12
/* Rows of a command, which has a table of programs before them, and of its strangest interval. */
#define COMMAND_TOP   8
#define STRANGEST_TOP 4
#define MILLION	      1000000.0

static const char *const sure_words[] = {
	[KFT_WHY_MEASURED] = "measured",
	[KFT_WHY_LIKELY] = "likely",
	[KFT_WHY_OPEN] = "open",
};

static const struct kft_result_column row_columns[] = {
	{"share", "SHARE", .marks_most = true},
	{"time", "TIME"},
	{"excess", "EXCESS", .is_optional = true, .is_detail = true},
	{"count", "COUNT"},
	{"cause", "CAUSE", .is_text = true},
	{"what", "REASON", .is_text = true},
	{"chain", "BLOCKING CHAIN", .is_text = true, .is_optional = true},
	{"pid", "PID", .is_optional = true, .is_detail = true},
	{"sure", "CONFIDENCE", .is_text = true},
	{"longest", "LONGEST AT", .is_detail = true},
	{"longest_time", "LONGEST", .is_detail = true},
};

static const struct kft_result_column segment_columns[] = {
	{"begin", "FROM"}, {"time", "TIME"}, {"cause", "CAUSE", .is_text = true},
	{"pid", "PID"},	   {"cpu", "CPU"},   {"row", "ROW"},
};

static const struct kft_result_column function_columns[] = {
	{"share", "SHARE", .marks_most = true},
	{"time", "TIME"},
	{"samples", "SAMPLES"},
	{"comm", "TASK", .is_text = true},
	{"mode", "RUNNING", .is_text = true},
	{"function", "FUNCTION", .is_text = true},
};

static const struct kft_result_column program_columns[] = {
	{"share", "SHARE", .marks_most = true},
	{"time", "TIME"},
	{"comm", "PROGRAM", .is_text = true},
	{"tasks", "TASKS"},
	{"running", "RUNNING", .is_optional = true},
	{"cpu", "FOR CPU", .is_optional = true},
	{"io", "FOR DISK", .is_optional = true},
	{"sleep", "ASLEEP", .is_optional = true},
	{"device", "FOR DEVICE", .is_optional = true},
	{"interrupted", "INTERRUPTED", .is_optional = true},
	{"other", "OTHER", .is_optional = true},
};

/* The classes of the columns; a wait for another task is time of that task. */
static const enum kft_why_class program_classes[] = {
	KFT_WHY_CLASS_RUNNING, KFT_WHY_CLASS_CPU,    KFT_WHY_CLASS_IO,
	KFT_WHY_CLASS_SLEEP,   KFT_WHY_CLASS_DEVICE, KFT_WHY_CLASS_INTERRUPTED,
	KFT_WHY_CLASS_OTHER,
};

typedef void add_fn(const struct kft_why *w, const struct kft_why_row *row,
		    struct kft_strbuf *sb);

static struct kft_value text_of(const struct kft_why *w, const struct kft_why_row *row,
				add_fn *add, struct kft_result *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	add(w, row, &sb);
	return sb.len ? kft_value_text(r, kft_strbuf_cstr(&sb)) : kft_value_none();
}

static struct kft_value ratio(uint64_t part, uint64_t whole)
{
	return kft_value_number(
		KFT_VALUE_RATIO,
		whole ? (uint64_t)((double)part * MILLION / (double)whole + 0.5) : 0);
}

static struct kft_value moment(const struct kft_why *w, uint64_t ts)
{
	const struct kft_trace *t = w->trace;
	bool is_ns = !t->buffers.len || t->buffers.data[0].clock.unit == KFT_CLOCK_NS;

	return kft_value_number(is_ns ? KFT_VALUE_TIME : KFT_VALUE_TICKS, ts);
}

/*
 * A row's part of the time by which its cause exceeds the usual: the largest rows take it
 * first.
 */
static struct kft_value excess_of(const struct kft_why *w, const struct kft_why_row *row)
{
	enum kft_why_cause cause = row->like.cause;
	uint64_t usual = w->usual.ns[cause];
	uint64_t left = w->by_cause[cause] > usual ? w->by_cause[cause] - usual : 0;

	for (const struct kft_why_row *larger = w->rows.data; larger < row; larger++)
		if (larger->like.cause == cause)
			left -= KFT_MIN(left, larger->total_ns);
	return w->usual.is_known && left
		       ? kft_value_duration(KFT_MIN(left, row->total_ns))
		       : kft_value_none();
}

static void add_row(const struct kft_why *w, const struct kft_why_row *row,
		    struct kft_result_table *table, struct kft_result *r)
{
	const struct kft_why_cause_info *info = &kft_why_causes[row->like.cause];

	kft_result_put(table, ratio(row->total_ns, kft_interval_ns(&w->interval)));
	kft_result_put(table, kft_value_duration(row->total_ns));
	kft_result_put(table, excess_of(w, row));
	kft_result_put(table, kft_value_count(row->count));
	kft_result_put(table, kft_value_word(info->key));
	kft_result_put(table, text_of(w, row, kft_why_add_row, r));
	kft_result_put(table, text_of(w, row, kft_why_add_chain, r));
	kft_result_put(table, kft_value_pid(row->n_behind > 1 ? -1 : row->like.pid));
	kft_result_put(table, kft_value_word(sure_words[info->sure]));
	kft_result_put(table, moment(w, row->like.begin));
	kft_result_put(table, kft_value_duration(row->like.end - row->like.begin));
}

static void add_rows(const struct kft_why *w, const char *key, size_t top,
		     struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, key, row_columns,
							      ARRAY_SIZE(row_columns));

	if (table)
		table->top = top;
	kft_vec_for_each(&w->rows, row)
		add_row(w, row, table, r);
}

static int compare_programs(const void *pa, const void *pb)
{
	const struct kft_why_program *a = *(const struct kft_why_program *const *)pa;
	const struct kft_why_program *b = *(const struct kft_why_program *const *)pb;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void add_program(const struct kft_why *w, const struct kft_why_program *p,
			struct kft_result_table *table, struct kft_result *r)
{
	const char *comm = kft_intern_text(&w->programs.names, p->name);

	kft_result_put(table, ratio(p->total_ns, kft_interval_ns(&w->interval)));
	kft_result_put(table, kft_value_duration(p->total_ns));
	kft_result_put(table, kft_value_task(r, comm));
	kft_result_put(table, kft_value_count(p->n_tasks));
	for (size_t i = 0; i < ARRAY_SIZE(program_classes); i++)
		kft_result_put(table,
			       kft_value_duration(p->by_class[program_classes[i]]));
}

static void add_programs(const struct kft_why *w, struct kft_result *r)
{
	size_t n = w->programs.list.len;
	_cleanup_free_ const struct kft_why_program **sorted = calloc(n + 1,
								      sizeof(*sorted));
	struct kft_result_table *table = kft_result_add_table(
		r, "programs", program_columns, ARRAY_SIZE(program_columns));

	if (!sorted || !table) {
		r->failed = true;
		return;
	}
	table->top = ROWS_TOP;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &w->programs.list.data[i];
	qsort(sorted, n, sizeof(*sorted), compare_programs);
	for (size_t i = 0; i < n && sorted[i]->n_tasks; i++)
		add_program(w, sorted[i], table, r);
}

static struct kft_value mode_of(const struct kft_why *w, const struct kft_why_running *in,
				struct kft_result *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (in->faults)
		return kft_value_word("in page faults");
	kft_why_add_mode(w, in->mode, in->what, &sb);
	return sb.len ? kft_value_text(r, kft_strbuf_cstr(&sb) + 1) : kft_value_none();
}

static void add_function(const struct kft_why *w, const struct kft_why_function *f,
			 struct kft_result_table *table, struct kft_result *r)
{
	const struct kft_why_running *in = &w->functions.runnings.data[f->running];
	const struct kft_intern *names = &w->functions.names;

	kft_result_put(table, ratio(f->ns, kft_interval_ns(&w->interval)));
	kft_result_put(table, kft_value_duration(f->ns));
	kft_result_put(table, kft_value_count(f->samples));
	kft_result_put(table, kft_value_task(r, kft_intern_text(names, in->comm)));
	kft_result_put(table, mode_of(w, in, r));
	kft_result_put(table, kft_value_function(r, kft_intern_text(names, f->name)));
}

/* The last row has the running time with too few samples: all rows add up to all running time. */
static void add_unsplit(const struct kft_why *w, struct kft_result_table *table)
{
	uint64_t samples = w->functions.samples;

	kft_vec_for_each(&w->functions.list, f)
		samples -= f->samples;
	kft_result_put(table,
		       ratio(w->functions.unsplit_ns, kft_interval_ns(&w->interval)));
	kft_result_put(table, kft_value_duration(w->functions.unsplit_ns));
	kft_result_put(table, kft_value_count(samples));
	kft_result_put(table, kft_value_none());
	kft_result_put(table, kft_value_word("too few samples"));
	kft_result_put(table, kft_value_none());
}

static void add_functions(const struct kft_why *w, struct kft_result *r)
{
	if (!w->functions.list.len)
		return;
	struct kft_result_table *table = kft_result_add_table(
		r, "functions", function_columns, ARRAY_SIZE(function_columns));
	if (table)
		table->top = ROWS_TOP;
	kft_vec_for_each(&w->functions.list, f)
		add_function(w, f, table, r);
	if (w->functions.unsplit_ns)
		add_unsplit(w, table);
}

static void add_segments(const struct kft_why *w, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "segments", segment_columns, ARRAY_SIZE(segment_columns));

	kft_vec_for_each(&w->path.segments, s) {
		kft_result_put(table, moment(w, s->begin));
		kft_result_put(table, kft_value_duration(s->end - s->begin));
		kft_result_put(table, kft_value_word(kft_why_causes[s->cause].key));
		kft_result_put(table, kft_value_pid(s->pid));
		kft_result_put(table, s->cpu == UINT32_MAX ? kft_value_none()
							   : kft_value_cpu(s->cpu));
		kft_result_put(table, kft_value_number(KFT_VALUE_ID, s->row));
	}
}

static void add_text(struct kft_result *r, const char *key, const char *title,
		     const struct kft_why *w,
		     void (*add)(const struct kft_why *, struct kft_strbuf *))
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	add(w, &sb);
	kft_result_add_optional(r, key, title, kft_value_text(r, kft_strbuf_cstr(&sb)));
}

void kft_why_result(const struct kft_why *w, struct kft_result *r)
{
	const struct kft_interval *i = &w->interval;
	bool of_cpu = !w->of_task;
	const struct kft_why_row *lead = w->lead_row < w->rows.len
						 ? &w->rows.data[w->lead_row]
						 : NULL;

	add_text(r, "sentence", "Answer", w, kft_why_add_sentence);
	add_text(r, "interval", "Interval", w, kft_why_add_what);
	kft_result_add(r, "task", "Task",
		       of_cpu ? kft_value_none()
			      : kft_value_task(r, kft_why_comm(w, i->pid, i->begin_ns)));
	kft_result_add(r, "pid", "PID",
		       of_cpu ? kft_value_none() : kft_value_pid(i->pid));
	kft_result_add(r, "cpu", "CPU", kft_value_cpu(i->cpu));
	kft_result_add(r, "begin", "From", moment(w, i->begin_ns));
	kft_result_add(r, "end", "To", moment(w, i->end_ns));
	kft_result_add(r, "time", "Time", kft_value_duration(kft_interval_ns(i)));
	kft_result_add(r, "rank", "Rank", kft_value_count(w->rank + 1));
	kft_result_add(r, "of", "Of", kft_value_count(w->count));
	kft_result_add_optional(r, "usual", "Usual",
				w->median_ns ? kft_value_duration(w->median_ns)
					     : kft_value_none());
	kft_result_add(r, "cause", "Cause", kft_value_word(kft_why_causes[w->lead].key));
	kft_result_add(r, "cause_time", "Time of the cause",
		       kft_value_duration(w->by_cause[w->lead]));
	kft_result_add(r, "cause_share", "Share",
		       ratio(w->by_cause[w->lead], kft_interval_ns(i)));
	kft_result_add(r, "cause_pid", "Whose doing",
		       lead ? kft_value_pid(lead->like.pid) : kft_value_none());
	add_text(r, "remarks", "Remarks", w, kft_why_add_remarks);
	add_text(r, "next", "To know more", w, kft_why_add_next);
	if (w->is_command)
		add_programs(w, r);
	add_rows(w, "rows", w->is_command ? COMMAND_TOP : ROWS_TOP, r);
	if (HAVE_PERF)
		add_functions(w, r);
	add_segments(w, r);
}

void kft_why_result_strangest(const struct kft_why *w, struct kft_result *r)
{
	const struct kft_interval *i = &w->interval;

	add_text(r, "strangest", "Strangest interval", w, kft_why_add_sentence);
	add_text(r, "strangest_interval", "Interval", w, kft_why_add_what);
	kft_result_add(r, "strangest_task", "Task",
		       kft_value_task(r, kft_why_comm(w, i->pid, i->begin_ns)));
	kft_result_add(r, "strangest_pid", "PID", kft_value_pid(i->pid));
	kft_result_add(r, "strangest_begin", "From", moment(w, i->begin_ns));
	kft_result_add(r, "strangest_end", "To", moment(w, i->end_ns));
	add_rows(w, "strangest_rows", STRANGEST_TOP, r);
}
