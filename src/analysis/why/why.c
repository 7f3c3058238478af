// SPDX-License-Identifier: LGPL-2.1-or-later
/* Explains intervals, and chooses the cause that the sentence names. */
#include "analysis/why/why.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

/*
 * Time in ns that is read before an interval, to know the states of tasks when it began
 * (less for an ordinary interval), and after it.
 */
#define BEFORE_NS	UINT64_C(500000000)
#define BEFORE_USUAL_NS UINT64_C(50000000)
#define AFTER_NS	UINT64_C(10000000)

/* Maximum number of ordinary intervals that are explained for comparison. */
#define USUAL_MAX 9
/* An interval above 1.2 times the median is unusual. In tenths. */
#define STRANGE_TENTHS 12

static int64_t excess(const struct kft_why *w, size_t cause)
{
	return (int64_t)(w->by_cause[cause] - w->usual.ns[cause]);
}

/* Rows with the same number count together: waits behind tasks of one name, else each row alone. */
static uint64_t name_of(const struct kft_why *w, const struct kft_why_row *row)
{
	bool is_behind = row->like.cause == KFT_WHY_CPU ||
			 row->like.cause == KFT_WHY_HELD;
	const char *comm;

	if (!is_behind || row->n_behind)
		return (uint64_t)(row - w->rows.data);
	comm = kft_why_comm(w, row->like.pid, row->like.begin);
	/* No number of a row is that large. */
	return kft_hash_bytes(comm, strlen(comm)) >> 1 | UINT32_MAX;
}

/* Chooses the name with the most time in the leading cause, and its largest row. */
static int choose_row(struct kft_why *w)
{
	struct kft_map by_name = {};
	int r = 0;

	kft_vec_for_each(&w->rows, row) {
		uint64_t *ns = kft_map_put(&by_name, name_of(w, row));

		if (ns && row->like.cause == w->lead)
			*ns += row->total_ns;
		r = ns ? r : -ENOMEM;
	}
	for (size_t i = 0; i < w->rows.len && r == 0; i++) {
		const struct kft_why_row *row = &w->rows.data[i];
		const struct kft_why_row *lead = &w->rows.data[w->lead_row];
		uint64_t ns = *kft_map_get(&by_name, name_of(w, row));

		if (row->like.cause != w->lead)
			continue;
		if (ns > w->lead_ns) {
			w->lead_ns = ns;
			w->lead_row = i;
			w->lead_is_shared = false;
		} else if (name_of(w, row) == name_of(w, lead)) {
			w->lead_is_shared |= !w->is_command &&
					     row->like.pid != lead->like.pid;
		}
	}
	kft_map_finish(&by_name);
	return r;
}

static bool is_strange(const struct kft_why *w)
{
	return w->usual.is_known &&
	       kft_interval_ns(&w->interval) > w->median_ns / 10 * STRANGE_TENTHS;
}

/*
 * The sentence about an unusual interval names the cause that exceeds its usual time
 * most, so that it does not blame work that every such interval does. Otherwise it names
 * the largest cause.
 */
static int choose_lead(struct kft_why *w)
{
	bool by_excess = is_strange(w);

	w->lead = KFT_WHY_UNKNOWN;
	for (size_t i = 0; i < KFT_WHY_CAUSES; i++)
		if (by_excess ? excess(w, i) > excess(w, w->lead)
			      : w->by_cause[i] > w->by_cause[w->lead])
			w->lead = i;
	return choose_row(w);
}

static bool is_kind(const struct kft_interval *i, const char *name)
{
	return i->kind && strcmp(i->kind->name, name) == 0;
}

/*
 * The task on the CPU at the end of an interval: the kworker that takes a queued work.
 * -1: unknown.
 */
static int32_t pid_at_end(const struct kft_interval *i, const struct kft_why_facts *facts)
{
	const struct kft_why_cpu *cpu = kft_why_cpu_find(facts, i->end_cpu);
	uint64_t until;
	const struct kft_why_current *current =
		cpu ? kft_why_current_at(cpu, i->end_ns, &until) : NULL;

	return current ? current->pid : -1;
}

static struct kft_why_interval path_of(const struct kft_interval *i,
				       const struct kft_why_facts *facts)
{
	struct kft_why_interval path = {
		.begin = i->begin_ns, .end = i->end_ns, .pid = i->pid, .cpu = i->cpu};

	if (is_kind(i, "hrtimer-late")) {
		path.is_late = true;
		path.is_tick = kft_why_is_tick(facts->trace, i->key);
	} else if (is_kind(i, "block") || is_kind(i, "block-queued")) {
		path.is_io = true;
		path.io_cause = is_kind(i, "block") ? KFT_WHY_IO_DEVICE
						    : KFT_WHY_IO_QUEUE;
		path.dev = i->key;
	} else if (is_kind(i, "work-queued")) {
		path.pid = pid_at_end(i, facts);
	} else if (i->kind && i->kind->per_cpu) {
		path.pid = -1;
		path.irq = i;
	}
	return path;
}

