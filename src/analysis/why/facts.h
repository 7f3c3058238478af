/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/keyed.h"
#include "derive/engine/engine.h"
#include "model/trace.h"

/*
 * Facts about a range of a trace, indexed so that kft why can look up any moment in it:
 * the states of each task, the task and the interrupts on each CPU, and the waker of each
 * wake-up. The kinds of derive/ supply the intervals. Facts that are no intervals
 * (wakers, expiry times of timers, run queues of tasks) are read from the events here.
 *
 * Each list is sorted by time. A zeroed struct is empty.
 */

/* Maximum number of facts; reading a range with more fails with -E2BIG. */
#define KFT_WHY_FACTS_MAX ((size_t)16 << 20)

enum kft_why_context {
	KFT_WHY_IN_TASK,
	KFT_WHY_IN_SOFTIRQ,
	KFT_WHY_IN_HARDIRQ,
};

struct kft_why_waking {
	uint64_t ts;
	/* of sched_wakeup: the task is on a run queue; 0: not recorded */
	uint64_t wakeup_ts;
	int32_t waker; /* current task of cpu, also if an interrupt woke */
	uint32_t cpu; /* of the waker */
	enum kft_why_context context;
};

/* The arrival of a task on the run queue of a CPU. */
struct kft_why_place {
	uint64_t ts;
	uint32_t cpu;
};

/* The creation of a task. An earlier task may have had the same pid. */
struct kft_why_birth {
	uint64_t ts;
	int32_t parent;
};

/* A run of a signal handler, from its delivery to its return. */
struct kft_why_handler {
	uint64_t begin;
	uint64_t end; /* 0: not in the trace, for example after longjmp() */
	uint64_t sig;
};

struct kft_why_task {
	int32_t pid;
	KFT_VEC(struct kft_interval) states; /* in order, without overlap */
	/* system calls, work, locks, ...; sorted by begin */
	KFT_VEC(struct kft_interval) calls;
	KFT_VEC(struct kft_why_waking) wakings;
	KFT_VEC(struct kft_why_place) places;
	KFT_VEC(uint64_t) faults;
	KFT_VEC(struct kft_why_birth) births;
	KFT_VEC(struct kft_why_handler) handlers;
};

/* The task that is on a CPU from ts until the next entry. */
struct kft_why_current {
	uint64_t ts;
	int32_t pid; /* -1: unknown */
	/* kernel priority: below 0 deadline tasks, below 100 real-time tasks */
	int32_t prio;
};

/* A part of an interrupt's time, without the interrupts that are nested in it. */
struct kft_why_piece {
	uint64_t begin;
	uint64_t end;
	size_t irq; /* index into irqs */
};

/* A time without events on a CPU: a loss, or at least KFT_WHY_GAP_MIN_NS. */
struct kft_why_gap {
	uint64_t begin;
	uint64_t end;
	bool is_loss; /* events were lost in it */
};

/* A time in which all events of a CPU had NEED_RESCHED set, up to the switch. */
struct kft_why_held {
	uint64_t begin;
	uint64_t end;
	int32_t pid; /* the task that left the CPU at end */
};

/* The expiry of a timer. */
struct kft_why_timer {
	uint64_t ts;
	uint64_t id; /* the address of the timer */
	uint64_t function;
	bool is_hrtimer;
	uint64_t soft_ns; /* earliest expiry; 0: the start is not in the trace */
	uint64_t hard_ns; /* latest expiry */
};

struct kft_why_request {
	uint64_t ts; /* time of completion */
	uint64_t insert_ts; /* 0: not in the trace */
	uint64_t issue_ts;
	uint32_t dev;
};

struct kft_why_cpu {
	KFT_VEC(struct kft_why_current) currents;
	KFT_VEC(struct kft_interval) irqs;
	KFT_VEC(struct kft_why_piece) pieces;
	KFT_VEC(struct kft_why_gap) gaps;
	KFT_VEC(struct kft_why_held) helds;
	KFT_VEC(struct kft_why_timer) timers;
	KFT_VEC(struct kft_why_request) requests;
	KFT_VEC(uint64_t) ticks;
	uint64_t last_ts; /* of its last event */
	/* previous task of the last switch; -1: the next task has had events since */
	int32_t left_pid;
	uint64_t n_left_idle; /* recorded switches from idle */
	uint64_t n_left_idle_unseen; /* switches from idle that are not in the trace */
	/* first event of the latest series with NEED_RESCHED set; 0: it is not set */
	uint64_t resched_since;
	uint64_t resched_until; /* last event of that series */
};

/* The start of a period of a CPU quota. */
struct kft_why_period {
	uint64_t ts;
	uint64_t id; /* the address of its timer */
};

/* A task unlocks a futex with priority inheritance, on which others wait or spin. */
struct kft_why_unlock {
	uint64_t ts;
	uint64_t address;
	int32_t pid;
};

struct kft_why_signal {
	uint64_t ts;
	int32_t sender;
	int32_t receiver;
	int32_t number;
};

/* A task ran at an address. */
struct kft_why_sample {
	uint64_t ts;
	uint64_t ip;
	uint64_t
		weight; /* time since the sample before, in a unit that all samples share */
	int32_t pid;
	uint32_t cpu;
};

