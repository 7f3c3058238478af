// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a stretch of a trace says, for kft why. */
#include "analysis/why_facts.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "derive/task_state.h"
#include "model/merge.h"

#define FIELDS_MAX   4
#define NAME_MAX_LEN 64

/* Events of a busy CPU are closer to each other. */
#define GAP_MIN_NS UINT64_C(20000)
/* A task that leaves so soon after it was told to has been quick. */
#define HELD_MIN_NS UINT64_C(1000000)
/* A broken trace may name any CPU. */
#define CPUS_MAX 4096U

/* common_flags of include/linux/trace_events.h */
#define FLAG_IRQS_OFF	  0x01
#define FLAG_NEED_RESCHED 0x04
#define FLAG_HARDIRQ	  0x08
#define FLAG_SOFTIRQ	  0x10
#define FLAG_NMI	  0x40

struct reader;

/* An event that is read for more than its time. */
struct event_kind {
	const char *system;
	const char *name;
	const char *fields[FIELDS_MAX];
	const char *string; /* a field; NULL: none */
	uint32_t seen;
	int (*take)(struct reader *r, const struct kft_event *ev, const uint64_t *fields);
};

struct listener {
	const struct event_kind *kind;
	const struct kft_field *fields[FIELDS_MAX];
	const struct kft_field *string;
};

/* The start of a timer, and of a request, until its end. */
struct started {
	uint64_t soft_ns;
	uint64_t hard_ns;
};

struct reader {
	struct kft_why_facts *facts; /* borrowed */
	struct kft_engine *engine; /* owned */
	KFT_VEC(struct listener) listeners;
	uint8_t by_id[65536]; /* index into listeners + 1; 0: of no interest */
	const struct kft_field *pid; /* common_pid */
	const struct kft_field *flags;
	int32_t common_pid; /* of the event that is being taken */
	uint8_t common_flags;
	struct kft_map timers; /* address -> index into starts + 1 */
	KFT_VEC(struct started) starts;
	struct kft_map inserts; /* of requests: device and sector, hashed -> time */
	struct kft_map issues;
};

bool kft_why_is_function(const struct kft_why_facts *f, uint64_t addr, const char *name)
{
	const struct kft_symbol *s = kft_symbol_lookup(&f->trace->symbols, addr);

	return s && s->addr == addr && s->name_len == strlen(name) &&
	       memcmp(s->name, name, s->name_len) == 0;
}

static struct kft_why_task *get_task(struct kft_why_facts *f, int32_t pid)
{
	uint64_t *slot = kft_map_put(&f->by_pid, (uint32_t)pid);

	if (!slot)
		return NULL;
	if (!*slot) {
		if (!kft_vec_push(&f->tasks, (struct kft_why_task){.pid = pid}))
			return NULL;
		*slot = f->tasks.len;
	}
	return &f->tasks.data[*slot - 1];
}

static struct kft_why_cpu *get_cpu(struct kft_why_facts *f, uint32_t cpu)
{
	if (cpu >= CPUS_MAX)
		return NULL;
	while (f->cpus.len <= cpu)
		if (!kft_vec_push(&f->cpus, (struct kft_why_cpu){}))
			return NULL;
	return &f->cpus.data[cpu];
}

/* Appends to a list of the facts, which are counted. */
#define ADD(f, list, ...)                             \
	((f)->n_facts++ >= KFT_WHY_FACTS_MAX ? -E2BIG \
	 : kft_vec_push((list), __VA_ARGS__) ? 0      \
					     : -ENOMEM)

/* Intervals that are looked at: what interrupts a CPU, and what tasks are in. */
static const char *const kinds_of_irqs[] = {"irq",     "vector",  "softirq",
					    "tasklet", "hrtimer", "timer"};
static const char *const kinds_of_tasks[] = {"task", "syscall", "work", "lock"};

static int take_interval(void *arg, const struct kft_interval *i)
{
	struct kft_why_facts *f = ((struct reader *)arg)->facts;

	if (i->kind->per_cpu) {
		struct kft_why_cpu *cpu = get_cpu(f, i->cpu);

		return cpu ? ADD(f, &cpu->irqs, *i) : 0;
	}
	struct kft_why_task *task = get_task(f, i->pid);

	if (!task)
		return -ENOMEM;
	return strcmp(i->kind->name, "task") == 0 ? ADD(f, &task->states, *i)
						  : ADD(f, &task->calls, *i);
}

