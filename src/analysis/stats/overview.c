// SPDX-License-Identifier: LGPL-2.1-or-later
/* A first overview of a trace: the load of each CPU, and the worst latencies. */
#include "analysis/stats/overview.h"

#include <stdlib.h>

#include "analysis/stats/interval_result.h"

#define WORST_ROWS 10
/* Fewer intervals have no meaningful median, and shorter latencies do no harm. */
#define WORST_COUNT_MIN	 5
#define WORST_MAX_NS_MIN 20000

/* States of the kind "cpu", in the order of its keys. */
enum { IDLE, TASK, SOFTIRQ, IRQ, N_STATES };

struct cpu {
	int64_t cpu;
	uint64_t ns[N_STATES];
};

static const struct kft_result_column cpu_columns[] = {
	{"cpu", "CPU"},
	{"time", "TIME"},
	{"tasks", "TASKS"},
	{"softirqs", "SOFTIRQS"},
	{"irqs", "IRQS"},
	{"idle", "IDLE"},
	{"tasks_ns", "TASKS", .for_programs = true},
	{"softirqs_ns", "SOFTIRQS", .for_programs = true},
	{"irqs_ns", "IRQS", .for_programs = true},
	{"idle_ns", "IDLE", .for_programs = true},
};

static const struct kft_result_column worst_columns[] = {
	{"kind", "WORST", .is_text = true},
	{"key", "KEY", .is_text = true},
	{"count", "COUNT"},
	{"p50", "MEDIAN"},
	{"max", "MAX"},
	{"times", "MAX/MEDIAN", .marks_most = true},
	{"max_start", "MAX AT", .is_detail = true},
	{"max_cpu", "CPU", .is_detail = true},
	{"comm", "TASK", .is_text = true},
	{"max_pid", "PID", .is_detail = true},
};

static const struct kft_result_column next_columns[] = {
	{"command", "NEXT COMMANDS", .is_text = true},
	{"tells", "", .is_text = true},
};

static bool has_events(struct kft_trace *t, const struct kft_stats *stats,
		       const struct kft_interval_kind *kind)
{
	uint64_t told[KFT_ID_WORDS] = {};

	kft_engine_tells(t, &kind, 1, told);
	kft_vec_for_each(&stats->events, ev)
		if (ev->count && kft_id_wanted(told, ev->id))
			return true;
	return false;
}

size_t kft_overview_kinds(struct kft_trace *t, const struct kft_stats *stats,
			  const struct kft_interval_kind *const *kinds, size_t n,
			  const struct kft_interval_kind **ret)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (has_events(t, stats, kinds[i]))
			ret[found++] = kinds[i];
	return found;
}

static struct kft_value share(uint64_t part, uint64_t all)
{
	if (!all)
		return kft_value_none();
	return kft_value_number(KFT_VALUE_RATIO,
				(uint64_t)((double)part / all * 1000000 + 0.5));
}

static void put_cpu(struct kft_result_table *table, const struct cpu *c)
{
	static const int order[] = {TASK, SOFTIRQ, IRQ, IDLE};
	uint64_t all = 0;

	for (int i = 0; i < N_STATES; i++)
		all += c->ns[i];
	kft_result_put(table, kft_value_cpu(c->cpu));
	kft_result_put(table, kft_value_duration(all));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		kft_result_put(table, share(c->ns[order[i]], all));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		kft_result_put(table, kft_value_duration(c->ns[order[i]]));
}

static bool is_of(const struct kft_interval_stat *s, const char *kind)
{
	return strcmp(s->row.kind->name, kind) == 0;
}

static int compare_cpus(const void *pa, const void *pb)
{
	const struct cpu *a = pa;
	const struct cpu *b = pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* The time of a state includes the intervals that the edges of the trace cut off. */
static void add_cpus(const struct kft_interval_stats *s, struct kft_result *r)
{
	KFT_VEC(struct cpu) cpus = {};

	kft_vec_for_each(&s->list, stat) {
		size_t i = 0;

		if (!is_of(stat, "cpu") || stat->row.key >= N_STATES)
			continue;
		while (i < cpus.len && cpus.data[i].cpu != stat->row.cpu)
			i++;
		if (i == cpus.len &&
		    !kft_vec_push(&cpus, (struct cpu){.cpu = stat->row.cpu}))
			r->failed = true;
		else
			cpus.data[i].ns[stat->row.key] += stat->total_ns + stat->apart_ns;
	}
	if (cpus.len) {
		struct kft_result_table *table = kft_result_add_table(
			r, "cpus", cpu_columns, ARRAY_SIZE(cpu_columns));

		qsort(cpus.data, cpus.len, sizeof(*cpus.data), compare_cpus);
		kft_vec_for_each(&cpus, c)
			put_cpu(table, c);
	}
	kft_vec_finish(&cpus);
}

static bool is_one_of(const char *text, const char *const *list)
{
	for (; *list; list++)
		if (strcmp(text, *list) == 0)
			return true;
	return false;
}

/*
 * Long intervals of these kinds and keys are normal: calls that wait for an event, and states
 * that last as long as the task or CPU has nothing to do.
 */
static bool is_expected(struct kft_trace *t, const struct kft_interval_stat *s)
{
	static const char *const kinds[] = {"cpu",	"idle",	 "frequency", "irq-gap",
					    "mark-gap", "futex", "migration", NULL};
	static const char *const waits[] = {
		/* system calls */
		"futex", "epoll_wait", "epoll_pwait", "epoll_pwait2", "poll", "ppoll",
		"select", "pselect6", "_newselect", "nanosleep", "clock_nanosleep",
		"wait4", "waitid", "pause", "rt_sigsuspend", "rt_sigtimedwait", "accept",
		"accept4", "io_getevents", "io_uring_enter", "recvmsg", "recvfrom",
		"restart_syscall",
		/* states */
		"sleeping", "stopped", "traced", "running", NULL};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};

	if (s->row.kind->is_instant || is_one_of(s->row.kind->name, kinds))
		return true;
	if (!is_of(s, "syscall") && !is_of(s, "task"))
		return false;
	kft_interval_key_text(t, s->row.kind, s->row.key, &key);
	return is_one_of(kft_strbuf_cstr(&key), waits);
}

