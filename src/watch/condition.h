/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_CONDITION_H
#define KFT_WATCH_CONDITION_H

#include <kft/plan.h>

#include "base/vec.h"

/*
 * "WHEN do ACTION[,ACTION]": what to wait for beside a session that records, and what to do
 * then. kft-flight(1) has the language.
 */
enum kft_when {
	KFT_WHEN_EVENT, /* SYSTEM:EVENT[/FILTER/] */
	KFT_WHEN_ENTER, /* enter:FUNCTION */
	KFT_WHEN_EXIT, /* exit:FUNCTION */
	KFT_WHEN_MARK, /* mark:TEXT, which a mark begins with */
	KFT_WHEN_TIME, /* so long after the beginning */
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
	/* Owned: the events of SET; NULL until kft_watch_find_sets(), before anybody acts. */
	struct kft_plan *set;
};

struct kft_condition {
	char *text; /* as it was given, without the actions; owned, as the others */
	enum kft_when when;
	char *what; /* event, function, mark, or kind of interval */
	char *filter; /* of an event; NULL: none */
	char *key; /* of an interval; NULL: any */
	char *task; /* of an interval: the name of the task; NULL: any */
	uint64_t ns; /* limit, time or silence */
	KFT_VEC(struct kft_action) actions;
};

#define KFT_CONDITION_MAX_BYTES	  4096
#define KFT_CONDITION_ACTIONS_MAX 16

/* -EINVAL with what is wrong. Nothing is to be freed then. */
int kft_condition_parse(const char *text, struct kft_condition *ret,
			struct kft_err *e) __must_check;

/* The same of a WHEN alone: it has no actions. */
int kft_condition_parse_when(const char *text, struct kft_condition *ret,
			     struct kft_err *e) __must_check;
void kft_condition_finish(struct kft_condition *c);

/* Whether one of its actions is of this kind. */
bool kft_condition_does(const struct kft_condition *c, enum kft_action_kind kind);

#endif