static int take_switch(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);
	struct kft_why_current next = {ev->ts, (int32_t)fields[2], (int32_t)fields[3]};
	int err = 0;

	if (!cpu)
		return 0;
	if (!cpu->currents.len)
		err = ADD(r->facts, &cpu->currents,
			  (struct kft_why_current){r->facts->first_ts, (int32_t)fields[0],
						   (int32_t)fields[1]});
	/* Where only some tasks are recorded, switches between others are not. */
	struct kft_why_current *last =
		cpu->currents.len ? &cpu->currents.data[cpu->currents.len - 1] : NULL;

	if (last && last->pid != (int32_t)fields[0]) {
		last->pid = -1;
		r->facts->n_unseen++;
	} else if (last) {
		/* It may have been given another one while it ran. */
		last->prio = (int32_t)fields[1];
	}
	cpu->n_left_idle += !fields[0];
	if (!err && cpu->resched_since &&
	    cpu->resched_until - cpu->resched_since >= HELD_MIN_NS)
		err = ADD(r->facts, &cpu->helds,
			  (struct kft_why_held){cpu->resched_since, ev->ts,
						(int32_t)fields[0]});
	cpu->resched_since = 0;
	cpu->left_pid = (int32_t)fields[0];
	return err < 0 ? err : ADD(r->facts, &cpu->currents, next);
}

static int take_waking(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_task *task = get_task(r->facts, (int32_t)fields[0]);
	uint8_t flags = r->common_flags;
	const struct kft_why_waking w = {
		.ts = ev->ts,
		.waker = r->common_pid,
		.cpu = ev->cpu,
		.context = flags & (FLAG_HARDIRQ | FLAG_NMI) ? KFT_WHY_IN_HARDIRQ
			   : flags & FLAG_SOFTIRQ	     ? KFT_WHY_IN_SOFTIRQ
							     : KFT_WHY_IN_TASK,
	};

	return task ? ADD(r->facts, &task->wakings, w) : -ENOMEM;
}

static int add_place(struct reader *r, struct kft_why_task *task, uint64_t ts,
		     uint64_t cpu)
{
	if (cpu >= CPUS_MAX)
		return 0;
	return ADD(r->facts, &task->places, (struct kft_why_place){ts, (uint32_t)cpu});
}

static int take_wakeup(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_task *task = get_task(r->facts, (int32_t)fields[0]);

	if (!task)
		return -ENOMEM;
	if (task->wakings.len && !task->wakings.data[task->wakings.len - 1].wakeup_ts)
		task->wakings.data[task->wakings.len - 1].wakeup_ts = ev->ts;
	return add_place(r, task, ev->ts, fields[1]);
}

static int take_migrate(struct reader *r, const struct kft_event *ev,
			const uint64_t *fields)
{
	struct kft_why_task *task = get_task(r->facts, (int32_t)fields[0]);

	return task ? add_place(r, task, ev->ts, fields[1]) : -ENOMEM;
}

static int take_start(struct reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	uint64_t *slot = kft_map_put(&r->timers, fields[0] & INT64_MAX);

	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		if (!kft_vec_push(&r->starts, (struct started){}))
			return -ENOMEM;
		*slot = r->starts.len;
	}
	r->starts.data[*slot - 1] = (struct started){fields[2], fields[1]};
	return 0;
}

static bool is_tick(const struct kft_why_facts *f, uint64_t function)
{
	return kft_why_is_function(f, function, "tick_nohz_handler") ||
	       kft_why_is_function(f, function, "tick_sched_timer");
}

static int add_tick(struct reader *r, const struct kft_event *ev)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);

	return cpu ? ADD(r->facts, &cpu->ticks, ev->ts) : 0;
}

static int take_vector(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	return add_tick(r, ev);
}

static int take_expire(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);
	const uint64_t *slot = kft_map_get(&r->timers, fields[0] & INT64_MAX);
	struct kft_why_timer timer = {
		.ts = ev->ts, .id = fields[0], .function = fields[1], .is_hrtimer = true};
	int err = 0;

	if (slot && *slot) {
		timer.soft_ns = r->starts.data[*slot - 1].soft_ns;
		timer.hard_ns = r->starts.data[*slot - 1].hard_ns;
	}
	if (is_tick(r->facts, timer.function)) {
		r->facts->seen |= KFT_WHY_SEEN_TICK;
		err = add_tick(r, ev);
	}
	if (kft_why_is_function(r->facts, timer.function, "sched_cfs_period_timer"))
		err = ADD(r->facts, &r->facts->periods,
			  (struct kft_why_period){ev->ts, timer.id});
	return err < 0 || !cpu ? err : ADD(r->facts, &cpu->timers, timer);
}

