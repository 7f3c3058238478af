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
 * What to trace, whoever asked: a command line, a configuration file or a program lowers
 * its wishes to a plan, and a backend only ever sees a plan. A plan says nothing about
 * how a kernel carries it out.
 *
 * All but its size zeroed is valid: nothing enabled, the kernel's defaults. kft_plan_finish()
 * frees what the setters copied; set the scalar members directly.
 */

/* Events by pattern, in the order given; a later one's filter wins for its events. */
struct kft_plan_event {
	/* "system:event", "system", with * ? [] globs, "!" in front: not these; owned */
	char *pattern;
	char *filter; /* the kernel's filter language, NULL for none; owned */
	bool is_optional; /* passed over by a kernel that has no such event */
	bool stack; /* with the kernel's call stack */
};

/*
 * A probe: an event where a function is entered or returns, with arguments. Of the kernel
 * these are by the names of the source ("file->f_inode->i_ino") or number ("$arg2"), of a
 * program by number; "$retval" at a return.
 */
struct kft_plan_probe {
	bool is_user; /* of a program or shared library */
	char *program; /* its path; NULL without is_user; owned, as the others */
	char *symbol; /* the function; of a program also a glob */
	bool at_return;
	char *args; /* separated by commas; NULL: none */
	char *filter; /* the kernel's filter language, NULL for none */
	bool is_optional; /* tried without arguments, then passed over, if it cannot be */
	bool stack; /* with the kernel's call stack */
};

/*
 * Functions, beside the events: each call is recorded with its duration (KFT's Delta),
 * which min_ns and max_ns bound, 0 for no bound; or with `entries` each entry only, with
 * the caller.
 */
enum kft_func_kind {
	KFT_FUNC_NAME, /* exactly this name; several functions may share one */
	KFT_FUNC_GLOB, /* every traceable function that matches, with * ? [] */
	KFT_FUNC_ADDR, /* the function that starts at addr */
};

struct kft_plan_func {
	enum kft_func_kind kind;
	char *name; /* name or glob, NULL with KFT_FUNC_ADDR; owned */
	uint64_t addr; /* with KFT_FUNC_ADDR */
};

struct kft_plan_funcs {
	struct kft_plan_func *items; /* owned */
	size_t len;
};

enum kft_trigger_kind {
	KFT_TRIGGER_NONE, /* by the user: start and stop of the session */
	KFT_TRIGGER_ENTRY, /* when the function is entered */
	KFT_TRIGGER_EXIT, /* when it returns */
	KFT_TRIGGER_TIME, /* start: time after boot; stop: time after the start */
	KFT_TRIGGER_EVENT, /* at an event, when its filter is true */
};

struct kft_plan_trigger {
	enum kft_trigger_kind kind;
	struct kft_plan_func func; /* with ENTRY and EXIT: a name or an address */
	uint64_t time_ns; /* with TIME */
	struct kft_plan_event event; /* with EVENT: exactly one, "system:event" */
};

enum kft_context {
	KFT_CONTEXT_ANY,
	KFT_CONTEXT_TASK, /* not in a hard or soft interrupt (noints) */
	KFT_CONTEXT_INTERRUPT, /* only in one (onlyints) */
};

enum kft_watch_kind {
	KFT_WATCH_NONE,
	KFT_WATCH_STACK, /* keep the call stack each time less than bytes are left */
	KFT_WATCH_WORST_STACK, /* the same, each time less is left than ever before */
};

struct kft_plan_functions {
	bool enabled; /* trace functions at all: with empty lists every one */
	struct kft_plan_funcs include; /* only these; empty: all */
	struct kft_plan_funcs exclude; /* but not these */
	uint64_t min_ns; /* drop shorter calls */
	uint64_t max_ns; /* drop longer calls */
	enum kft_context context;
	char **comms; /* only tasks with these names (globs); owned */
	size_t n_comms;
	uint64_t max_calls; /* stop when so many are kept; 0: when the buffer is full */
	bool untimed; /* entries and exits instead of calls with a duration */
	bool entries; /* who calls what: entries and callers, no durations */
	struct kft_plan_funcs roots; /* only what these call, and they; empty: all */
	uint32_t max_depth; /* only calls nested so deep, 1: the outermost; 0: all */
	bool args; /* with their arguments */
	bool retval; /* with what they return */
	enum kft_watch_kind watch;
	uint64_t watch_bytes; /* of stack left */
	/* Beside the calls: each entry of these, with the caller, in a buffer of its own. */
	struct kft_plan_funcs entered;
};

