/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/tasks.h"
#include "tracefs/drain/collect.h"
#include "tracefs/drain/drains.h"
#include "tracefs/control/tracefs_dir.h"

struct kft_transfer_opts {
	struct kft_host *host; /* borrowed; tracefs is open */
	int instance_fd; /* borrowed: the directory with the buffers */
	/*
	 * Borrowed: a companion instance, recorded as the trace's buffer
	 * KFT_ENTRIES_BUFFER; NULL: none.
	 */
	const struct kft_tracefs_dir *beside;
	struct kft_sink *sink; /* borrowed */
	const char *only_group; /* borrowed: see struct kft_collect */
	/* borrowed: command line of this program; may be NULL */
	const char *command_line;
	/* borrowed: the kernel's command line; NULL: not recorded */
	const char *kernel_line;
	/* borrowed while the transfer lives; may be NULL */
	const struct kft_notify *notify;
	/*
	 * Borrowed: symbols of modules that were loaded earlier, as blocks
	 * (decode/module_symbols.h); may be NULL.
	 */
	const struct kft_blob *modules;
	/* The sink continues a recording and has all metadata but the shape of the pages. */
	bool resume;
	/* With resume: tasks are not read again, the sink's names suffice. */
	bool without_tasks;
	/* Functions are traced: the transfer's own threads exclude themselves. */
	bool untraced;
	/*
	 * Notice events that another program reads. Requires that nothing was read before
	 * the transfer.
	 */
	bool notice_readers;
};

/*
 * Moves a recording from the kernel to a sink: collects the trace's metadata, drains the
 * pages, and at the end completes the metadata with values that are known only then.
 * Every session, attached or detached, and every boot recording is taken from the kernel
 * this way:
 *
 *	kft_transfer_begin()	the metadata is collected, the sink is begun
 *	kft_transfer_open()	each CPU has its drain
 *	kft_transfer_start()	threads move pages
 *	kft_transfer_tasks()	now and then while the kernel records
 *	kft_transfer_finish()	all pages are moved, the metadata is complete
 *	kft_transfer_end()	the sink is ended
 *
 * `struct kft_transfer t = {};` is an empty transfer; kft_transfer_close() is needed in
 * any case. One thread uses it.
 */
struct kft_transfer {
	/* command lines are used by kft_transfer_begin() only */
	struct kft_transfer_opts opts;
	struct kft_meta meta;
	struct kft_collect collect;
	struct kft_tasks tasks;
	struct kft_drains *drains; /* owned; NULL until opened */
	struct kft_drains *beside; /* owned; drains of opts.beside */
};

/*
 * Name, in the trace, of the buffer with function entries that are recorded along with
 * calls.
 */
#define KFT_ENTRIES_BUFFER "entries"

/* When pages are drained; see struct kft_drains_opts. */
enum kft_transfer_mode {
	KFT_TRANSFER_STREAM, /* while the kernel records, and the rest at the end */
	KFT_TRANSFER_AT_END, /* nothing before the end */
	/* until kft_transfer_finish(), after which recording may go on */
	KFT_TRANSFER_NOW,
};

/* On failure the sink may have been begun. */
int kft_transfer_begin(struct kft_transfer *t, const struct kft_transfer_opts *o,
		       struct kft_err *e) __must_check;
int kft_transfer_open(struct kft_transfer *t, enum kft_transfer_mode mode,
		      struct kft_err *e) __must_check;
int kft_transfer_start(struct kft_transfer *t, struct kft_err *e) __must_check;

/* Events, bytes and losses so far; callable at any time. */
void kft_transfer_progress(const struct kft_transfer *t, struct kft_progress *ret);

/*
 * Reads the kernel's tables of tasks again and passes them to the sink if they changed.
 * kft_transfer_finish() makes up for a failure.
 */
void kft_transfer_tasks(struct kft_transfer *t);
/* See kft_collect_modules(). Does nothing with opts.resume. */
void kft_transfer_modules(struct kft_transfer *t);

/*
 * Fails with the first failure of any drain; else meta is complete but for the caller's
 * part.
 */
int kft_transfer_finish(struct kft_transfer *t, struct kft_err *e) __must_check;
int kft_transfer_end(struct kft_transfer *t, struct kft_err *e) __must_check;

/* Calls kft_transfer_open(), kft_transfer_start() and kft_transfer_finish(). */
int kft_transfer_move(struct kft_transfer *t, enum kft_transfer_mode mode,
		      struct kft_err *e) __must_check;

/* Carries out a whole transfer of buffers that record no more, and leaves nothing open. */
int kft_transfer_all(const struct kft_transfer_opts *o, struct kft_err *e) __must_check;

void kft_transfer_close(struct kft_transfer *t);