static int take_wheel(struct reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);
	const struct kft_why_timer timer = {
		.ts = ev->ts, .id = fields[0], .function = fields[1]};

	return cpu ? ADD(r->facts, &cpu->timers, timer) : 0;
}

static uint64_t request_key(const uint64_t *fields)
{
	return ((fields[0] * UINT64_C(0x9e3779b97f4a7c15)) ^ fields[1]) >> 1;
}

static int take_insert(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	uint64_t *slot = kft_map_put(&r->inserts, request_key(fields));

	if (slot)
		*slot = ev->ts;
	return slot ? 0 : -ENOMEM;
}

static int take_issue(struct reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	uint64_t *slot = kft_map_put(&r->issues, request_key(fields));

	if (slot)
		*slot = ev->ts;
	return slot ? 0 : -ENOMEM;
}

/* The time is forgotten: another request may have this sector. */
static uint64_t take_time(struct kft_map *times, uint64_t key)
{
	uint64_t *slot = kft_map_get(times, key);
	uint64_t ts = slot ? *slot : 0;

	if (slot)
		*slot = 0;
	return ts;
}

static int take_complete(struct reader *r, const struct kft_event *ev,
			 const uint64_t *fields)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);
	uint64_t key = request_key(fields);
	const struct kft_why_request request = {
		.ts = ev->ts,
		.insert_ts = take_time(&r->inserts, key),
		.issue_ts = take_time(&r->issues, key),
		.dev = (uint32_t)fields[0],
	};

	return cpu ? ADD(r->facts, &cpu->requests, request) : 0;
}

static int take_fault(struct reader *r, const struct kft_event *ev,
		      const uint64_t *fields)
{
	struct kft_why_task *task = get_task(r->facts, r->common_pid);

	return task ? ADD(r->facts, &task->faults, ev->ts) : -ENOMEM;
}

static int take_signal(struct reader *r, const struct kft_event *ev,
		       const uint64_t *fields)
{
	return ADD(r->facts, &r->facts->signals,
		   (struct kft_why_signal){ev->ts, r->common_pid, (int32_t)fields[1],
					   (int32_t)fields[0]});
}

static int take_irq_name(struct reader *r, const struct kft_event *ev,
			 const uint64_t *fields)
{
	const struct kft_field *f = r->listeners.data[r->by_id[ev->id] - 1].string;
	uint64_t *slot = kft_map_put(&r->facts->irq_names, fields[0] & INT64_MAX);
	const char *name;
	size_t len;

	if (!slot)
		return -ENOMEM;
	if (*slot || !f || !kft_event_str(ev, f, r->facts->trace->swap, &name, &len))
		return 0;
	*slot = (uintptr_t)kft_arena_strndup(&r->facts->arena, name,
					     KFT_MIN(len, (size_t)NAME_MAX_LEN));
	return 0;
}

