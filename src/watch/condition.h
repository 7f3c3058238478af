/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/vec.h"

/*
 * A condition "WHEN do ACTION[,ACTION]" that is watched for during a recording, with the
 * actions to carry out when it is met. The language is described in kft-flight(1).
 */
enum kft_when {
	KFT_WHEN_EVENT, /* SYSTEM:EVENT[/FILTER/] */
	KFT_WHEN_ENTER, /* enter:FUNCTION */
	KFT_WHEN_EXIT, /* exit:FUNCTION */
	KFT_WHEN_MARK, /* mark:TEXT, the beginning of the mark's text */
	KFT_WHEN_TIME, /* time since the start */
	KFT_WHEN_INTERVAL, /* KIND[:KEY] > TIME, sched:TASK wait > TIME */
	KFT_WHEN_SILENCE, /* no SYSTEM:EVENT[/FILTER/] for TIME */
};

enum kft_action_kind {
	KFT_ACTION_SNAPSHOT,
	KFT_ACTION_STOP,
	KFT_ACTION_PAUSE,
	KFT_ACTION_RESUME,
	KFT_ACTION_MARK, /* text */
	KFT_ACTION_SET, /* text: +SET or -SET */
	KFT_ACTION_EXEC, /* text: a command of the shell */
};

struct kft_action {
	enum kft_action_kind kind;
	char *text; /* owned; NULL: none */
	/*
	 * Owned: the events of SET; NULL until kft_watch_find_sets(), which is
	 * called before any action.
	 */
	struct kft_plan *set;
};

struct kft_condition {
	/* The condition as given, without its actions. Owned, like the other texts. */
	char *text;
	enum kft_when when;
	char *what; /* event, function, mark, or kind of interval */
	char *filter; /* of an event; NULL: none */
	char *key; /* of an interval; NULL: any */
	char *task; /* of an interval: name of the task; NULL: any */
	uint64_t ns; /* limit of a duration, time, or length of a silence */
	KFT_VEC(struct kft_action) actions;
};

#define KFT_CONDITION_MAX_BYTES	  4096
#define KFT_CONDITION_ACTIONS_MAX 16

/* -EINVAL with the reason. On failure there is nothing to free. */
int kft_condition_parse(const char *text, struct kft_condition *ret,
			struct kft_err *e) __must_check;

/* Parses a WHEN alone, without actions. */
int kft_condition_parse_when(const char *text, struct kft_condition *ret,
			     struct kft_err *e) __must_check;
void kft_condition_finish(struct kft_condition *c);

/* Whether one of the condition's actions is of this kind. */
bool kft_condition_does(const struct kft_condition *c, enum kft_action_kind kind);

/* The conditions of a watcher. */
struct kft_conditions {
	const struct kft_condition *data; /* borrowed while in use */
	size_t len;
	/* The kernel finds the conditions that it can (watch/in_kernel.h). */
	bool in_kernel;
};

/* How a watcher counts conditions, and how much it writes. */
struct kft_watch_opts {
	struct kft_conditions conditions; /* borrowed */
	const char *dir; /* borrowed; absolute path of the directory for snapshots */
	uint64_t at_most; /* times that each condition counts; 0: no limit */
	uint64_t rest_ns; /* ns after a condition was met during which it is ignored */
	uint64_t max_files; /* number of snapshots; 0: no limit */
	uint64_t max_bytes; /* sum of the snapshots' sizes; 0: no limit */
};
