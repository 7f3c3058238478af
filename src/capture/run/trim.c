// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decides which of the recorded calls belong to a run. */
#include "capture/run/trim.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "capture/tracefs/probes.h"
#include "capture/run/run.h"
#include "capture/tracefs/cpu_counts.h"
#include "decode/trace_lazy.h"
#include "model/irq_name.h"
#include "model/merge.h"
#include "model/overruns.h"

/* enum trace_flag_type of the kernel: NMI, soft and hard interrupt. */
#define FLAGS_INTERRUPT (0x40u | 0x10u | 0x08u)

/* A probe on a function is at most so far behind its first byte (endbr, call of ftrace). */
#define PROBE_DISTANCE 32

/* Records of one run: 8 GB of them. */
#define EVENTS_MAX (UINT64_C(1) << 28)

enum kind {
	KIND_ENTRY,
	KIND_EXIT,
	KIND_START, /* the start trigger's probe */
	KIND_STOP,
	KIND_PRINT,
	KIND_COUNT,
};

/* Fields of the kinds; NULL where a kind has none of that name. */
struct reader {
	const struct kft_class *class; /* NULL: the trace has no such events */
	const struct kft_field *flags;
	const struct kft_field *pid;
	const struct kft_field *func; /* of a probe: where it is */
	const struct kft_field *depth;
	const struct kft_field *calltime;
	const struct kft_field *rettime;
	const struct kft_field *overrun;
	const struct kft_field *text;
};

/* One event, as far as it matters. */
struct seen {
	enum kind kind;
	const struct kft_event *ev;
	const struct reader *reader;
	uint64_t flags;
	uint64_t func;
	uint64_t depth;
	uint64_t duration_ns;
	int64_t pid;
};

/*
 * The last exits of a task, one of which is what a stop at an exit is about: behind it come
 * those of functions that the kernel itself calls to notice it, and of interrupts.
 */
#define EXITS_REMEMBERED 32

struct exit {
	uint64_t func;
	size_t at; /* index of the event */
	uint64_t ts;
};

struct exits {
	struct exit last[EXITS_REMEMBERED];
	size_t count; /* so far: the next one goes to count % EXITS_REMEMBERED */
};

/* No window is longer. */
struct limit {
	uint64_t ns; /* the first CPU's buffer was full, or the log had its calls */
	enum kft_run_cause cause;
};

struct scan {
	struct kft_trace *trace;
	const struct kft_plan *plan;
	const struct kft_run_record *rec;
	const struct kft_trim_window *given; /* NULL: windows are found */
	struct kft_trim *trim;
	struct reader readers[KIND_COUNT];
	const struct kft_task_table *tasks; /* NULL: tasks are not filtered */
	/* Addresses of what is of interrupts and recorded as what they interrupted. */
	KFT_VEC(uint64_t) irq_funcs;
	struct kft_map pending; /* pid and depth -> index + 1 of the entry */
	/* When each event's call was entered; has_entered: only if it is needed. */
	KFT_VEC(uint64_t) entered;
	bool has_entered;
	struct kft_overruns overruns;
	struct kft_map exits_of; /* pid -> index + 1 into exits */
	KFT_VEC(struct exits) exits;
	bool is_open; /* within a window, which is the last of trim->windows */
	bool is_over; /* no other window comes */
	bool is_paused;
	struct kft_trim_window resumed; /* the window as it was before the pause */
	/* pid -> index + 1 of the window that a call of the task opened and did not return */
	struct kft_map triggers;
	uint64_t trigger_func;
	uint64_t calls; /* kept so far */
	struct limit limit;
};

static void find_reader(struct scan *s, enum kind kind, const char *system,
			const char *name, const char *func)
{
	const struct kft_class *c = kft_class_table_find(&s->trace->classes, system,
							 name);

	if (!c)
		return;
	s->readers[kind] = (struct reader){
		.class = c,
		.flags = kft_class_field(c, "common_flags"),
		.pid = kft_class_field(c, "common_pid"),
		.func = kft_class_field(c, func),
		.depth = kft_class_field(c, "depth"),
		.calltime = kft_class_field(c, "calltime"),
		.rettime = kft_class_field(c, "rettime"),
		.overrun = kft_class_field(c, "overrun"),
		.text = kft_class_field(c, "buf"),
	};
}