static const struct event_kind kinds[] = {
	{"sched",
	 "sched_switch",
	 {"prev_pid", "prev_prio", "next_pid", "next_prio"},
	 .seen = KFT_WHY_SEEN_SWITCH,
	 .take = take_switch},
	{"sched",
	 "sched_waking",
	 {"pid"},
	 .seen = KFT_WHY_SEEN_WAKING,
	 .take = take_waking},
	{"sched",
	 "sched_wakeup",
	 {"pid", "target_cpu"},
	 .seen = KFT_WHY_SEEN_WAKEUP,
	 .take = take_wakeup},
	{"sched", "sched_wakeup_new", {"pid", "target_cpu"}, .take = take_wakeup},
	{"sched", "sched_migrate_task", {"pid", "dest_cpu"}, .take = take_migrate},
	{"timer",
	 "hrtimer_start",
	 {"hrtimer", "expires", "softexpires"},
	 .take = take_start},
	{"timer",
	 "hrtimer_expire_entry",
	 {"hrtimer", "function"},
	 .seen = KFT_WHY_SEEN_HRTIMER,
	 .take = take_expire},
	{"timer",
	 "timer_expire_entry",
	 {"timer", "function"},
	 .seen = KFT_WHY_SEEN_TIMER,
	 .take = take_wheel},
	{"irq_vectors", "local_timer_entry", .seen = KFT_WHY_SEEN_TICK,
	 .take = take_vector},
	{"block", "block_rq_insert", {"dev", "sector"}, .take = take_insert},
	{"block", "block_rq_issue", {"dev", "sector"}, .take = take_issue},
	{"block",
	 "block_rq_complete",
	 {"dev", "sector"},
	 .seen = KFT_WHY_SEEN_BLOCK,
	 .take = take_complete},
	{"exceptions", "page_fault_user", .seen = KFT_WHY_SEEN_FAULT, .take = take_fault},
	{"exceptions", "page_fault_kernel", .seen = KFT_WHY_SEEN_FAULT,
	 .take = take_fault},
	{"signal",
	 "signal_generate",
	 {"sig", "pid"},
	 .seen = KFT_WHY_SEEN_SIGNAL,
	 .take = take_signal},
	{"irq",
	 "irq_handler_entry",
	 {"irq"},
	 .string = "name",
	 .seen = KFT_WHY_SEEN_IRQ,
	 .take = take_irq_name},
	{"irq", "softirq_entry", .seen = KFT_WHY_SEEN_SOFTIRQ},
	{"raw_syscalls", "sys_enter", .seen = KFT_WHY_SEEN_SYSCALL},
	{"workqueue", "workqueue_execute_start", .seen = KFT_WHY_SEEN_WORK},
	{"lock", "contention_begin", .seen = KFT_WHY_SEEN_LOCK},
	{"ftrace", "funcgraph_entry", .seen = KFT_WHY_SEEN_FUNCTION},
	{"ftrace", "funcgraph_exit", .seen = KFT_WHY_SEEN_FUNCTION},
};

static int listen(struct reader *r, const struct event_kind *kind)
{
	struct kft_trace *t = r->facts->trace;
	const struct kft_class *cls = kft_class_table_find(&t->classes, kind->system,
							   kind->name);
	struct listener l = {.kind = kind};

	if (!cls)
		return 0;
	for (size_t i = 0; i < FIELDS_MAX && kind->fields[i]; i++) {
		l.fields[i] = kft_class_field(cls, kind->fields[i]);
		if (!l.fields[i] || l.fields[i]->kind != KFT_FIELD_INT)
			return 0;
	}
	if (kind->string)
		l.string = kft_class_field(cls, kind->string);
	if (!kft_vec_push(&r->listeners, l))
		return -ENOMEM;
	r->by_id[cls->id] = r->listeners.len;
	return 0;
}

static int take_known(struct reader *r, const struct listener *l,
		      const struct kft_event *ev)
{
	uint64_t fields[FIELDS_MAX] = {};

	for (size_t i = 0; i < FIELDS_MAX && l->fields[i]; i++)
		if (!kft_event_int(ev, l->fields[i], r->facts->trace->swap, &fields[i]))
			return 0;
	r->facts->seen |= l->kind->seen;
	return l->kind->take ? l->kind->take(r, ev, fields) : 0;
}

static bool is_switch(const struct reader *r, const struct kft_event *ev)
{
	size_t listener = r->by_id[ev->id];

	return listener && r->listeners.data[listener - 1].kind->take == take_switch;
}

/*
 * From the event of a switch to the switch itself interrupts are off, and events still name the
 * task that leaves. Its next switch away is later.
 */
static bool is_leaving(const struct reader *r, const struct kft_why_cpu *cpu,
		       const struct kft_event *ev)
{
	const uint8_t in_irq = FLAG_HARDIRQ | FLAG_SOFTIRQ;

	if (cpu->left_pid != r->common_pid || is_switch(r, ev))
		return false;
	return !r->flags ||
	       ((r->common_flags & FLAG_IRQS_OFF) && !(r->common_flags & in_irq));
}

/*
 * A task that acts on a CPU is there, whatever switches said: they were lost, or they are not
 * recorded. Since when is not known: since the CPU's last event, which was at `before`.
 */
static int check_current(struct reader *r, struct kft_why_cpu *cpu,
			 const struct kft_event *ev, uint64_t before, bool lost)
{
	const struct kft_why_current *last =
		cpu->currents.len ? &cpu->currents.data[cpu->currents.len - 1] : NULL;
	const struct kft_why_current now = {last ? ev->ts : r->facts->first_ts,
					    r->common_pid, -1};
	int err = 0;

	if (!r->pid)
		return 0;
	if (last && last->pid == r->common_pid) {
		cpu->left_pid = -1;
		return 0;
	}
	if (last && !lost) {
		if (is_leaving(r, cpu, ev))
			return 0;
		if (last->pid)
			r->facts->n_unseen++;
		else
			cpu->n_left_idle_unseen++;
		err = ADD(r->facts, &cpu->currents,
			  (struct kft_why_current){before, -1, -1});
	}
	return err < 0 ? err : ADD(r->facts, &cpu->currents, now);
}

