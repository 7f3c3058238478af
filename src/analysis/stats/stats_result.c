// SPDX-License-Identifier: LGPL-2.1-or-later
/* Converts counts of events to values and tables. */
#include "analysis/stats/stats_result.h"

#include <stdio.h>

/* Number of tasks shown by default; most of the others have a single event. */
#define TASKS_TOP 20

#define NS_PER_S 1000000000

static const struct kft_result_column event_columns[] = {
	{"buffer", "BUFFER", .is_text = true, .is_optional = true},
	{"event", "EVENT", .is_text = true},
	{"count", "COUNT"},
	{"rate", "RATE/s"},
	{"first", "FIRST", .is_optional = true},
	{"last", "LAST", .is_optional = true},
};

static const struct kft_result_column cpu_columns[] = {
	{"buffer", "BUFFER", .is_text = true, .is_optional = true},
	{"cpu", "CPU"},
	{"count", "EVENTS"},
	{"rate", "RATE/s"},
	{"first", "FIRST"},
	{"last", "LAST"},
	{"gaps", "GAPS"},
	{"lost", "LOST"},
	{"uncounted_gaps", "UNCOUNTED", .is_optional = true},
};

static const struct kft_result_column kernel_columns[] = {
	{"buffer", "BUFFER", .is_text = true, .is_optional = true},
	{"cpu", "CPU"},
	{"overrun", "OVERRUN", .is_optional = true},
	{"dropped", "DROPPED", .is_optional = true},
	{"commit_overrun", "COMMIT OVERRUN", .is_optional = true},
	{"unread", "UNREAD", .is_optional = true},
};

static const struct kft_result_column task_columns[] = {
	{"comm", "TASK", .is_text = true},
	{"pid", "PID"},
	{"count", "EVENTS"},
};

/* Events per second, in thousandths. No value if no time passed. */
static struct kft_value rate(const struct kft_stats *stats, uint64_t n)
{
	double span_s = (double)(stats->last - stats->first) / NS_PER_S;

	if (!stats->have_time || stats->last == stats->first)
		return kft_value_none();
	return kft_value_number(KFT_VALUE_RATE, (uint64_t)(n / span_s * 1000 + 0.5));
}

static struct kft_value stamp(struct kft_trace *t, uint16_t buffer, uint64_t ts)
{
	bool is_ns = t->buffers.data[buffer].clock.unit == KFT_CLOCK_NS;

	return kft_value_number(is_ns ? KFT_VALUE_TIME : KFT_VALUE_TICKS, ts);
}

static struct kft_value buffer_name(struct kft_trace *t, struct kft_result *r, uint16_t i)
{
	return kft_value_text(r, t->buffers.data[i].name);
}

static struct kft_value event_name(struct kft_trace *t, struct kft_result *r, uint16_t id)
{
	const struct kft_class *c = kft_trace_class(t, id);
	char name[512];

	if (c)
		(void)snprintf(name, sizeof(name), "%s:%s", c->system, c->name);
	else
		(void)snprintf(name, sizeof(name), "unknown event %u", id);
	return kft_value_text(r, name);
}

/* Adds a text that the recorder wrote about itself, if it did. */
static void add_words(struct kft_result *r, const char *key, const char *title,
		      const struct kft_blob *text)
{
	struct kft_value v = kft_value_none();
	size_t len = text->len;

	while (len && (text->data[len - 1] == '\n' || !text->data[len - 1]))
		len--;
	if (len)
		v = kft_value_textn(r, text->data, len);
	kft_result_add_optional(r, key, title, v);
}

static void add_totals(const struct kft_stats *stats, struct kft_trace *t,
		       struct kft_result *r)
{
	struct kft_value start = kft_value_none();
	struct kft_value end = kft_value_none();
	struct kft_value span = kft_value_none();
	struct kft_value whole_from = kft_value_none();