static void find_readers(struct scan *s, const char *group)
{
	/* A probe on a return has __probe_func instead. */
	find_reader(s, KIND_ENTRY, "ftrace", "funcgraph_entry", "func");
	find_reader(s, KIND_EXIT, "ftrace", "funcgraph_exit", "func");
	if (!group)
		return;
	find_reader(s, KIND_PRINT, "ftrace", "print", "ip");
	find_reader(s, KIND_START, group, KFT_PROBE_START, "__probe_ip");
	find_reader(s, KIND_STOP, group, KFT_PROBE_STOP, "__probe_ip");
	for (int kind = KIND_START; kind <= KIND_STOP; kind++) {
		struct reader *r = &s->readers[kind];

		if (r->class && !r->func)
			r->func = kft_class_field(r->class, "__probe_func");
	}
}

static uint64_t read_field(const struct scan *s, const struct kft_event *ev,
			   const struct kft_field *f)
{
	uint64_t v;

	return f && kft_event_int(ev, f, s->trace->swap, &v) ? v : 0;
}

/* False for an event of another kind. */
static bool see(const struct scan *s, const struct kft_event *ev, struct seen *ret)
{
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		const struct reader *r = &s->readers[kind];

		if (!r->class || r->class->id != ev->id)
			continue;
		*ret = (struct seen){
			.kind = kind,
			.ev = ev,
			.reader = r,
			.flags = read_field(s, ev, r->flags),
			.pid = (int64_t)read_field(s, ev, r->pid),
			.func = read_field(s, ev, r->func),
			.depth = read_field(s, ev, r->depth),
		};
		uint64_t in = read_field(s, ev, r->calltime);
		uint64_t out = read_field(s, ev, r->rettime);
		ret->duration_ns = out > in ? out - in : 0;
		return true;
	}
	return false;
}

static struct kft_trim_window *window(struct scan *s)
{
	return &s->trim->windows.data[s->trim->windows.len - 1];
}

static int open_window(struct scan *s, uint64_t start_ns, enum kft_run_cause cause)
{
	struct kft_trim_window w = {
		.start_ns = start_ns, .stop_ns = UINT64_MAX, .started = cause};
	const struct kft_plan_trigger *stop = &s->plan->stop;

	if (stop->kind == KFT_TRIGGER_TIME &&
	    kft_add(start_ns, stop->time_ns, &w.stop_ns))
		w.stop_ns = UINT64_MAX;
	if (start_ns > s->limit.ns) {
		s->is_over = true;
		return 0;
	}
	if (s->limit.ns < w.stop_ns)
		w = (struct kft_trim_window){start_ns, s->limit.ns, cause,
					     s->limit.cause};
	s->is_open = true;
	return kft_vec_push(&s->trim->windows, w) ? 0 : -ENOMEM;
}

static void close_window(struct scan *s, uint64_t stop_ns, enum kft_run_cause cause)
{
	struct kft_trim_window *w = window(s);

	w->stop_ns = KFT_MIN(w->stop_ns, stop_ns);
	w->stopped = cause;
	s->is_open = false;
	s->is_over = !s->plan->autorepeat;
}

/* The window ends, but not the run: its end may be known already. */
static void pause_window(struct scan *s, uint64_t ts, enum kft_run_cause cause)
{
	s->resumed = *window(s);
	close_window(s, ts, cause);
	s->is_over = false;
	s->is_paused = true;
}

static int resume_window(struct scan *s, uint64_t ts, enum kft_run_cause cause)
{
	s->is_paused = false;
	if (ts > s->resumed.stop_ns)
		return 0;
	s->resumed.start_ns = ts;
	s->resumed.started = cause;
	s->is_open = true;
	return kft_vec_push(&s->trim->windows, s->resumed) ? 0 : -ENOMEM;
}