/* The scheduler takes the flag back before the event of the switch. */
static void note_resched(const struct reader *r, struct kft_why_cpu *cpu,
			 const struct kft_event *ev)
{
	if (r->common_flags & FLAG_NEED_RESCHED) {
		if (!cpu->resched_since)
			cpu->resched_since = ev->ts;
		cpu->resched_until = ev->ts;
	} else if (!is_switch(r, ev)) {
		cpu->resched_since = 0;
	}
}

static int note_time(struct reader *r, const struct kft_event *ev)
{
	struct kft_why_cpu *cpu = get_cpu(r->facts, ev->cpu);
	int err = 0;

	if (!cpu)
		return 0;
	uint64_t before = cpu->last_ts ? cpu->last_ts : r->facts->first_ts;
	bool lost = ev->lost_before && !kft_trace_is_overwritten(r->facts->trace, ev);

	r->facts->losses += lost;
	if (ev->ts > before && (lost || ev->ts - before >= GAP_MIN_NS))
		err = ADD(r->facts, &cpu->gaps,
			  (struct kft_why_gap){before, ev->ts, lost});
	note_resched(r, cpu, ev);
	cpu->last_ts = ev->ts;
	return err < 0 ? err : check_current(r, cpu, ev, before, lost);
}

static int take_event(struct reader *r, const struct kft_event *ev)
{
	uint64_t v;
	bool swap = r->facts->trace->swap;

	r->common_pid = r->pid && kft_event_int(ev, r->pid, swap, &v) ? (int32_t)v : 0;
	r->common_flags = r->flags && kft_event_int(ev, r->flags, swap, &v) ? v : 0;
	if (!r->facts->first_ts)
		r->facts->first_ts = ev->ts;
	r->facts->last_ts = KFT_MAX(r->facts->last_ts, ev->ts);
	int err = note_time(r, ev);
	if (err >= 0 && r->by_id[ev->id])
		err = take_known(r, &r->listeners.data[r->by_id[ev->id] - 1], ev);
	return err < 0 ? err : kft_engine_feed(r->engine, ev);
}

static int by_begin(const void *pa, const void *pb)
{
	const struct kft_interval *a = pa;
	const struct kft_interval *b = pb;

	if (a->begin_ns != b->begin_ns)
		return a->begin_ns < b->begin_ns ? -1 : 1;
	return a->end_ns > b->end_ns ? -1 : a->end_ns < b->end_ns;
}

static void add_piece(struct kft_why_facts *f, struct kft_why_cpu *cpu, uint64_t *at,
		      uint64_t end, size_t irq, int *err)
{
	if (*err >= 0 && end > *at)
		*err = ADD(f, &cpu->pieces, (struct kft_why_piece){*at, end, irq});
	*at = KFT_MAX(*at, end);
}

/*
 * While a hard interrupt is under way its CPU stays with one task: what says otherwise lacks its
 * end, or its beginning. Softirqs of PREEMPT_RT are preempted like the task that they are in;
 * their time is counted up to there.
 */
static void mend_irqs(struct kft_why_cpu *cpu)
{
	const struct kft_interval_kind *soft[] = {kft_interval_kind_find("softirq"),
						  kft_interval_kind_find("tasklet"),
						  kft_interval_kind_find("timer")};
	size_t kept = 0;

	for (size_t i = 0; i < cpu->irqs.len; i++) {
		struct kft_interval irq = cpu->irqs.data[i];
		size_t n = kft_vec_count_until(&cpu->currents, ts, irq.begin_ns);
		bool is_soft = irq.kind == soft[0] || irq.kind == soft[1] ||
			       irq.kind == soft[2];

		if (n < cpu->currents.len && cpu->currents.data[n].ts < irq.end_ns) {
			if (!is_soft)
				continue;
			irq.end_ns = cpu->currents.data[n].ts;
		}
		cpu->irqs.data[kept++] = irq;
	}
	cpu->irqs.len = kept;
}