/* The time of an interval is cut into segments. */
struct window {
	const struct kft_interval *interval; /* borrowed */
	bool is_usual; /* only its segments count */
};

/* Gets the segments of window i. It may take the path, and unless is_usual the facts. */
typedef int take_path_fn(void *arg, size_t i, struct kft_why_facts *facts,
			 struct kft_why_path *path);

struct windows {
	const struct window *list;
	take_path_fn *take;
	void *arg;
};

static int find_path(void *arg, size_t i, struct kft_why_facts *facts)
{
	const struct windows *w = arg;
	const struct kft_why_interval of = path_of(w->list[i].interval, facts);
	struct kft_why_path path;
	int r = kft_why_path_find(facts, &of, &path);

	if (r < 0)
		return r;
	r = w->take(w->arg, i, facts, &path);
	kft_why_path_finish(&path);
	return r;
}

/* Reads the trace around all windows once. */
static int read_windows(struct kft_trace *t, const struct windows *w, size_t n,
			struct kft_err *e)
{
	_cleanup_free_ struct kft_why_range *ranges = calloc(n + 1, sizeof(*ranges));

	if (!ranges)
		return kft_err_sys(e, -ENOMEM, "cannot explain the interval");
	for (size_t i = 0; i < n; i++) {
		const struct kft_interval *of = w->list[i].interval;
		bool is_usual = w->list[i].is_usual;
		uint64_t before = is_usual ? BEFORE_USUAL_NS : BEFORE_NS;

		ranges[i].borrows = is_usual;
		ranges[i].since = of->begin_ns - KFT_MIN(before, of->begin_ns);
		if (kft_add(of->end_ns, AFTER_NS, &ranges[i].until))
			ranges[i].until = UINT64_MAX;
	}
	return kft_why_facts_read(t, ranges, n, find_path, (void *)w, e);
}

/* Adds the segments of one of n ordinary intervals. */
static void add_usual(struct kft_why_usual *usual, const struct kft_why_path *path,
		      size_t n)
{
	usual->is_known = true;
	kft_vec_for_each(&path->segments, s)
		usual->ns[s->cause] += (s->end - s->begin) / n;
}

static size_t count_usual(const struct kft_why_found *found)
{
	return KFT_MIN(found->usual.len, (size_t)USUAL_MAX);
}

static int take_rows(struct kft_why *w, struct kft_why_facts *facts,
		     struct kft_why_path *path)
{
	w->facts = *facts;
	w->path = *path;
	*facts = (struct kft_why_facts){};
	*path = (struct kft_why_path){};
	w->of_task = kft_why_is_of_task(&w->interval);
	int r = kft_why_add_up(w);

	return r < 0 || !HAVE_PERF ? r : kft_why_split_running(w, false);
}

static struct kft_why why_of(struct kft_trace *t, const struct kft_why_found *found,
			     size_t rank)
{
	return (struct kft_why){
		.trace = t,
		.interval = found->worst.data[rank],
		.rank = (uint32_t)rank,
		.count = found->count,
		.median_ns = found->usual.len ? found->median_ns : 0,
		.left_out = found->left_out,
	};
}

/* The windows of each target: the one of its interval, and those of ordinary intervals. */
struct explained {
	const struct kft_why_target *targets;
	struct kft_why *whys;
	struct window windows[KFT_WHY_TARGETS_MAX * (1 + USUAL_MAX)];
	uint8_t target_of[KFT_WHY_TARGETS_MAX * (1 + USUAL_MAX)];
	size_t n;
};

static void add_window(struct explained *x, size_t target, const struct kft_interval *of,
		       bool is_usual)
{
	x->target_of[x->n] = (uint8_t)target;
	x->windows[x->n++] = (struct window){of, is_usual};
}

static int take_target(void *arg, size_t i, struct kft_why_facts *facts,
		       struct kft_why_path *path)
{
	struct explained *x = arg;
	const struct kft_why_target *target = &x->targets[x->target_of[i]];
	struct kft_why *w = &x->whys[x->target_of[i]];

	if (!x->windows[i].is_usual)
		return take_rows(w, facts, path);
	add_usual(&w->usual, path, target->only_causes ? 1 : count_usual(target->found));
	return 0;
}