/*
 * What takes longer than a limit, from one event to another one of the same keys, found by
 * the kernel: recorded as an event synthetic:NAME with "lat", in ns if the clock is, and "key".
 */
struct kft_plan_moment {
	const char *event; /* "system:event"; borrowed, as keys */
	const char
		*keys; /* its fields that say which beginning and end belong together */
	char *filter; /* the kernel's filter language, NULL for none; owned */
};

struct kft_plan_interval {
	char *name; /* of the event: nobody else has one of this name; owned */
	struct kft_plan_moment begin;
	struct kft_plan_moment end;
	struct kft_plan_moment
		cancel; /* forgets the beginning; event NULL: nothing does */
	const char *key; /* a field of the end, with its type: "int irq"; borrowed */
	uint32_t room; /* for so many different keys */
	uint64_t min_ns; /* drop shorter ones */
};

struct kft_plan {
	size_t size; /* sizeof(struct kft_plan): which members the program knows */
	char *name; /* of the session: instance "kft-NAME"; NULL: a unique one; owned */
	struct kft_plan_event *events; /* owned */
	size_t n_events;
	struct kft_plan_probe *probes; /* owned */
	size_t n_probes;
	bool stack; /* each event with the kernel's call stack */
	bool user_stack; /* and that of the program */
	pid_t *pids; /* only these tasks; empty: everything; owned */
	size_t n_pids;
	bool follow_children; /* and what the pids' tasks fork from now on */
	uint64_t buffer_bytes; /* per CPU; 0: the kernel's default */
	char *clock; /* trace clock; NULL: the best for merging CPUs; owned */
	bool overwrite; /* keep the newest: nothing is drained until the end */
	struct kft_plan_trigger start; /* recording is off before it */
	struct kft_plan_trigger stop; /* and behind it */
	bool autorepeat; /* after the stop wait for the start trigger again */
	struct kft_plan_functions functions;
	/* Of attached sessions only. */
	struct kft_plan_interval *intervals; /* owned */
	size_t n_intervals;
};

void kft_plan_finish(struct kft_plan *p);

/* Copies. -ENOMEM, -EINVAL for what can never be right (empty pattern, bad name). */
int kft_plan_add_event(struct kft_plan *p, const char *pattern, const char *filter,
		       struct kft_err *e);
int kft_plan_add_pid(struct kft_plan *p, pid_t pid, struct kft_err *e);

/*
 * The events that the answers to questions need, those that the kernel has: "why", or "why:KIND[:KEY]"
 * with what kft why needs more for intervals of that kind; several with commas between them.
 * -EINVAL for other questions.
 */
int kft_plan_add_for(struct kft_plan *p, const char *question, struct kft_err *e);

/*
 * As people write it: FUNCTION[%return][(ARGUMENT, ...)][/FILTER/], with PROGRAM: before it
 * of a program, and "/FILTER/stack" or "//stack" for one with its call stack.
 */
int kft_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
		       struct kft_err *e);
int kft_plan_set_name(struct kft_plan *p, const char *name, struct kft_err *e);
int kft_plan_set_clock(struct kft_plan *p, const char *clock, struct kft_err *e);

/*
 * Functions from how people write them: a name, a glob, or 0xADDRESS. Copied. -EINVAL for
 * what can be none of these, and for a glob where one function is wanted.
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

/* Frees what a plan's functions own: kft_plan_finish() calls it. */
void kft_plan_functions_finish(struct kft_plan_functions *f);

#ifdef __cplusplus
}
#endif

#endif