/* Each moment belongs to the innermost interrupt. */
static int cut_pieces(struct kft_why_facts *f, struct kft_why_cpu *cpu)
{
	KFT_VEC(size_t) open = {};
	uint64_t at = 0;
	int err = 0;

	mend_irqs(cpu);
	if (cpu->irqs.len)
		qsort(cpu->irqs.data, cpu->irqs.len, sizeof(*cpu->irqs.data), by_begin);
	for (size_t i = 0; i <= cpu->irqs.len && err >= 0; i++) {
		uint64_t begin = i < cpu->irqs.len ? cpu->irqs.data[i].begin_ns
						   : UINT64_MAX;

		while (open.len &&
		       cpu->irqs.data[open.data[open.len - 1]].end_ns <= begin) {
			size_t top = open.data[--open.len];

			add_piece(f, cpu, &at, cpu->irqs.data[top].end_ns, top, &err);
		}
		if (i == cpu->irqs.len)
			break;
		if (open.len)
			add_piece(f, cpu, &at, begin, open.data[open.len - 1], &err);
		at = KFT_MAX(at, begin);
		if (!kft_vec_push(&open, i))
			err = -ENOMEM;
	}
	kft_vec_finish(&open);
	return err;
}

static int compare_u64(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/*
 * Ticks of a busy CPU are a period apart, of an idle one more: the lower quartile is the
 * period, but for what delays add and take away. It is 1/HZ, of which there are four.
 */
static int learn_tick(struct kft_why_facts *f)
{
	static const uint64_t periods[] = {1000000, 3333333, 4000000, 10000000};
	KFT_VEC(uint64_t) apart = {};

	kft_vec_for_each(&f->cpus, cpu) {
		for (size_t i = 1; i < cpu->ticks.len; i++) {
			uint64_t d = cpu->ticks.data[i] - cpu->ticks.data[i - 1];

			if (!kft_vec_push(&apart, d)) {
				kft_vec_finish(&apart);
				return -ENOMEM;
			}
		}
	}
	if (apart.len >= 4) {
		qsort(apart.data, apart.len, sizeof(*apart.data), compare_u64);
		uint64_t quartile = apart.data[apart.len / 4];

		for (size_t i = 0; i < ARRAY_SIZE(periods); i++)
			if (quartile > periods[i] - periods[i] / 8 &&
			    quartile < periods[i] + periods[i] / 8)
				f->tick_ns = periods[i];
	}
	kft_vec_finish(&apart);
	return 0;
}

/* A CPU without a tick on purpose is silent while it works. */
static bool has_full_nohz(const struct kft_trace *t)
{
	static const char word[] = "nohz_full=";
	const struct kft_blob *line = &t->meta.kernel_line;

	return line->len && memmem(line->data, line->len, word, sizeof(word) - 1);
}

/* Longer than ticks are apart. */
uint64_t kft_why_silent_ns(const struct kft_why_facts *f, const struct kft_why_cpu *cpu)
{
	return f->tick_ns && cpu->ticks.len ? f->tick_ns + f->tick_ns / 4 : UINT64_MAX;
}

/*
 * A task of which the switch from idle is not in the trace ran for no more than a tick before
 * its first event, as the tick would have been one: until then the CPU was idle.
 */
static void mend_idle(struct kft_why_facts *f, struct kft_why_cpu *cpu)
{
	uint64_t most = kft_why_silent_ns(f, cpu);

	for (size_t i = 1; i + 1 < cpu->currents.len; i++) {
		struct kft_why_current *c = &cpu->currents.data[i];

		if (c->pid == -1 && !c[-1].pid && c[1].ts > most)
			c->ts = KFT_MAX(c->ts, c[1].ts - most);
	}
}

/* Where a task runs right before ts, and since when; 0: that is not known. */
static uint64_t runs_since(const struct kft_why_facts *f, int32_t pid, uint64_t ts,
			   uint32_t *ret_cpu)
{
	for (uint32_t i = 0; i < f->cpus.len; i++) {
		const struct kft_why_cpu *cpu = &f->cpus.data[i];
		size_t n = kft_vec_count_until(&cpu->currents, ts, ts - 1);

		if (n && cpu->currents.data[n - 1].pid == pid) {
			*ret_cpu = i;
			return cpu->currents.data[n - 1].ts;
		}
	}
	return 0;
}

/*
 * Where the switch to a task is not in the trace, what it did before goes on for derive/ until
 * it leaves the CPU. It ended where the task is seen on one.
 */
static int mend_states(struct kft_why_facts *f, struct kft_why_task *task)
{
	const uint64_t open = KFT_INTERVAL_LOSSES | KFT_INTERVAL_NOT_ENDED;
	size_t n = task->states.len;
	int err = 0;

	for (size_t i = 0; i < n && err >= 0; i++) {
		struct kft_interval *state = &task->states.data[i];
		struct kft_interval running = *state;

		if (kft_why_is_running(state) || !(state->flags & open))
			continue;
		running.begin_ns = runs_since(f, task->pid, state->end_ns, &running.cpu);
		if (running.begin_ns <= state->begin_ns)
			continue;
		running.key = KFT_TASK_RUNNING;
		state->end_ns = running.begin_ns;
		state->flags &= ~KFT_INTERVAL_NOT_ENDED;
		err = ADD(f, &task->states, running);
	}
	if (task->states.len > n)
		qsort(task->states.data, task->states.len, sizeof(*task->states.data),
		      by_begin);
	return err;
}

static int settle(struct kft_why_facts *f)
{
	int err = has_full_nohz(f->trace) ? 0 : learn_tick(f);

	kft_vec_for_each(&f->cpus, cpu)
		mend_idle(f, cpu);
	kft_vec_for_each(&f->tasks, task) {
		if (task->calls.len)
			qsort(task->calls.data, task->calls.len,
			      sizeof(*task->calls.data), by_begin);
		if (err >= 0)
			err = mend_states(f, task);
	}
	kft_vec_for_each(&f->cpus, cpu) {
		/* A CPU without a further event may have been silent to the end. */
		if (err >= 0 && cpu->last_ts && f->last_ts > cpu->last_ts + GAP_MIN_NS)
			err = ADD(f, &cpu->gaps,
				  (struct kft_why_gap){cpu->last_ts, f->last_ts, false});
		if (err >= 0)
			err = cut_pieces(f, cpu);
	}
	return err;
}

static void finish_reader(struct reader *r)
{
	(void)kft_engine_destroy(r->engine);
	kft_vec_finish(&r->listeners);
	kft_vec_finish(&r->starts);
	kft_map_finish(&r->timers);
	kft_map_finish(&r->inserts);
	kft_map_finish(&r->issues);
	free(r);
}

static int init_reader(struct reader *r)
{
	struct kft_trace *t = r->facts->trace;
	const struct kft_interval_sink sink = {take_interval, r};
	const struct kft_interval_kind
		*wanted[ARRAY_SIZE(kinds_of_irqs) + ARRAY_SIZE(kinds_of_tasks)];
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_irqs); i++)
		wanted[n++] = kft_interval_kind_find(kinds_of_irqs[i]);
	for (size_t i = 0; i < ARRAY_SIZE(kinds_of_tasks); i++)
		wanted[n++] = kft_interval_kind_find(kinds_of_tasks[i]);
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && err >= 0; i++)
		err = listen(r, &kinds[i]);
	r->pid = kft_trace_common_field(t, "common_pid");
	r->flags = kft_trace_common_field(t, "common_flags");
	return err < 0 ? err : kft_engine_create(t, wanted, n, &sink, &r->engine);
}