	if (stats->have_time && stats->whole_from > stats->first)
		whole_from = kft_value_number(KFT_VALUE_TIME, stats->whole_from);
	if (stats->have_time) {
		start = kft_value_number(KFT_VALUE_TIME, stats->first);
		end = kft_value_number(KFT_VALUE_TIME, stats->last);
		span = kft_value_number(KFT_VALUE_DURATION, stats->last - stats->first);
	}
	add_words(r, "writer", "Recorded by", &t->meta.version);
	add_words(r, "command", "Command", &t->meta.command);
	add_words(r, "kernel", "Kernel", &t->meta.uname);
	add_words(r, "kernel_line", "Booted with", &t->meta.kernel_line);
	kft_result_add(r, "clock", "Clock", kft_value_text(r, t->meta.clock.name));
	kft_result_add(r, "events", "Events", kft_value_count(stats->count));
	kft_result_add(r, "start", "Start", start);
	kft_result_add(r, "end", "End", end);
	kft_result_add(r, "span", "Time span", span);
	kft_result_add(r, "rate", "Events per second", rate(stats, stats->count));
	kft_result_add(r, "gaps", "Gaps", kft_value_count(stats->gaps));
	kft_result_add(r, "lost", "Lost events", kft_value_lost(stats->lost));
	kft_result_add_optional(r, "uncounted_gaps", "Gaps of unknown size",
				kft_value_count(stats->uncounted_gaps));
	kft_result_add_optional(r, "too_deep", "Calls too deep to be recorded",
				kft_value_count(stats->too_deep));
	kft_result_add_optional(r, "overwritten", "Overwritten by newer ones",
				kft_value_count(stats->overwritten));
	kft_result_add_optional(r, "whole_from", "All CPUs from", whole_from);
	/* Includes losses after the last event, which no later record could report. */
	kft_result_add_optional(
		r, "kernel_lost", "Lost as the kernel counts",
		kft_value_lost(kft_meta_lost(&t->meta, kft_trace_is_own(t))));
}

static void add_events(const struct kft_stats *stats, struct kft_trace *t,
		       struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "by_event", event_columns, ARRAY_SIZE(event_columns));

	kft_vec_for_each(&stats->events, ev) {
		kft_result_put(table, buffer_name(t, r, ev->buffer));
		kft_result_put(table, event_name(t, r, ev->id));
		kft_result_put(table, kft_value_count(ev->count));
		kft_result_put(table, rate(stats, ev->count));
		kft_result_put(table, stats->have_event_times
					      ? stamp(t, ev->buffer, ev->first)
					      : kft_value_none());
		kft_result_put(table, stats->have_event_times
					      ? stamp(t, ev->buffer, ev->last)
					      : kft_value_none());
	}
}

static void add_cpus(const struct kft_stats *stats, struct kft_trace *t,
		     struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "by_cpu", cpu_columns,
							      ARRAY_SIZE(cpu_columns));

	kft_vec_for_each(&stats->cpus, c) {
		kft_result_put(table, buffer_name(t, r, c->buffer));
		kft_result_put(table, kft_value_cpu(c->cpu));
		kft_result_put(table, kft_value_count(c->count));
		kft_result_put(table, rate(stats, c->count));
		kft_result_put(table, c->count ? stamp(t, c->buffer, c->first)
					       : kft_value_none());
		kft_result_put(table, c->count ? stamp(t, c->buffer, c->last)
					       : kft_value_none());
		kft_result_put(table, kft_value_count(c->gaps));
		kft_result_put(table, kft_value_lost(c->lost));
		kft_result_put(table, kft_value_count(c->uncounted_gaps));
	}
}

/* Adds the kernel's counters at the end of the recording, which count unrecorded losses too. */
static void add_kernel_counts(struct kft_trace *t, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(
		r, "counters", kernel_columns, ARRAY_SIZE(kernel_columns));

	if (table)
		table->is_optional = true;
	kft_vec_for_each(&t->meta.stats, s) {
		kft_result_put(table, kft_value_text(r, s->buffer ? s->buffer : ""));
		kft_result_put(table, kft_value_cpu(s->cpu));
		kft_result_put(table, s->overrun == KFT_LOST_UNKNOWN
					      ? kft_value_none()
					      : kft_value_count(s->overrun));
		kft_result_put(table, kft_value_count(s->dropped_events));
		kft_result_put(table, kft_value_count(s->commit_overrun));
		/* trace-cmd reads its counters before it has drained the last pages. */
		kft_result_put(table, kft_trace_is_own(t) ? kft_value_count(s->unread)
							  : kft_value_none());
	}
}

static void add_tasks(const struct kft_stats *stats, struct kft_trace *t,
		      struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "by_task", task_columns,
							      ARRAY_SIZE(task_columns));

	if (table)
		table->top = TASKS_TOP;
	kft_vec_for_each(&stats->tasks, task) {
		kft_result_put(table,
			       kft_value_task(r, kft_task_comm(&t->tasks, task->pid)));
		kft_result_put(table, kft_value_pid(task->pid));
		kft_result_put(table, kft_value_count(task->count));
	}
}

void kft_stats_result(struct kft_trace *t, const struct kft_stats *stats,
		      struct kft_result *ret)
{
	add_totals(stats, t, ret);
	if (stats->parts & KFT_STATS_EVENTS)
		add_events(stats, t, ret);
	if (stats->parts & KFT_STATS_CPUS)
		add_cpus(stats, t, ret);
	if ((stats->parts & KFT_STATS_CPUS) && t->meta.stats.len)
		add_kernel_counts(t, ret);
	if (stats->have_tasks)
		add_tasks(stats, t, ret);
}