static bool is_near(uint64_t func, uint64_t probe)
{
	return func <= probe ? probe - func < PROBE_DISTANCE
			     : func - probe < PROBE_DISTANCE;
}

static uint64_t pending_key(const struct seen *seen)
{
	return (uint64_t)(uint32_t)seen->pid << 16 | (seen->depth & 0xffff);
}

static bool comm_matches(const struct scan *s, int64_t pid)
{
	const struct kft_plan_functions *f = &s->plan->functions;
	const char *comm = kft_task_comm(s->tasks, (uint32_t)pid);

	for (size_t i = 0; i < f->n_comms; i++)
		if (fnmatch(f->comms[i], comm, 0) == 0)
			return true;
	return false;
}

static bool is_wanted_task(const struct scan *s, int64_t pid)
{
	bool found = !s->plan->n_pids || s->rec->setup.tasks_filtered;

	for (size_t i = 0; !found && i < s->plan->n_pids; i++)
		found = s->plan->pids[i] == pid;
	return found && (!s->tasks || comm_matches(s, pid));
}

/* The others that kft_irq_name knows are a task's. */
static int find_irq_funcs(struct scan *s)
{
	const struct kft_symbol_table *symbols = kft_trace_symbols(s->trace);

	kft_vec_for_each(&symbols->syms, sym) {
		enum kft_irq_name is = kft_irq_name_find(sym->name, sym->name_len);

		if (is != KFT_IRQ_NAME_NONE && is != KFT_IRQ_NAME_CALLS_SOFTIRQS &&
		    !kft_vec_push(&s->irq_funcs, sym->addr))
			return -ENOMEM;
	}
	return 0;
}

static bool is_in_interrupt(const struct scan *s, const struct seen *seen)
{
	if (seen->flags & FLAGS_INTERRUPT)
		return true;
	kft_vec_for_each(&s->irq_funcs, addr) {
		if (seen->func < *addr || seen->func - *addr >= PROBE_DISTANCE)
			continue;
		const struct kft_symbol *sym =
			kft_symbol_lookup(kft_trace_symbols(s->trace), seen->func);

		if (sym && sym->addr == *addr)
			return true;
	}
	return false;
}

/* What is wrong with where a call was made, if anything. */
static enum kft_verdict judge_context(const struct scan *s, const struct seen *seen,
				      enum kft_verdict otherwise)
{
	bool in_interrupt = s->plan->functions.context && is_in_interrupt(s, seen);

	if (s->plan->functions.context == KFT_CONTEXT_TASK && in_interrupt)
		return KFT_VERDICT_INTERRUPT;
	if (s->plan->functions.context == KFT_CONTEXT_INTERRUPT && !in_interrupt)
		return KFT_VERDICT_NO_INTERRUPT;
	return is_wanted_task(s, seen->pid) ? otherwise : KFT_VERDICT_TASK;
}

static uint64_t entry_ns(const struct seen *seen)
{
	return seen->duration_ns < seen->ev->ts ? seen->ev->ts - seen->duration_ns : 0;
}

/* The window that a call entered before it has opened; NULL for any other call. */
static const struct kft_trim_window *opened_by(struct scan *s, const struct seen *seen)
{
	uint64_t *place = kft_map_get(&s->triggers, (uint32_t)seen->pid);

	/* Of several calls of the function that are open, the innermost returns first. */
	if (!place || !*place || !is_near(seen->func, s->trigger_func))
		return NULL;
	const struct kft_trim_window *w = &s->trim->windows.data[*place - 1];
	if (entry_ns(seen) >= w->start_ns)
		return NULL;
	*place = 0;
	return w;
}

/* Its entry was recorded in a window. */
static bool has_open_entry(struct scan *s, const struct seen *seen)
{
	const uint64_t *place = kft_map_get(&s->pending, pending_key(seen));

	return place && *place && s->trim->verdicts.data[*place - 1] == KFT_VERDICT_OPEN;
}

/*
 * The window that a call was entered in; NULL: in none. The record of an entry is a little
 * later than the entry: a window can have begun in between.
 */