static int read_events(struct reader *r, const struct kft_scope *scope)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int err = kft_merge_create(r->facts->trace, scope, &m);

	while (err >= 0 && (err = kft_merge_next(m, &ev)) > 0)
		err = take_event(r, ev);
	if (err >= 0)
		err = kft_engine_flush(r->engine);
	return err < 0 ? err : settle(r->facts);
}

int kft_why_facts_read(struct kft_trace *t, uint64_t since, uint64_t until,
		       struct kft_why_facts *ret, struct kft_err *e)
{
	const struct kft_scope scope = {.since = since, .until = until};
	struct kft_why_facts facts = {.trace = t};
	struct reader *r = calloc(1, sizeof(*r));
	int err = -ENOMEM;

	if (r) {
		r->facts = &facts;
		err = init_reader(r);
		if (err >= 0)
			err = read_events(r, &scope);
		finish_reader(r);
	}
	if (err >= 0) {
		*ret = facts;
		return 0;
	}
	kft_why_facts_finish(&facts);
	if (err == -E2BIG)
		return kft_err_set(e, err, "too many events to look at in one interval");
	return kft_err_sys(e, err, "cannot look into the trace");
}

void kft_why_facts_finish(struct kft_why_facts *f)
{
	kft_vec_for_each(&f->tasks, task) {
		kft_vec_finish(&task->states);
		kft_vec_finish(&task->calls);
		kft_vec_finish(&task->wakings);
		kft_vec_finish(&task->places);
		kft_vec_finish(&task->faults);
	}
	kft_vec_for_each(&f->cpus, cpu) {
		kft_vec_finish(&cpu->currents);
		kft_vec_finish(&cpu->irqs);
		kft_vec_finish(&cpu->pieces);
		kft_vec_finish(&cpu->gaps);
		kft_vec_finish(&cpu->helds);
		kft_vec_finish(&cpu->timers);
		kft_vec_finish(&cpu->requests);
		kft_vec_finish(&cpu->ticks);
	}
	kft_vec_finish(&f->tasks);
	kft_vec_finish(&f->cpus);
	kft_vec_finish(&f->signals);
	kft_vec_finish(&f->periods);
	kft_map_finish(&f->by_pid);
	kft_map_finish(&f->irq_names);
	kft_arena_finish(&f->arena);
}

