/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_LEDGER_H
#define KFT_TRACEFS_LEDGER_H

#include "capture/host.h"

/*
 * What a session or doctor changed in the kernel and how to take it back, in a file that outlives every
 * process: each change is noted before it is made, so that whoever comes later can undo
 * all of them, last one first. Undoing what was never done, or was undone before, does no
 * harm.
 *
 * The file is text, an entry a line: "set PATH\tOLD", "empty PATH", "trigger PATH\tTEXT",
 * "probe GROUP/NAME", "dynamic PATH\tFILE\tTEXT", "instance NAME", "sysctl PATH\tOLD". Paths are relative to tracefs,
 * that of a sysctl to /proc/sys.
 */
struct kft_ledger {
	struct kft_host *host; /* borrowed */
	int dir_fd; /* borrowed: where the file is */
	int tracefs_fd; /* borrowed */
};

/* -errno when tracefs cannot be had. */
int kft_ledger_init(struct kft_ledger *u, struct kft_host *host, int dir_fd,
		    struct kft_err *e) __must_check;

/* Makes a control file say value; does and notes nothing when it says so. */
int kft_ledger_set(const struct kft_ledger *u, const char *path, const char *value,
		   struct kft_err *e) __must_check;
int kft_ledger_set_u64(const struct kft_ledger *u, const char *path, uint64_t value,
		       struct kft_err *e) __must_check;

/* The same for a file of /proc/sys. */
int kft_ledger_set_sysctl(const struct kft_ledger *u, const char *path, const char *value,
			  struct kft_err *e) __must_check;

/* Notes what a file says that the caller is about to change: what is to be restored. */
int kft_ledger_note_set(const struct kft_ledger *u, const char *path, const char *old,
			struct kft_err *e) __must_check;
int kft_ledger_note_sysctl(const struct kft_ledger *u, const char *path, const char *old,
			   struct kft_err *e) __must_check;

/* Notes what the caller is about to make. */
int kft_ledger_note_empty(const struct kft_ledger *u, const char *path,
			  struct kft_err *e) __must_check;
int kft_ledger_note_filter(const struct kft_ledger *u, const char *path,
			   struct kft_err *e) __must_check;
int kft_ledger_note_trigger(const struct kft_ledger *u, const char *path,
			    const char *text, struct kft_err *e) __must_check;
int kft_ledger_note_probe(const struct kft_ledger *u, const char *event,
			  struct kft_err *e) __must_check;
/* A dynamic event: `file` deletes it for `text`, while there is `path`. */
int kft_ledger_note_dynamic(const struct kft_ledger *u, const char *path,
			    const char *file, const char *text,
			    struct kft_err *e) __must_check;
int kft_ledger_note_instance(const struct kft_ledger *u, const char *name,
			     struct kft_err *e) __must_check;

/* For tests: there is something to undo. */
bool kft_ledger_exists(const struct kft_ledger *u);

/*
 * Undoes everything and removes the file. Goes on after a failure, gives the first one
 * and keeps the file then, so that it can be tried again.
 */
int kft_ledger_undo(const struct kft_ledger *u, struct kft_err *e) __must_check;

#endif