static const struct kft_trim_window *entered_in(struct scan *s, const struct seen *seen)
{
	const struct kft_trim_window *next = NULL;
	uint64_t entry = entry_ns(seen);

	for (size_t i = s->trim->windows.len; i-- > 0;) {
		const struct kft_trim_window *w = &s->trim->windows.data[i];

		if (entry > w->stop_ns)
			break;
		if (entry >= w->start_ns)
			return w;
		next = w;
	}
	return next && has_open_entry(s, seen) ? next : opened_by(s, seen);
}

static enum kft_verdict filter(const struct scan *s, const struct seen *seen,
			       enum kft_verdict otherwise)
{
	const struct kft_plan_functions *f = &s->plan->functions;

	if (f->min_ns && seen->duration_ns < f->min_ns)
		return KFT_VERDICT_SHORT;
	if (f->max_ns && seen->duration_ns > f->max_ns)
		return KFT_VERDICT_LONG;
	return judge_context(s, seen, otherwise);
}

static enum kft_verdict judge_exit(struct scan *s, const struct seen *seen)
{
	const struct kft_trim_window *w = entered_in(s, seen);
	bool is_beyond = !w && s->limit.cause == KFT_CAUSE_ENTRIES &&
			 entry_ns(seen) > s->limit.ns;

	if (w)
		return filter(s, seen,
			      seen->ev->ts > w->stop_ns ? KFT_VERDICT_LATE
							: KFT_VERDICT_CALL);
	if (is_beyond && filter(s, seen, KFT_VERDICT_CALL) == KFT_VERDICT_CALL)
		return KFT_VERDICT_BEYOND;
	return s->is_open && seen->ev->ts >= window(s)->start_ns ? KFT_VERDICT_EARLIER
								 : KFT_VERDICT_OUTSIDE;
}

static bool is_kept_exit(uint8_t verdict)
{
	return verdict == KFT_VERDICT_CALL || verdict == KFT_VERDICT_LATE;
}

/* The entry shares the fate of its call. */
static void settle_entry(struct scan *s, const struct seen *seen, enum kft_verdict exit)
{
	uint64_t *place = kft_map_get(&s->pending, pending_key(seen));

	if (!place || !*place)
		return;
	uint8_t *entry = &s->trim->verdicts.data[*place - 1];
	*place = 0;
	if (*entry == KFT_VERDICT_OPEN || exit == KFT_VERDICT_BEYOND)
		*entry = is_kept_exit(exit) ? KFT_VERDICT_ENTRY : KFT_VERDICT_HALF;
}

static int note_exit(struct scan *s, const struct seen *seen, size_t at)
{
	const struct exit exit = {.func = seen->func, .at = at, .ts = seen->ev->ts};
	uint64_t *place;

	if (s->plan->stop.kind != KFT_TRIGGER_EXIT)
		return 0;
	place = kft_map_put(&s->exits_of, (uint32_t)seen->pid);
	if (!place)
		return -ENOMEM;
	if (!*place) {
		if (!kft_vec_push(&s->exits, (struct exits){}))
			return -ENOMEM;
		*place = s->exits.len;
	}
	struct exits *e = &s->exits.data[*place - 1];
	e->last[e->count++ % EXITS_REMEMBERED] = exit;
	return 0;
}

/* The return that a stop is about: the last one of its function in its task. */
static const struct exit *find_exit(const struct scan *s, const struct seen *stop)
{
	const uint64_t *place = kft_map_get(&s->exits_of, (uint32_t)stop->pid);
	const struct exits *e = place && *place ? &s->exits.data[*place - 1] : NULL;
	size_t n = e ? KFT_MIN(e->count, (size_t)EXITS_REMEMBERED) : 0;

	for (size_t i = 1; i <= n; i++) {
		const struct exit *exit = &e->last[(e->count - i) % EXITS_REMEMBERED];

		if (is_near(exit->func, stop->func))
			return exit;
	}
	return NULL;
}

