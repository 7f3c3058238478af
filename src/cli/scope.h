/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/select.h"
#include "base/cpuset.h"
#include "base/opt.h"
#include "cli/verb.h"
#include "model/scope.h"

/* The options that select the part of a trace to read, and the resulting scope. */
struct cli_scope {
	const char *arg_cpus;
	struct kft_opt_strings arg_events;
	const char *arg_since;
	const char *arg_until;
	KFT_VEC(uint32_t) arg_pids;

	struct kft_cpuset cpus;
	uint64_t wanted[KFT_ID_WORDS];
	struct kft_filters filters;
	struct kft_scope scope; /* borrows from the other members */
};

/* Rows for a verb's table of options; s is a static struct cli_scope. */
/* clang-format off */
#define CLI_SCOPE_CPU_OPT(s)                                                             \
	{'C', "cpu", "LIST", "only events of these CPUs, e.g. 0,2-3", KFT_OPT_STRING,    \
	 &(s).arg_cpus}
#define CLI_SCOPE_EVENT_OPT(s)                                                           \
	{'e', "event", "EVENT[,EVENT][/FILTER/]",                                                \
	 "only these events: system:event, system or event, with * ? [], and a filter "  \
	 "like the kernel's; all but these with '!' before; may be repeated",                                                                     \
	 KFT_OPT_STRINGS, &(s).arg_events}
#define CLI_SCOPE_TIME_OPTS(s)                                                           \
	{0, "since", "TIME",                                                             \
	 "only events at or after TIME: seconds as shown, +TIME from the start, or "     \
	 "-TIME from the end",                                                           \
	 KFT_OPT_STRING, &(s).arg_since},                                                \
	{0, "until", "TIME", "only events at or before TIME", KFT_OPT_STRING,            \
	 &(s).arg_until}
#define CLI_SCOPE_OPTS(s) \
	CLI_SCOPE_CPU_OPT(s), CLI_SCOPE_EVENT_OPT(s), CLI_SCOPE_TIME_OPTS(s)
#define CLI_SCOPE_PID_OPT(s)                                                             \
	{'P', "pid", "PID", "only events of this task; may be repeated",                 \
	 KFT_OPT_CALLBACK, &(s), .parse = cli_scope_add_pid}
/*
 * Options of trace-cmd and perf that have another name in kft: they are
 * refused with that name.
 */
#define CLI_FOREIGN_OPT(letter, instead)                                                 \
	{letter, NULL, NULL, NULL, KFT_OPT_CALLBACK, (void *)(instead),                  \
	 .parse = cli_scope_foreign}
#define CLI_FOREIGN_INPUT_OPT CLI_FOREIGN_OPT('i', "give the file without -i")
#define CLI_FOREIGN_EXCLUDE_OPT CLI_FOREIGN_OPT('v', "-e '!EVENT' leaves out events")
/* clang-format on */

int cli_scope_add_pid(const struct kft_opt *opt, const char *arg, struct kft_err *e);
int cli_scope_foreign(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/* Prints a note if no event matched the selection. */
void cli_scope_note_empty(const struct cli_scope *s, bool any);

/* Fills in scope. -EINVAL for a mistake of the user, -ENOENT for an unknown event. */
int cli_scope_resolve(struct cli_scope *s, struct kft_trace *t, struct kft_err *e);

/*
 * Without --event, excludes the events that kft itself caused to start and stop the
 * recording. For verbs that show events to people.
 */
void cli_scope_hide_own(struct cli_scope *s, struct kft_trace *t);

/*
 * Restricts the scope to the tasks of --pid, too: for verbs that cannot show losses
 * before events of other tasks.
 */
void cli_scope_resolve_tasks(struct cli_scope *s, struct kft_trace *t);

/*
 * Parses a time as reports show it, +TIME after the trace's start, or -TIME before its
 * end. is_until: returns the last time that is shown the same. -EINVAL.
 */
int cli_scope_parse_time(struct kft_trace *t, const char *option, const char *text,
			 bool is_until, uint64_t *ret, struct kft_err *e);

/* Parses FROM..TO, two such times in ascending order. -EINVAL, -ENOMEM. */
int cli_scope_parse_stretch(struct kft_trace *t, const char *option, const char *text,
			    uint64_t *ret_since, uint64_t *ret_until, struct kft_err *e);

void cli_scope_finish(struct cli_scope *s);

/*
 * Runs a verb on the trace of its operands: opens it, resolves the scope, calls show(),
 * and finishes the scope. Returns the exit status.
 */
int cli_scope_show(struct cli *c, int argc, char **argv, struct cli_scope *s,
		   int (*show)(struct cli *c, const char *path, struct kft_trace *t));