int kft_why_explain(struct kft_trace *t, const struct kft_why_target *targets, size_t n,
		    struct kft_why *ret, struct kft_err *e)
{
	struct explained x = {.targets = targets, .whys = ret};
	const struct windows windows = {x.windows, take_target, &x};

	for (size_t i = 0; i < n; i++) {
		const struct kft_why_found *found = targets[i].found;

		ret[i] = why_of(t, found, targets[i].rank);
		add_window(&x, i, &ret[i].interval, targets[i].only_causes);
		for (size_t j = 0; !targets[i].only_causes && j < count_usual(found); j++)
			add_window(&x, i, &found->usual.data[j], true);
	}
	int r = read_windows(t, &windows, x.n, e);

	for (size_t i = 0; i < n && r == 0; i++)
		if (!targets[i].only_causes && choose_lead(&ret[i]) < 0)
			r = kft_err_sys(e, -ENOMEM, "cannot explain the interval");
	for (size_t i = 0; i < n && r < 0; i++)
		kft_why_finish(&ret[i]);
	return r;
}

/* All of the worst intervals, one after the other. */
struct each {
	struct kft_trace *trace;
	const struct kft_why_found *found;
	const struct kft_why_usual *usual;
	kft_why_fn *take;
	void *arg;
};

static int take_each(void *arg, size_t i, struct kft_why_facts *facts,
		     struct kft_why_path *path)
{
	const struct each *each = arg;
	struct kft_why w = why_of(each->trace, each->found, i);

	w.usual = *each->usual;
	int r = take_rows(&w, facts, path);

	if (r == 0)
		r = choose_lead(&w);
	if (r == 0)
		r = each->take(each->arg, &w);
	kft_why_finish(&w);
	return r;
}

int kft_why_explain_each(struct kft_trace *t, const struct kft_why_found *found,
			 const struct kft_why_usual *usual, kft_why_fn *take, void *arg,
			 struct kft_err *e)
{
	struct each each = {t, found, usual, take, arg};
	size_t n = found->worst.len;
	_cleanup_free_ struct window *list = calloc(n + 1, sizeof(*list));
	const struct windows windows = {list, take_each, &each};

	if (!list)
		return kft_err_sys(e, -ENOMEM, "cannot explain the intervals");
	for (size_t i = 0; i < n; i++)
		list[i] = (struct window){&found->worst.data[i]};
	return read_windows(t, &windows, n, e);
}

static int take_time(void *arg, size_t i, struct kft_why_facts *facts,
		     struct kft_why_path *path)
{
	int r = take_rows(arg, facts, path);

	return r < 0 ? r : choose_lead(arg);
}

int kft_why_explain_time(struct kft_trace *t, const struct kft_why_interval *stretch,
			 struct kft_why *ret, struct kft_err *e)
{
	struct kft_why w = {.trace = t,
			    .interval = {.begin_ns = stretch->begin,
					 .end_ns = stretch->end,
					 .pid = stretch->pid,
					 .cpu = stretch->cpu},
			    .is_command = stretch->is_command,
			    .count = 1};
	const struct window window = {&w.interval};
	const struct windows windows = {&window, take_time, &w};
	int r = read_windows(t, &windows, 1, e);

	if (r < 0) {
		kft_why_finish(&w);
		return r;
	}
	*ret = w;
	return 0;
}

int kft_why_explain_task(const struct kft_why_facts *facts,
			 const struct kft_why_interval *stretch, struct kft_why *ret)
{
	struct kft_why w = {.trace = facts->trace,
			    .interval = {.begin_ns = stretch->begin,
					 .end_ns = stretch->end,
					 .pid = stretch->pid,
					 .cpu = stretch->cpu},
			    .of_task = true,
			    .facts = *facts,
			    .count = 1};
	int r = kft_why_path_find(facts, stretch, &w.path);

	if (r == 0)
		r = kft_why_add_up(&w);
	if (r == 0)
		r = kft_why_split_running(&w, true);
	if (r < 0) {
		w.facts = (struct kft_why_facts){};
		kft_why_finish(&w);
		return r;
	}
	*ret = w;
	return 0;
}

void kft_why_finish(struct kft_why *w)
{
	kft_vec_finish(&w->rows);
	kft_why_programs_finish(&w->programs);
	kft_vec_finish(&w->functions.runnings);
	kft_vec_finish(&w->functions.list);
	kft_intern_finish(&w->functions.names);
	kft_why_path_finish(&w->path);
	kft_why_facts_finish(&w->facts);
}