/* Event types that occurred in the range, as bits. */
enum kft_why_seen {
	KFT_WHY_SEEN_SWITCH = 1 << 0,
	KFT_WHY_SEEN_WAKING = 1 << 1,
	KFT_WHY_SEEN_WAKEUP = 1 << 2,
	KFT_WHY_SEEN_IRQ = 1 << 3,
	KFT_WHY_SEEN_SOFTIRQ = 1 << 4,
	KFT_WHY_SEEN_HRTIMER = 1 << 5,
	KFT_WHY_SEEN_TIMER = 1 << 6,
	KFT_WHY_SEEN_BLOCK = 1 << 7,
	KFT_WHY_SEEN_SYSCALL = 1 << 8,
	KFT_WHY_SEEN_WORK = 1 << 9,
	KFT_WHY_SEEN_SIGNAL = 1 << 10,
	KFT_WHY_SEEN_FAULT = 1 << 11,
	KFT_WHY_SEEN_LOCK = 1 << 12,
	KFT_WHY_SEEN_TICK = 1 << 13,
	KFT_WHY_SEEN_FUNCTION = 1 << 14,
	KFT_WHY_SEEN_SAMPLE = 1 << 15,
};

struct kft_why_facts {
	struct kft_trace *trace; /* borrowed */
	struct kft_coverage coverage; /* coverage of the whole trace */
	uint64_t first_ts; /* first event of the range */
	uint64_t last_ts;
	uint64_t tick_ns; /* period of the tick; 0: unknown, so gaps prove nothing */
	uint64_t losses; /* number of losses */
	uint64_t n_unseen; /* number of missing switches between tasks */
	uint32_t seen; /* enum kft_why_seen */
	size_t n_facts;
	KFT_VEC(struct kft_why_task) tasks;
	struct kft_map by_pid; /* pid -> index into tasks + 1 */
	KFT_VEC(struct kft_why_cpu) cpus; /* indexed by CPU number */
	KFT_VEC(struct kft_why_signal) signals;
	KFT_VEC(struct kft_why_period) periods;
	KFT_VEC(struct kft_why_unlock) unlocks;
	KFT_VEC(struct kft_why_sample) samples;
	struct kft_map irq_names; /* number -> const char * in the arena */
	struct kft_arena arena;
};

struct kft_why_range {
	uint64_t since; /* ns, like until; both inclusive */
	uint64_t until;
	/* The facts of a range that contains this one will do; they are not taken. */
	bool borrows;
};

/*
 * Gets the facts of range i. They end with the call unless it copies them and zeroes the
 * original, which a range must not do that borrows them. 0, or -errno to stop.
 */
typedef int kft_why_facts_fn(void *arg, size_t i, struct kft_why_facts *facts);

/*
 * Reads the events of ranges, which may overlap, once. Fails with -E2BIG if a range makes more than KFT_WHY_FACTS_MAX facts (the
 * others are still read), with -ENOMEM, or with an error of the trace or of take. The
 * caller loads the trace's symbols first.
 */
int kft_why_facts_read(struct kft_trace *t, const struct kft_why_range *ranges, size_t n,
		       kft_why_facts_fn *take, void *arg, struct kft_err *e) __must_check;
void kft_why_facts_finish(struct kft_why_facts *f);

/* NULL: the range has no such task or CPU. */
const struct kft_why_task *kft_why_task_find(const struct kft_why_facts *f, int32_t pid);
const struct kft_why_cpu *kft_why_cpu_find(const struct kft_why_facts *f, uint32_t cpu);

/* The state of a task at ts, or NULL. *ret_next: begin of the next state (UINT64_MAX: none). */
const struct kft_interval *kft_why_state_at(const struct kft_why_task *task, uint64_t ts,
					    uint64_t *ret_next);

/* The task on a CPU at ts, valid until *ret_until; NULL: unknown until then. */
const struct kft_why_current *kft_why_current_at(const struct kft_why_cpu *cpu,
						 uint64_t ts, uint64_t *ret_until);

/* A gap of this length on a busy CPU is silence; UINT64_MAX: its ticks are unknown. */
uint64_t kft_why_silent_ns(const struct kft_why_facts *f, const struct kft_why_cpu *cpu);

/* The piece of an interrupt at ts, which ends at *ret_until; NULL: none until then. */
const struct kft_why_piece *kft_why_piece_at(const struct kft_why_cpu *cpu, uint64_t ts,
					     uint64_t *ret_until);

/* The innermost call of a kind that a task is in at ts; NULL: none. */
const struct kft_interval *kft_why_call_at(const struct kft_why_task *task,
					   const struct kft_interval_kind *kind,
					   uint64_t ts);

/* The begin of the next call of any kind after ts; UINT64_MAX: there is none. */
uint64_t kft_why_next_call(const struct kft_why_task *task, uint64_t ts);

/* Whether a task runs, is runnable, or is stopped. In other states it waits for something. */
bool kft_why_is_running(const struct kft_interval *state);
bool kft_why_is_ready(const struct kft_interval *state); /* runnable */
bool kft_why_is_stopped(const struct kft_interval *state);

/* The waking at exactly ts; NULL: it is not in the trace. */
const struct kft_why_waking *kft_why_waking_at(const struct kft_why_task *task,
					       uint64_t ts);

/* The innermost signal handler that a task is in at ts; NULL: none until *ret_until. */
const struct kft_why_handler *kft_why_handler_at(const struct kft_why_task *task,
						 uint64_t ts, uint64_t *ret_until);

/*
 * The creation, after ts, of a task that does not exist at ts. NULL: the task exists at
 * ts, or its creation is not in the range.
 */
const struct kft_why_birth *kft_why_birth_after(const struct kft_why_task *task,
						uint64_t ts);

/*
 * The CPU with the run queue that a task is on, from ts until *ret_until. Returns
 * fallback if the range does not show it.
 */
uint32_t kft_why_place_at(const struct kft_why_task *task, uint64_t ts, uint32_t fallback,
			  uint64_t *ret_until);

/* Whether the function at an address has this name. */
bool kft_why_is_function(const struct kft_why_facts *f, uint64_t addr, const char *name);
