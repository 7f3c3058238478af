/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_WATCH_SAYS_H
#define KFT_WATCH_SAYS_H

#include "watch/act.h"
#include "watch/tally.h"

/* Writes what a watcher says of itself into the session's directory. */
void kft_watch_say(const struct kft_rundir *dir, const struct kft_watch_tally *t,
		   const struct kft_watch_done *done);

struct kft_watch_said_row {
	const char *condition;
	uint64_t times;
	uint64_t last_s; /* when it came last, since 1970; 0: it has not */
	const char *why; /* what was seen then */
	bool in_kernel; /* the kernel finds it, nobody reads events along */
};

/* What it said last. Texts are escaped, and in the text. */
struct kft_watch_said {
	struct kft_strbuf text;
	KFT_VEC(struct kft_watch_said_row) rows;
	uint64_t missed; /* events, or KFT_LOST_UNKNOWN */
	uint64_t files; /* snapshots that were written */
	const char
		*along; /* why intervals are found by reading along; NULL: they are not */
	const char *last_file; /* NULL: none */
	const char *trouble; /* the last thing that could not be done; NULL: none */
};

/* -ENOENT when no watcher was there. */
int kft_watch_said_read(const struct kft_rundir *dir,
			struct kft_watch_said *ret) __must_check;
/* The same from its text, which it takes. */
int kft_watch_said_parse(struct kft_strbuf *text,
			 struct kft_watch_said *ret) __must_check;
void kft_watch_said_finish(struct kft_watch_said *said);

#endif
