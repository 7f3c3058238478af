// SPDX-License-Identifier: LGPL-2.1-or-later
/* Puts the time of threads into tables. */
#include "analysis/stats/wall.h"

#include <errno.h>

#include "analysis/wall.h"

#define MILLION 1000000.0

struct tables {
	struct kft_result *result; /* borrowed */
	struct kft_result_table *threads;
	struct kft_result_table *reasons;
};

/* The times of the classes, in their order, add up to the time. */
static const struct kft_result_column thread_columns[] = {
	{"comm", "TASK", .is_text = true},
	{"pid", "PID"},
	{"time", "TIME"},
	{"running", "RUNNING"},
	{"cpu", "FOR CPU", .is_optional = true},
	{"tasks", "FOR TASKS", .is_optional = true},
	{"io", "FOR DISK", .is_optional = true},
	{"sleep", "ASLEEP", .is_optional = true},
	{"device", "FOR DEVICE", .is_optional = true},
	{"interrupted", "INTERRUPTED", .is_optional = true},
	{"other", "OTHER", .is_optional = true},
};

static const struct kft_result_column reason_columns[] = {
	{"comm", "TASK", .is_text = true},
	{"pid", "PID"},
	{"share", "SHARE"},
	{"time", "TIME"},
	{"cause", "CAUSE", .is_text = true},
	{"what", "REASON", .is_text = true},
	{"chain", "BLOCKING CHAIN", .is_text = true, .is_optional = true},
};

static void put_text(struct kft_result_table *table, struct kft_result *r,
		     struct kft_strbuf *sb)
{
	kft_result_put(table, sb->len ? kft_value_text(r, kft_strbuf_cstr(sb))
				      : kft_value_none());
}

static void put_name(struct kft_result_table *table, struct kft_result *r,
		     const struct kft_why *life)
{
	const struct kft_interval *i = &life->interval;

	kft_result_put(table, kft_value_task(r, kft_why_comm(life, i->pid, i->begin_ns)));
	kft_result_put(table, kft_value_pid(i->pid));
}

static void put_reason(struct tables *t, const struct kft_why *life,
		       const struct kft_why_row *row)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf chain = {};
	double whole = (double)kft_interval_ns(&life->interval);

	kft_why_add_row(life, row, &what);
	kft_why_add_chain(life, row, &chain);
	put_name(t->reasons, t->result, life);
	kft_result_put(t->reasons, kft_value_number(KFT_VALUE_RATIO,
						    (uint64_t)((double)row->total_ns *
								       MILLION / whole +
							       0.5)));
	kft_result_put(t->reasons, kft_value_duration(row->total_ns));
	kft_result_put(t->reasons, kft_value_word(kft_why_causes[row->like.cause].key));
	put_text(t->reasons, t->result, &what);
	put_text(t->reasons, t->result, &chain);
}

static int put_life(void *arg, const struct kft_why *life)
{
	struct tables *t = arg;
	uint64_t ns[KFT_WHY_CLASSES] = {};

	kft_vec_for_each(&life->rows, row) {
		ns[kft_wall_class_of(row)] += row->total_ns;
		put_reason(t, life, row);
	}
	put_name(t->threads, t->result, life);
	kft_result_put(t->threads, kft_value_duration(kft_interval_ns(&life->interval)));
	for (size_t i = 0; i < KFT_WHY_CLASSES; i++)
		kft_result_put(t->threads, kft_value_duration(ns[i]));
	return kft_result_ok(t->result) ? 0 : -ENOMEM;
}

int kft_wall_stats(struct kft_trace *t, const struct kft_scope *scope, size_t top,
		   struct kft_result *r, struct kft_err *e)
{
	struct tables tables = {
		.result = r,
		.threads = kft_result_add_table(r, "by_thread", thread_columns,
						ARRAY_SIZE(thread_columns)),
		.reasons = kft_result_add_table(r, "by_reason", reason_columns,
						ARRAY_SIZE(reason_columns)),
	};

	if (tables.threads)
		tables.threads->top = top;
	if (tables.reasons)
		tables.reasons->top = top;
	return kft_wall_run(t, scope, put_life, &tables, e);
}