const struct kft_why_task *kft_why_task_find(const struct kft_why_facts *f, int32_t pid)
{
	const uint64_t *slot = kft_map_get(&f->by_pid, (uint32_t)pid);

	return slot && *slot ? &f->tasks.data[*slot - 1] : NULL;
}

const struct kft_why_cpu *kft_why_cpu_find(const struct kft_why_facts *f, uint32_t cpu)
{
	return cpu < f->cpus.len ? &f->cpus.data[cpu] : NULL;
}

const struct kft_interval *kft_why_state_at(const struct kft_why_task *task, uint64_t ts,
					    uint64_t *ret_next)
{
	size_t n = kft_vec_count_until(&task->states, begin_ns, ts);

	*ret_next = n < task->states.len ? task->states.data[n].begin_ns : UINT64_MAX;
	/* States without length are at a time that the next one begins, too. */
	return n && task->states.data[n - 1].end_ns > ts ? &task->states.data[n - 1]
							 : NULL;
}

const struct kft_why_current *kft_why_current_at(const struct kft_why_cpu *cpu,
						 uint64_t ts, uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&cpu->currents, ts, ts);

	*ret_until = n < cpu->currents.len ? cpu->currents.data[n].ts : UINT64_MAX;
	return n ? &cpu->currents.data[n - 1] : NULL;
}

const struct kft_why_piece *kft_why_piece_at(const struct kft_why_cpu *cpu, uint64_t ts,
					     uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&cpu->pieces, begin, ts);

	if (n && cpu->pieces.data[n - 1].end > ts) {
		*ret_until = cpu->pieces.data[n - 1].end;
		return &cpu->pieces.data[n - 1];
	}
	*ret_until = n < cpu->pieces.len ? cpu->pieces.data[n].begin : UINT64_MAX;
	return NULL;
}

/* Calls are within each other and few deep: the innermost one is near. */
#define CALLS_LOOKED_AT 64

const struct kft_interval *kft_why_call_at(const struct kft_why_task *task,
					   const struct kft_interval_kind *kind,
					   uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->calls, begin_ns, ts);

	for (size_t i = n; i && n - i < CALLS_LOOKED_AT; i--)
		if (task->calls.data[i - 1].kind == kind &&
		    task->calls.data[i - 1].end_ns > ts)
			return &task->calls.data[i - 1];
	return NULL;
}

uint64_t kft_why_next_call(const struct kft_why_task *task, uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->calls, begin_ns, ts);

	return n < task->calls.len ? task->calls.data[n].begin_ns : UINT64_MAX;
}

bool kft_why_is_running(const struct kft_interval *state)
{
	return state->key == KFT_TASK_RUNNING;
}

bool kft_why_is_ready(const struct kft_interval *state)
{
	return state->key == KFT_TASK_WAITING || state->key == KFT_TASK_PREEMPTED;
}

bool kft_why_is_stopped(const struct kft_interval *state)
{
	return state->key == KFT_TASK_STOPPED;
}

const struct kft_why_waking *kft_why_waking_at(const struct kft_why_task *task,
					       uint64_t ts)
{
	size_t n = kft_vec_count_until(&task->wakings, ts, ts);

	return n && task->wakings.data[n - 1].ts == ts ? &task->wakings.data[n - 1]
						       : NULL;
}

uint32_t kft_why_place_at(const struct kft_why_task *task, uint64_t ts, uint32_t fallback,
			  uint64_t *ret_until)
{
	size_t n = kft_vec_count_until(&task->places, ts, ts);

	*ret_until = n < task->places.len ? task->places.data[n].ts : UINT64_MAX;
	return n ? task->places.data[n - 1].cpu : fallback;
}