static double times_usual(const struct kft_interval_stat *s)
{
	return (double)s->max_ns / KFT_MAX(s->percentiles[KFT_P50], UINT64_C(1));
}

/* The worst rows so far, the worst one first. */
struct worst {
	const struct kft_interval_stat *rows[WORST_ROWS];
	size_t n;
};

static void insert(struct worst *w, const struct kft_interval_stat *s)
{
	size_t at = w->n;

	while (at > 0 && times_usual(s) > times_usual(w->rows[at - 1]))
		at--;
	if (at == WORST_ROWS)
		return;
	w->n = KFT_MIN(w->n + 1, (size_t)WORST_ROWS);
	memmove(&w->rows[at + 1], &w->rows[at], (w->n - at - 1) * sizeof(*w->rows));
	w->rows[at] = s;
}

static void put_worst(struct kft_trace *t, const struct kft_interval_stat *s,
		      struct kft_result_table *table, struct kft_result *r)
{
	const struct kft_interval *i = &s->longest;

	kft_result_put(table, kft_value_text(r, s->row.kind->name));
	kft_result_put(table, kft_interval_row_name(t, r, s));
	kft_result_put(table, kft_value_count(s->count));
	kft_result_put(table, kft_value_duration(s->percentiles[KFT_P50]));
	kft_result_put(table, kft_value_duration(s->max_ns));
	kft_result_put(table, kft_value_count((uint64_t)(times_usual(s) + 0.5)));
	kft_result_put(table, kft_value_number(KFT_VALUE_TIME, i->begin_ns));
	kft_result_put(table, kft_value_cpu(i->cpu));
	kft_result_put(table,
		       kft_value_task(r, kft_task_comm_at(&t->tasks, (uint32_t)i->pid,
							  i->begin_ns)));
	kft_result_put(table, kft_value_pid(i->pid));
}

static void find_worst(struct kft_trace *t, const struct kft_interval_stats *s,
		       struct worst *ret)
{
	*ret = (struct worst){};
	kft_vec_for_each(&s->list, stat)
		if (stat->count >= WORST_COUNT_MIN && stat->max_ns >= WORST_MAX_NS_MIN &&
		    !is_expected(t, stat))
			insert(ret, stat);
}

static void put_next(struct kft_result *r, struct kft_result_table *table,
		     const char *tells, const char *fmt, const char *file,
		     const char *what)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, fmt, file, what);
	kft_result_put(table, kft_value_text(r, kft_strbuf_cstr(&sb)));
	kft_result_put(table, kft_value_word(tells));
}

/* Adds a row as kft why accepts it, KIND:KEY, or only KIND if the key would need quotes. */
static void add_row_word(struct kft_trace *t, const struct kft_interval_stat *s,
			 struct kft_strbuf *sb)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-";
	_cleanup_(kft_strbuf_finish) struct kft_strbuf key = {};

	kft_strbuf_adds(sb, s->row.kind->name);
	kft_interval_key_text(t, s->row.kind, s->row.key, &key);
	if (is_of(s, "irq"))
		key.len = strcspn(kft_strbuf_cstr(&key), " ");
	if (key.len && strspn(kft_strbuf_cstr(&key), plain) == key.len) {
		kft_strbuf_addc(sb, ':');
		kft_strbuf_add(sb, key.buf, key.len);
	}
}

static void add_next(struct kft_trace *t, const struct kft_interval_stats *s,
		     const struct worst *w, const char *file, struct kft_result *r)
{
	struct kft_result_table *table = kft_result_add_table(r, "next", next_columns,
							      ARRAY_SIZE(next_columns));
	const char *kind = w->n ? w->rows[0]->row.kind->name
				: s->list.data[0].row.kind->name;
	bool has_tasks = false;

	kft_vec_for_each(&s->list, stat)
		has_tasks |= is_of(stat, "task");
	if (w->n) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};

		add_row_word(t, w->rows[0], &word);
		put_next(r, table, "explain the longest of the first row above",
			 "kft why %s %s", file, kft_strbuf_cstr(&word));
	}
	put_next(r, table, "durations of all intervals of its type, as histograms",
		 "kft stats %2$s %1$s --hist", file, kind);
	if (has_tasks)
		put_next(r, table, "tasks that waited for a CPU",
			 "kft stats task %s --where 'key == waiting' --by comm", file,
			 "");
	put_next(r, table, "all types of intervals", "kft stats all %s", file, "");
	put_next(r, table, "numbers of events by type", "kft stats events %s", file, "");
}

void kft_overview_result(struct kft_trace *t, const struct kft_interval_stats *s,
			 const char *file, struct kft_result *r)
{
	struct worst w;

	if (!s->list.len)
		return;
	add_cpus(s, r);
	find_worst(t, s, &w);
	struct kft_result_table *table = kft_result_add_table(r, "worst", worst_columns,
							      ARRAY_SIZE(worst_columns));

	for (size_t i = 0; i < w.n; i++)
		put_worst(t, w.rows[i], table, r);
	add_next(t, s, &w, file, r);
}
