/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_H
#define KFT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plan describes a trace: command lines, configuration files and programs are
 * all translated to plans, and backends see only plans. A plan does not depend on
 * how a kernel carries it out.
 *
 * A plan with all but its size zeroed is valid: nothing is enabled, and the
 * kernel's defaults apply. kft_plan_finish() frees the copies that the setters
 * made; set scalar members directly.
 */

/*
 * Events by pattern, in the given order; the filter of a later
 * pattern wins for its events.
 */
struct kft_plan_event {
	/*
	 * "system:event" or "system", with globs * ? []; a leading "!"
	 * excludes events; owned
	 */
	char *pattern;
	char *filter; /* in the kernel's filter language, NULL: no filter; owned */
	bool is_optional; /* ignored by a kernel without such an event */
	bool stack; /* with the kernel's call stack */
};

/*
 * A probe: an event at a function's entry or return, with arguments. In the kernel, these
 * are given by the names of the source ("file->f_inode->i_ino") or by number ("$arg2"),
 * in a program by number; "$retval" is for returns.
 */
struct kft_plan_probe {
	bool is_user; /* in a program or shared library */
	/* path of the program; NULL unless is_user; owned, like the other strings */
	char *program;
	char *symbol; /* the function; a glob is allowed in programs */
	bool at_return;
	char *args; /* separated by commas; NULL: no arguments */
	char *filter; /* in the kernel's filter language, NULL: no filter */
	bool is_optional; /* if it fails, it is tried without arguments, then ignored */
	bool stack; /* with the kernel's call stack */
};

/*
 * Functions, in addition to events: each call is recorded with its duration
 * (KFT's Delta), which min_ns and max_ns bound, 0: no bound; or with `entries`
 * only each entry, with the caller.
 */
enum kft_func_kind {
	KFT_FUNC_NAME, /* all functions with exactly this name */
	KFT_FUNC_GLOB, /* every traceable function that matches the glob * ? [] */
	KFT_FUNC_ADDR, /* the function that starts at addr */
};

struct kft_plan_func {
	enum kft_func_kind kind;
	char *name; /* name or glob, NULL with KFT_FUNC_ADDR; owned */
	uint64_t addr; /* for KFT_FUNC_ADDR */
};

struct kft_plan_funcs {
	struct kft_plan_func *items; /* owned */
	size_t len;
};

enum kft_trigger_kind {
	KFT_TRIGGER_NONE, /* the user starts and stops the session */
	KFT_TRIGGER_ENTRY, /* at the function's entry */
	KFT_TRIGGER_EXIT, /* at the function's return */
	KFT_TRIGGER_TIME, /* start: time after boot; stop: time after the start */
	KFT_TRIGGER_EVENT, /* at an event that passes its filter */
};

struct kft_plan_trigger {
	enum kft_trigger_kind kind;
	struct kft_plan_func func; /* for ENTRY and EXIT: a name or an address */
	uint64_t time_ns; /* for TIME */
	struct kft_plan_event event; /* for EVENT: exactly one, "system:event" */
};

enum kft_context {
	KFT_CONTEXT_ANY,
	KFT_CONTEXT_TASK, /* not in hard or soft interrupts (noints) */
	KFT_CONTEXT_INTERRUPT, /* only in interrupts (onlyints) */
};

enum kft_watch_kind {
	KFT_WATCH_NONE,
	/* keep the call stack whenever fewer than watch_bytes are left */
	KFT_WATCH_STACK,
	KFT_WATCH_WORST_STACK, /* the same, whenever fewer are left than ever before */
};

struct kft_plan_functions {
	bool enabled; /* trace functions; with empty lists all of them */
	struct kft_plan_funcs include; /* only these; empty: all */
	struct kft_plan_funcs exclude; /* but not these */
	uint64_t min_ns; /* drop shorter calls */
	uint64_t max_ns; /* drop longer calls */
	enum kft_context context;
	char **comms; /* globs; only tasks with matching names; owned */
	size_t n_comms;
	/* stop after this number of calls; 0: when the buffer is full */
	uint64_t max_calls;
	bool untimed; /* entries and exits instead of calls with a duration */
	bool entries; /* only entries, each with its caller, without durations */
	/* only these and the functions that they call; empty: all */
	struct kft_plan_funcs roots;
	/* maximum nesting of calls, 1: only the outermost; 0: no limit */
	uint32_t max_depth;
	bool args; /* record the arguments of functions */
	bool retval; /* record the return values of functions */
	enum kft_watch_kind watch;
	uint64_t watch_bytes; /* bytes of stack left, for watch */
	/*
	 * In addition to calls: each entry of these functions with its
	 * caller, in a separate buffer.
	 */
	struct kft_plan_funcs entered;
};

/*
 * Intervals longer than a limit, between two events with the same keys, which the
 * kernel finds itself: it records an event synthetic:NAME with "lat", in ns if the
 * clock has that unit, and "key".
 */
