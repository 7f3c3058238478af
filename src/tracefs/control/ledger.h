/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"

/*
 * Records the changes that a session or kft doctor makes in the kernel, and how to undo
 * them, in a file that outlives every process. Each change is noted before it is made, so
 * that any later process can undo all of them, last one first. Undoing a change that was
 * never made, or was undone before, is harmless.
 *
 * The file is text with one entry on each line: "set PATH\tOLD", "empty PATH", "trigger
 * PATH\tTEXT", "probe GROUP/NAME", "dynamic PATH\tFILE\tTEXT", "instance NAME", "sysctl
 * PATH\tOLD". Paths are relative to tracefs, that of a sysctl to /proc/sys.
 */
struct kft_ledger {
	struct kft_host *host; /* borrowed */
	int dir_fd; /* borrowed: directory of the file */
	int tracefs_fd; /* borrowed */
};

/* Opens tracefs through the host; -errno when that fails. */
int kft_ledger_init(struct kft_ledger *u, struct kft_host *host, int dir_fd,
		    struct kft_err *e) __must_check;

/* Sets a control file to value and notes its old value; does nothing when it has the value. */
int kft_ledger_set(const struct kft_ledger *u, const char *path, const char *value,
		   struct kft_err *e) __must_check;
int kft_ledger_set_u64(const struct kft_ledger *u, const char *path, uint64_t value,
		       struct kft_err *e) __must_check;

/* Sets a file of /proc/sys to value and notes its old value. */
int kft_ledger_set_sysctl(const struct kft_ledger *u, const char *path, const char *value,
			  struct kft_err *e) __must_check;

/* Notes the value to restore in a file that the caller is about to change. */
int kft_ledger_note_set(const struct kft_ledger *u, const char *path, const char *old,
			struct kft_err *e) __must_check;
int kft_ledger_note_sysctl(const struct kft_ledger *u, const char *path, const char *old,
			   struct kft_err *e) __must_check;

/*
 * Notes a change that the caller is about to make: text in an empty file, the filter of
 * an event (path is its filter file), a trigger, a probe event "GROUP/NAME".
 */
int kft_ledger_note_empty(const struct kft_ledger *u, const char *path,
			  struct kft_err *e) __must_check;
int kft_ledger_note_filter(const struct kft_ledger *u, const char *path,
			   struct kft_err *e) __must_check;
int kft_ledger_note_trigger(const struct kft_ledger *u, const char *path,
			    const char *text, struct kft_err *e) __must_check;
int kft_ledger_note_probe(const struct kft_ledger *u, const char *event,
			  struct kft_err *e) __must_check;
/* Notes a dynamic event: while `path` exists, writing text to `file` deletes the event. */
int kft_ledger_note_dynamic(const struct kft_ledger *u, const char *path,
			    const char *file, const char *text,
			    struct kft_err *e) __must_check;
int kft_ledger_note_instance(const struct kft_ledger *u, const char *name,
			     struct kft_err *e) __must_check;

/* For tests: true when there is anything to undo. */
bool kft_ledger_exists(const struct kft_ledger *u);

/*
 * Undoes everything and removes the file. After a failure it goes on with the other
 * entries, returns the first error and keeps the file, so that undoing can be repeated.
 */
int kft_ledger_undo(const struct kft_ledger *u, struct kft_err *e) __must_check;