/* Idle tasks, which share pid 0, have a stack for each CPU. */
static int count_too_deep(struct scan *s, const struct seen *seen)
{
	uint64_t stack = seen->pid ? (uint32_t)seen->pid
				   : UINT64_C(1) << 32 | seen->ev->cpu;
	uint32_t n;
	int r = kft_overruns_feed(&s->overruns, stack, seen->depth,
				  read_field(s, seen->ev, seen->reader->overrun), &n);

	if (r == 0 && s->is_open && is_wanted_task(s, seen->pid))
		s->trim->too_deep += n;
	return r;
}

static int feed_exit(struct scan *s, const struct seen *seen, size_t at, uint8_t *ret)
{
	enum kft_verdict v = judge_exit(s, seen);
	int r = note_exit(s, seen, at);

	if (r == 0)
		r = count_too_deep(s, seen);
	if (r < 0)
		return r;
	settle_entry(s, seen, v);
	*ret = v;
	s->calls += is_kept_exit(v);
	if (s->has_entered)
		s->entered.data[at] = entry_ns(seen);
	return 0;
}

static int feed_entry(struct scan *s, const struct seen *seen, size_t at, uint8_t *ret)
{
	uint64_t *place = kft_map_put(&s->pending, pending_key(seen));

	if (!place)
		return -ENOMEM;
	*place = at + 1;
	*ret = s->is_open ? judge_context(s, seen, KFT_VERDICT_OPEN)
			  : KFT_VERDICT_OUTSIDE;
	return 0;
}

static int feed_start(struct scan *s, const struct seen *seen, uint8_t *ret)
{
	*ret = KFT_VERDICT_MARK;
	if (s->is_open || s->is_over) {
		/* The function was called again while recording: no start. */
		*ret = s->is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
		return 0;
	}
	int r = open_window(s, seen->ev->ts, KFT_CAUSE_TRIGGER);

	if (r < 0 || !s->is_open || s->plan->start.kind != KFT_TRIGGER_ENTRY)
		return r;
	uint64_t *place = kft_map_put(&s->triggers, (uint32_t)seen->pid);
	if (!place)
		return -ENOMEM;
	*place = s->trim->windows.len;
	s->trigger_func = seen->func;
	return 0;
}

/* What was recorded between the function's return and the probe that noticed it. */
static void drop_since(struct scan *s, size_t at, uint64_t stop_ns)
{
	for (size_t i = at + 1; i < s->trim->verdicts.len; i++) {
		uint8_t *v = &s->trim->verdicts.data[i];

		if (*v >= KFT_VERDICT_MARK)
			continue;
		if (is_kept_exit(*v) && s->entered.data[i] <= stop_ns) {
			*v = KFT_VERDICT_LATE;
			continue;
		}
		s->calls -= is_kept_exit(*v);
		*v = KFT_VERDICT_OUTSIDE;
	}
}

static void feed_stop(struct scan *s, const struct seen *seen, uint8_t *ret)
{
	*ret = s->is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
	if (!s->is_open)
		return;
	uint64_t stop_ns = seen->ev->ts;
	const struct exit *exit = find_exit(s, seen);

	if (exit && exit->ts >= window(s)->start_ns) {
		stop_ns = exit->ts;
		drop_since(s, exit->at, stop_ns);
	}
	close_window(s, stop_ns, KFT_CAUSE_TRIGGER);
}

static enum kft_run_cause cause_of(const char *word)
{
	static const char *const words[] = {
		[KFT_CAUSE_USER] = "user",
		[KFT_CAUSE_TIME] = "time",
		[KFT_CAUSE_FULL] = "full",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i] && strcmp(words[i], word) == 0)
			return i;
	return KFT_CAUSE_OTHER;
}

/* "kft: start CAUSE NS" */
static bool parse_mark(const char *text, const char *prefix,
		       enum kft_run_cause *ret_cause, uint64_t *ret_ns)
{
	char cause[16];
	unsigned long long ns;

	if (strncmp(text, prefix, strlen(prefix)) != 0 ||
	    sscanf(text + strlen(prefix), "%15s %llu", cause, &ns) != 2)
		return false;
	*ret_cause = cause_of(cause);
	*ret_ns = ns;
	return true;
}