struct kft_plan_moment {
	const char *event; /* "system:event"; borrowed, like keys */
	const char *keys; /* its fields that match a begin to its end */
	char *filter; /* in the kernel's filter language, NULL: no filter; owned */
};

struct kft_plan_interval {
	char *name; /* name of the event, unique in the system; owned */
	struct kft_plan_moment begin;
	struct kft_plan_moment end;
	struct kft_plan_moment cancel; /* discards the begin; event NULL: never */
	/* a field of the end event, with its type: "int irq"; borrowed */
	const char *key;
	uint32_t room; /* maximum number of different keys */
	uint64_t min_ns; /* drop shorter intervals */
};

/* Samples: where tasks are at regular moments, with the call stacks of kernel and program. */
struct kft_plan_samples {
	bool enabled;
	/* "cycles", "cpu-clock", ...; NULL: cycles, or cpu-clock without such a counter; owned */
	char *event;
	/* One of the two is not 0: samples a second, or a number of events between samples. */
	uint64_t freq_hz;
	uint64_t period;
};

struct kft_plan {
	/* sizeof(struct kft_plan): defines the members that the program knows */
	size_t size;
	/* name of the session; its instance is "kft-NAME"; NULL: a unique one; owned */
	char *name;
	struct kft_plan_event *events; /* owned */
	size_t n_events;
	struct kft_plan_probe *probes; /* owned */
	size_t n_probes;
	bool stack; /* each event with the kernel's call stack */
	bool user_stack; /* each event with the program's call stack */
	pid_t *pids; /* only these tasks; empty: all; owned */
	size_t n_pids;
	bool follow_children; /* include the future children of pids */
	uint64_t buffer_bytes; /* per CPU; 0: the kernel's default */
	char *clock; /* trace clock; NULL: the best for merging CPUs; owned */
	bool overwrite; /* keep the newest events: nothing is drained until the end */
	struct kft_plan_trigger start; /* nothing is recorded before it */
	struct kft_plan_trigger stop; /* nothing is recorded after it */
	bool autorepeat; /* after the stop, wait for the start trigger again */
	struct kft_plan_functions functions;
	/* For attached sessions only. */
	struct kft_plan_interval *intervals; /* owned */
	size_t n_intervals;
	struct kft_plan_samples samples;
};

void kft_plan_finish(struct kft_plan *p);

/*
 * Copy their arguments. -ENOMEM, or -EINVAL for an invalid argument
 * (empty pattern, bad name).
 */
int kft_plan_add_event(struct kft_plan *p, const char *pattern, const char *filter,
		       struct kft_err *e);
int kft_plan_add_pid(struct kft_plan *p, pid_t pid, struct kft_err *e);

/*
 * Adds the events that a question needs and the kernel has: "why", or "why:KIND[:KEY]"
 * with the events that kft why uses for intervals of that kind; several questions are
 * separated by commas. -EINVAL for an unknown question.
 */
int kft_plan_add_for(struct kft_plan *p, const char *question, struct kft_err *e);

/*
 * Adds a probe from text: FUNCTION[%return][(ARGUMENT, ...)][/FILTER/], with PROGRAM:
 * before it for a program, and "/FILTER/stack" or "//stack" for the call stack.
 */
int kft_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
		       struct kft_err *e);

/*
 * Adds samples from text: "RATEHz", EVENT, EVENT/RATEHz or EVENT/PERIOD, where RATE is the
 * number of samples a second and PERIOD the number of events between two samples. NULL stands
 * for 997 samples a second of the CPU's cycles or, where these cannot be counted, of its time.
 */
int kft_plan_set_samples(struct kft_plan *p, const char *text, struct kft_err *e);
int kft_plan_set_name(struct kft_plan *p, const char *name, struct kft_err *e);
int kft_plan_set_clock(struct kft_plan *p, const char *clock, struct kft_err *e);

/*
 * Add functions from text: a name, a glob, or 0xADDRESS. The text is copied. -EINVAL for
 * an invalid text, and for a glob where one function is needed.
 */
int kft_plan_add_function(struct kft_plan *p, const char *word, struct kft_err *e);
int kft_plan_exclude_function(struct kft_plan *p, const char *word, struct kft_err *e);
int kft_plan_add_entered(struct kft_plan *p, const char *word, struct kft_err *e);
int kft_plan_add_root(struct kft_plan *p, const char *word, struct kft_err *e);
int kft_plan_trigger_set_function(struct kft_plan_trigger *t, enum kft_trigger_kind kind,
				  const char *word, struct kft_err *e);
int kft_plan_trigger_set_event(struct kft_plan_trigger *t, const char *event,
			       const char *filter, struct kft_err *e);
int kft_plan_add_comm(struct kft_plan *p, const char *comm, struct kft_err *e);

/* Frees the members of a plan's functions: kft_plan_finish() calls it. */
void kft_plan_functions_finish(struct kft_plan_functions *f);

#ifdef __cplusplus
}
#endif

#endif
