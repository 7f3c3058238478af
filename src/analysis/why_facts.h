/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_FACTS_H
#define KFT_ANALYSIS_WHY_FACTS_H

#include "base/arena.h"
#include "base/keyed.h"
#include "derive/engine.h"
#include "model/trace.h"

/*
 * What a stretch of a trace says, kept so that kft why can look at any moment of it: the
 * states of each task, who was on each CPU and which interrupts, what woke whom. Intervals
 * come from the kinds of derive/; what is no interval (a waker, when a timer was to expire,
 * on which CPU a task waits) is taken from the events here.
 *
 * Times are in order within each list. Zeroed is empty.
 */

/* More make no answer: the stretch is too long. */
#define KFT_WHY_FACTS_MAX ((size_t)16 << 20)

enum kft_why_context {
	KFT_WHY_IN_TASK,
	KFT_WHY_IN_SOFTIRQ,
	KFT_WHY_IN_HARDIRQ,
};

struct kft_why_waking {
	uint64_t ts;
	uint64_t wakeup_ts; /* the task is on a run queue; 0: not recorded */
	int32_t waker; /* the task that was there, also when an interrupt woke */
	uint32_t cpu; /* of the waker */
	enum kft_why_context context;
};

/* A run queue that a task came to. */
struct kft_why_place {
	uint64_t ts;
	uint32_t cpu;
};

/* A new task comes to be: its pid may have been that of another one. */
struct kft_why_birth {
	uint64_t ts;
	int32_t parent;
};

/* A signal's handler runs, until it returns. */
struct kft_why_handler {
	uint64_t begin;
	uint64_t end; /* 0: not seen, as of one that was left by longjmp() */
	uint64_t sig;
};

struct kft_why_task {
	int32_t pid;
	KFT_VEC(struct kft_interval) states; /* one after the other */
	KFT_VEC(struct kft_interval) calls; /* system calls, work, ...: by their begin */
	KFT_VEC(struct kft_why_waking) wakings;
	KFT_VEC(struct kft_why_place) places;
	KFT_VEC(uint64_t) faults;
	KFT_VEC(struct kft_why_birth) births;
	KFT_VEC(struct kft_why_handler) handlers;
};

/* A task is on a CPU from ts to the next one's. */
struct kft_why_current {
	uint64_t ts;
	int32_t pid; /* -1: not known */
	int32_t prio; /* as the kernel counts: below 0 tasks with deadlines, below 100 real time */
};

/* Time of a CPU that belongs to one interrupt, those within it left out. */
struct kft_why_piece {
	uint64_t begin;
	uint64_t end;
	size_t irq; /* index into irqs */
};

/* No event on a CPU, for longer than most are apart. */
struct kft_why_gap {
	uint64_t begin;
	uint64_t end;
	bool is_loss; /* events are missing there */
};

/* All events of a CPU said that it should call the scheduler, until it did. */
struct kft_why_held {
	uint64_t begin;
	uint64_t end;
	int32_t pid; /* of the task that it left then */
};

/* A timer's callback, or the completion of a request. */
struct kft_why_timer {
	uint64_t ts;
	uint64_t id; /* the address of the timer */
	uint64_t function;
	bool is_hrtimer;
	uint64_t soft_ns; /* when it may and has to expire; 0: its start was not seen */
	uint64_t hard_ns;
};

struct kft_why_request {
	uint64_t ts; /* of its completion */
	uint64_t insert_ts; /* 0: not seen */
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
	int32_t left_pid; /* the task that the last switch left; -1: it is gone */
	uint64_t n_left_idle; /* switches from idle */
	uint64_t n_left_idle_unseen; /* those that are not in the trace */
	uint64_t resched_since; /* 0: its last event said that nothing is due */
	uint64_t resched_until; /* the last event that said so since then */
};

/* The next period of a CPU quota begins. */
struct kft_why_period {
	uint64_t ts;
	uint64_t id; /* the address of its timer */
};

/* A task gives a futex away that others wait for, or spin on. */
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

/* What of the events that matter was seen. */
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
};

