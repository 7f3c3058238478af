/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_JOURNAL_H
#define KFT_DOCTOR_JOURNAL_H

#include "base/macro.h"

/*
 * What has to be undone to leave tracefs as it was found. An entry is noted before the
 * change is made, so undoing must be harmless when the change never happened: each kind
 * looks first and writes only what differs.
 *
 * Lives in memory shared by the process that tries and the one that watches over it;
 * whichever of them survives undoes. Not locked: the watcher touches it only when the
 * former is dead.
 */
#define KFT_UNDO_MAX	  24
#define KFT_UNDO_PATH_MAX 192
#define KFT_UNDO_TEXT_MAX 192

enum kft_doctor_undo_kind {
	KFT_UNDO_WRITE, /* make path say text again */
	KFT_UNDO_CLEAR, /* make path empty by opening it with O_TRUNC */
	KFT_UNDO_DELETE, /* append text to path, which deletes a dynamic event `probe` */
};

struct kft_doctor_undo {
	enum kft_doctor_undo_kind kind;
	bool in_root; /* path is below the root (for /proc), not below tracefs */
	char path[KFT_UNDO_PATH_MAX];
	char text[KFT_UNDO_TEXT_MAX];
	char probe
		[KFT_UNDO_PATH_MAX]; /* DELETE: a path that exists while the event does */
};

struct kft_journal {
	unsigned int len;
	struct kft_doctor_undo entries[KFT_UNDO_MAX];
	char left_over[1024]; /* what could not be undone, a sentence a line */
};

/* Notes a copy of the entry; -ENOSPC when the journal is full: then change nothing. */
int kft_journal_add(struct kft_journal *j,
		    const struct kft_doctor_undo *undo) __must_check;

/* Adds a sentence to left_over; what does not fit is cut. */
__printf_fmt(2, 3) void kft_journal_note(struct kft_journal *j, const char *fmt, ...);

/*
 * Undoes entries down to the mark (a former len), newest first. What fails is noted in
 * left_over and forgotten.
 */
void kft_journal_undo(struct kft_journal *j, int root_fd, int tracefs_fd,
		      unsigned int mark);

#endif