/*
 * A stop at a time is noticed after it. With autorepeat another start may have come before
 * recording was switched off: that window ends here.
 */
static uint64_t stop_of(struct scan *s, uint64_t ts, enum kft_run_cause cause,
			uint64_t mark_ns)
{
	return cause == KFT_CAUSE_TIME && mark_ns > window(s)->start_ns ? mark_ns : ts;
}

static int feed_print(struct scan *s, const struct seen *seen, uint8_t *ret)
{
	enum kft_run_cause cause;
	const char *p;
	size_t len;
	uint64_t ns;
	char text[96] = "";

	if (seen->reader->text &&
	    kft_event_str(seen->ev, seen->reader->text, s->trace->swap, &p, &len))
		(void)snprintf(text, sizeof(text), "%.*s",
			       (int)KFT_MIN(len, sizeof(text) - 1), p);
	*ret = KFT_VERDICT_MARK;
	if (parse_mark(text, KFT_RUN_MARK_START, &cause, &ns)) {
		/* A start at a time is switched on before it; one by hand is told too early. */
		if (!s->is_open && !s->is_over)
			return open_window(s, KFT_MAX(ns, seen->ev->ts), cause);
	} else if (parse_mark(text, KFT_RUN_MARK_STOP, &cause, &ns)) {
		if (s->is_open)
			close_window(s, stop_of(s, seen->ev->ts, cause, ns), cause);
	} else if (parse_mark(text, KFT_RUN_MARK_PAUSE, &cause, &ns)) {
		if (s->is_open)
			pause_window(s, seen->ev->ts, cause);
	} else if (parse_mark(text, KFT_RUN_MARK_RESUME, &cause, &ns)) {
		if (s->is_paused)
			return resume_window(s, seen->ev->ts, cause);
	} else if (!s->is_open) {
		*ret = KFT_VERDICT_OUTSIDE;
	}
	return 0;
}

/* The limit comes before the end that it was to have. */
static int open_given(struct scan *s)
{
	struct kft_trim_window w = *s->given;

	if (s->limit.ns < w.stop_ns) {
		w.stop_ns = s->limit.ns;
		w.stopped = s->limit.cause;
	}
	s->is_open = true;
	return kft_vec_push(&s->trim->windows, w) ? 0 : -ENOMEM;
}

/*
 * A start whose own record is gone was no later than it was noticed, and no later than the
 * first record that is left. Only before a time is recording on without being meant.
 */
static uint64_t start_without_record(const struct kft_run_record *rec, uint64_t first_ns)
{
	if (rec->started == KFT_CAUSE_TIME)
		return KFT_MAX(first_ns, rec->start_ns);
	return rec->start_ns ? KFT_MIN(first_ns, rec->start_ns) : first_ns;
}

/*
 * Its own start may have been overwritten, or taken. At an event it leaves none: the run
 * began with the first record, because recording was off before.
 */
static int open_without_start(struct scan *s, const struct kft_event *first)
{
	bool is_at_event = s->plan->start.kind == KFT_TRIGGER_EVENT &&
			   s->rec->started == KFT_CAUSE_TRIGGER;

	if (is_at_event)
		return open_window(s, first->ts, s->rec->started);
	if (!(s->plan->overwrite || s->trim->start_missing) ||
	    s->rec->started == KFT_CAUSE_NONE)
		return 0;
	return open_window(s, start_without_record(s->rec, first->ts), s->rec->started);
}

