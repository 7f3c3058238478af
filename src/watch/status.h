/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/rundir.h"
#include "watch/act.h"
#include "watch/tally.h"

/* Writes the watcher's status to the session's directory. */
void kft_watch_say(const struct kft_rundir *dir, const struct kft_watch_tally *t,
		   const struct kft_watch_done *done);

struct kft_watch_said_row {
	const char *condition;
	uint64_t times;
	uint64_t last_s; /* s since 1970 when it was last met; 0: never */
	const char *why; /* description of the last time */
	bool in_kernel; /* the kernel finds it, so that no events are read for it */
};

/* The last status that a watcher wrote. The texts are escaped, and point into `text`. */
struct kft_watch_said {
	struct kft_strbuf text;
	KFT_VEC(struct kft_watch_said_row) rows;
	uint64_t missed; /* number of missed events, or KFT_LOST_UNKNOWN */
	uint64_t files; /* number of snapshots written */
	/* Why events are read to find intervals; NULL: the kernel finds them. */
	const char *along;
	const char *last_file; /* NULL: none */
	const char *trouble; /* the last error of an action; NULL: none */
};

/* -ENOENT when there was no watcher. */
int kft_watch_said_read(const struct kft_rundir *dir,
			struct kft_watch_said *ret) __must_check;
/* Parses the text of a status, which it takes. */
int kft_watch_said_parse(struct kft_strbuf *text,
			 struct kft_watch_said *ret) __must_check;
void kft_watch_said_finish(struct kft_watch_said *said);

/* Appends the status of the session's watcher: lines of text. */
void kft_watcher_status(const struct kft_rundir *dir, bool records,
			struct kft_strbuf *sb);