struct kft_why_facts {
	struct kft_trace *trace; /* borrowed */
	struct kft_coverage coverage; /* of the whole trace */
	uint64_t first_ts; /* of the stretch that was read */
	uint64_t last_ts;
	uint64_t tick_ns; /* 0: not learnt: silence means nothing */
	uint64_t losses; /* places where events are missing */
	uint64_t n_unseen; /* switches between tasks that are not in the trace */
	uint32_t seen; /* enum kft_why_seen */
	size_t n_facts;
	KFT_VEC(struct kft_why_task) tasks;
	struct kft_map by_pid; /* -> index + 1 */
	KFT_VEC(struct kft_why_cpu) cpus; /* by number */
	KFT_VEC(struct kft_why_signal) signals;
	KFT_VEC(struct kft_why_period) periods;
	KFT_VEC(struct kft_why_unlock) unlocks;
	struct kft_map irq_names; /* number -> const char * in the arena */
	struct kft_arena arena;
};

/*
 * Reads what is between since and until. -E2BIG: more than can be kept; -ENOMEM. The
 * symbols of the trace are loaded before.
 */
int kft_why_facts_read(struct kft_trace *t, uint64_t since, uint64_t until,
		       struct kft_why_facts *ret, struct kft_err *e) __must_check;
void kft_why_facts_finish(struct kft_why_facts *f);

/* NULL: nothing was seen of it. */
const struct kft_why_task *kft_why_task_find(const struct kft_why_facts *f, int32_t pid);
const struct kft_why_cpu *kft_why_cpu_find(const struct kft_why_facts *f, uint32_t cpu);

/* The state of a task at ts, or NULL with the begin of the next one (UINT64_MAX: none). */
const struct kft_interval *kft_why_state_at(const struct kft_why_task *task, uint64_t ts,
					    uint64_t *ret_next);

/* Who is on a CPU at ts, and until when; NULL: not known until then. */
const struct kft_why_current *kft_why_current_at(const struct kft_why_cpu *cpu,
						 uint64_t ts, uint64_t *ret_until);

/* No event for so long on a CPU with a task is silence; UINT64_MAX: none is. */
uint64_t kft_why_silent_ns(const struct kft_why_facts *f, const struct kft_why_cpu *cpu);

/* The piece of an interrupt at ts; NULL: there is none until *ret_until. */
const struct kft_why_piece *kft_why_piece_at(const struct kft_why_cpu *cpu, uint64_t ts,
					     uint64_t *ret_until);

/* The innermost call of a kind that a task is in at ts; NULL: none. */
const struct kft_interval *kft_why_call_at(const struct kft_why_task *task,
					   const struct kft_interval_kind *kind,
					   uint64_t ts);

/* Where the next call of any kind begins; UINT64_MAX: there is none. */
uint64_t kft_why_next_call(const struct kft_why_task *task, uint64_t ts);

/* What a task does in a state. Neither: it waits for something. */
bool kft_why_is_running(const struct kft_interval *state);
bool kft_why_is_ready(const struct kft_interval *state); /* to run */
bool kft_why_is_stopped(const struct kft_interval *state);

/* The waking at ts; NULL: it was not seen. */
const struct kft_why_waking *kft_why_waking_at(const struct kft_why_task *task,
					       uint64_t ts);

/* The innermost handler of a signal that a task is in at ts; NULL: none until *ret_until. */
const struct kft_why_handler *kft_why_handler_at(const struct kft_why_task *task,
						 uint64_t ts, uint64_t *ret_until);

/* The birth after ts of a task that is none at ts; NULL: it is one, or none was seen. */
const struct kft_why_birth *kft_why_birth_after(const struct kft_why_task *task,
						uint64_t ts);

/* The run queue that a task is on at ts; fallback when it was not seen to come to one. */
uint32_t kft_why_place_at(const struct kft_why_task *task, uint64_t ts, uint32_t fallback,
			  uint64_t *ret_until);

/* Whether the function at an address has this name. */
bool kft_why_is_function(const struct kft_why_facts *f, uint64_t addr, const char *name);

#endif