static int feed(struct scan *s, const struct kft_event *ev)
{
	size_t at = s->trim->verdicts.len;

	if (s->given && !s->trim->windows.len && ev->ts >= s->given->start_ns &&
	    open_given(s) < 0)
		return -ENOMEM;
	uint8_t verdict = s->is_open ? KFT_VERDICT_MARK : KFT_VERDICT_OUTSIDE;
	struct seen seen;
	int r = 0;

	/* The stop time may pass without any mark. */
	if (s->is_open && ev->ts > window(s)->stop_ns) {
		enum kft_run_cause cause = window(s)->stopped;

		close_window(s, window(s)->stop_ns,
			     cause != KFT_CAUSE_NONE ? cause : KFT_CAUSE_TIME);
		s->is_over |= cause == KFT_CAUSE_FULL || cause == KFT_CAUSE_ENTRIES;
		verdict = KFT_VERDICT_OUTSIDE;
	}
	while (s->trim->events.len <= ev->cpu)
		if (!kft_vec_push(&s->trim->events, 0))
			return -ENOMEM;
	s->trim->events.data[ev->cpu]++;
	if (!kft_vec_push(&s->trim->verdicts, verdict) ||
	    (s->has_entered && !kft_vec_push(&s->entered, ev->ts)))
		return -ENOMEM;
	if (!see(s, ev, &seen))
		return 0;
	switch (seen.kind) {
	case KIND_ENTRY:
		r = feed_entry(s, &seen, at, &verdict);
		break;
	case KIND_EXIT:
		r = feed_exit(s, &seen, at, &verdict);
		break;
	case KIND_START:
		r = feed_start(s, &seen, &verdict);
		break;
	case KIND_STOP:
		feed_stop(s, &seen, &verdict);
		break;
	case KIND_PRINT:
		r = feed_print(s, &seen, &verdict);
		break;
	case KIND_COUNT:
		break;
	}
	s->trim->verdicts.data[at] = verdict;
	return r;
}

static int feed_all(struct scan *s)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t last_ns = 0;
	int r = kft_merge_create(s->trace, NULL, &m);

	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		if (!s->trim->verdicts.len)
			r = open_without_start(s, ev);
		else
			r = s->trim->verdicts.len < EVENTS_MAX ? 0 : -EFBIG;
		if (r == 0)
			r = feed(s, ev);
		last_ns = r == 0 ? ev->ts : last_ns;
	}
	/* An event leaves no record of the stop: recording was off behind it. */
	if (r == 0 && s->is_open && s->plan->stop.kind == KFT_TRIGGER_EVENT &&
	    s->rec->stopped == KFT_CAUSE_TRIGGER)
		close_window(s, last_ns, KFT_CAUSE_TRIGGER);
	return r;
}

static bool dropped_events(const struct kft_meta *m, uint32_t cpu)
{
	kft_vec_for_each(&m->stats, stat)
		if (stat->cpu == cpu && stat->dropped_events)
			return true;
	return false;
}

/*
 * When a buffer is full its CPU records no more while the others go on: what they have
 * after the last record of that CPU is no whole picture any more.
 */
static int find_full(struct kft_trace *t, const struct kft_run_record *rec,
		     struct limit *limit)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	_cleanup_(kft_map_finish) struct kft_map last = {};
	const struct kft_event *ev;

	if (rec->stopped != KFT_CAUSE_FULL)
		return 0;
	limit->cause = KFT_CAUSE_FULL;
	int r = kft_merge_create(t, NULL, &m);
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		uint64_t *place = kft_map_put(&last, ev->cpu);

		if (place)
			*place = ev->ts;
		r = place ? 0 : -ENOMEM;
	}
	for (uint32_t cpu = 0; r == 0 && cpu < t->meta.cpu_count; cpu++) {
		const uint64_t *place = kft_map_get(&last, cpu);

		if (place && dropped_events(&t->meta, cpu))
			limit->ns = KFT_MIN(limit->ns, *place);
	}
	return r;
}

static int compare_ns(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* KFT's log is full when a call is entered that it has no room for: a limit, if there is one. */
static int find_last_entry(const struct scan *s, struct limit *limit)
{
	uint64_t max = s->plan->functions.max_calls;
	KFT_VEC(uint64_t) entries = {};
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->trim->verdicts.len; i++) {
		uint8_t v = s->trim->verdicts.data[i];

		if ((is_kept_exit(v) || v == KFT_VERDICT_OPEN) &&
		    !kft_vec_push(&entries, s->entered.data[i]))
			r = -ENOMEM;
	}
	if (r == 0 && entries.len > max) {
		qsort(entries.data, entries.len, sizeof(*entries.data), compare_ns);
		*limit = (struct limit){entries.data[max] - 1, KFT_CAUSE_ENTRIES};
	}
	kft_vec_finish(&entries);
	return r;
}

/* With overwrite the last calls are kept, and not the first. */
static void drop_first_calls(struct scan *s)
{
	uint64_t max = s->plan->functions.max_calls;

	if (!s->plan->overwrite || !max)
		return;
	for (size_t i = 0; s->calls > max && i < s->trim->verdicts.len; i++) {
		uint8_t *v = &s->trim->verdicts.data[i];

		if (*v >= KFT_VERDICT_MARK)
			continue;
		s->calls -= is_kept_exit(*v);
		*v = KFT_VERDICT_BEYOND;
	}
}

static void scan_finish(struct scan *s)
{
	kft_map_finish(&s->pending);
	kft_map_finish(&s->exits_of);
	kft_overruns_finish(&s->overruns);
	kft_map_finish(&s->triggers);
	kft_vec_finish(&s->exits);
	kft_vec_finish(&s->irq_funcs);
	kft_vec_finish(&s->entered);
}

/* Up to the limit, which becomes less when the log is full before. */
static int scan(struct kft_trace *t, const struct kft_trim_opts *opts,
		struct limit *limit, struct kft_trim *trim)
{
	const struct kft_plan_functions *f = &opts->plan->functions;
	bool can_be_full = f->max_calls && !opts->plan->overwrite;
	_cleanup_(scan_finish) struct scan s = {
		.trace = t,
		.plan = opts->plan,
		.rec = opts->rec,
		.given = opts->window,
		.trim = trim,
		.limit = *limit,
		.has_entered = can_be_full || opts->plan->stop.kind == KFT_TRIGGER_EXIT,
	};

	find_readers(&s, opts->probe_group);
	if (f->n_comms)
		s.tasks = kft_trace_tasks(t);
	int r = f->context ? find_irq_funcs(&s) : 0;
	if (r == 0)
		r = feed_all(&s);
	if (r == 0 && can_be_full)
		r = find_last_entry(&s, limit);
	if (r == 0)
		drop_first_calls(&s);
	return r;
}

static uint64_t find_taken(const struct kft_trace *t, const struct kft_trim *trim)
{
	uint64_t taken = 0;

	kft_vec_for_each(&t->meta.stats, stat) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
		struct kft_cpu_counts counts;
		uint64_t here = stat->cpu < trim->events.len
					? trim->events.data[stat->cpu]
					: 0;

		kft_strbuf_add(&text, stat->text.data, stat->text.len);
		if (kft_cpu_counts_parse(kft_strbuf_cstr(&text), &counts) == 0 &&
		    counts.read > here)
			taken += counts.read - here;
	}
	return taken;
}

int kft_trim_scan(struct kft_trace *t, const struct kft_trim_opts *opts,
		  struct kft_trim *ret, struct kft_err *e)
{
	struct kft_trim trim = {};
	struct limit limit = {.ns = UINT64_MAX};
	int r = find_full(t, opts->rec, &limit);

	if (r == 0)
		r = scan(t, opts, &limit, &trim);
	bool start_missing = !trim.windows.len && opts->rec->started != KFT_CAUSE_NONE &&
			     limit.cause != KFT_CAUSE_FULL;
	if (r == 0 && (start_missing || limit.cause == KFT_CAUSE_ENTRIES)) {
		kft_trim_finish(&trim);
		trim = (struct kft_trim){.start_missing = start_missing};
		r = scan(t, opts, &limit, &trim);
	}
	if (r < 0) {
		kft_trim_finish(&trim);
		return kft_err_sys(e, r, "cannot judge the records");
	}
	kft_vec_for_each(&trim.verdicts, v)
		trim.counts[*v]++;
	trim.taken = find_taken(t, &trim);
	*ret = trim;
	return 0;
}

void kft_trim_finish(struct kft_trim *trim)
{
	kft_vec_finish(&trim->verdicts);
	kft_vec_finish(&trim->windows);
	kft_vec_finish(&trim->events);
}
