/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_TRANSFER_H
#define KFT_TRACEFS_TRANSFER_H

#include "capture/tasks.h"
#include "tracefs/drain/collect.h"
#include "tracefs/drain/drains.h"
#include "tracefs/control/place.h"

struct kft_transfer_opts {
	struct kft_host *host; /* borrowed; tracefs is open */
	int instance_fd; /* borrowed: where the buffers are */
	/* Borrowed: a place whose buffers are KFT_ENTRIES_BUFFER of the trace; NULL: none. */
	const struct kft_place *beside;
	struct kft_sink *sink; /* borrowed */
	const char *only_group; /* borrowed: see struct kft_collect */
	const char *command_line; /* borrowed: of this program; may be NULL */
	const char *kernel_line; /* borrowed: of the kernel; NULL: not of interest */
	const struct kft_notify *notify; /* borrowed while it lives; may be NULL */
	/* Blocks of modules that were loaded before (decode/module_symbols.h); borrowed. */
	const struct kft_blob *modules;
	/* The sink goes on with a recording and knows all but the shape of the pages. */
	bool resume;
	/* With resume: the names of tasks that the sink has will do. */
	bool without_tasks;
	/* Functions are traced: not those that the transfer's own threads call. */
	bool untraced;
	/* Nothing was read before the transfer: what another program reads is noticed. */
	bool notice_readers;
};

/*
 * What was recorded, on its way from the kernel to a sink: all that a trace carries beside
 * its events is collected, drains move the pages, and at the end the metadata is completed
 * by what is known only then. Every session, attached or detached, and every boot comes out
 * of the kernel this way:
 *
 *	kft_transfer_begin()	the metadata is collected, the sink is begun
 *	kft_transfer_open()	each CPU has its drain
 *	kft_transfer_start()	threads move pages
 *	kft_transfer_tasks()	now and then while the kernel records
 *	kft_transfer_finish()	what is left was moved, the metadata is complete
 *	kft_transfer_end()	the sink is ended
 *
 * `struct kft_transfer t = {};` is an empty one; kft_transfer_close() in any case. One
 * thread uses it.
 */
struct kft_transfer {
	struct kft_transfer_opts
		opts; /* command lines are not looked at after the begin */
	struct kft_meta meta;
	struct kft_collect collect;
	struct kft_tasks tasks;
	struct kft_drains *drains; /* owned; NULL until opened */
	struct kft_drains *beside; /* owned; the same of opts.beside */
};

/* What the buffer of entries of functions beside their calls is called in the trace. */
#define KFT_ENTRIES_BUFFER "entries"

/* How the pages are taken; see struct kft_drains_opts. */
enum kft_transfer_mode {
	KFT_TRANSFER_STREAM, /* while the kernel records, and the rest at the end */
	KFT_TRANSFER_AT_END, /* nothing before the end */
	KFT_TRANSFER_NOW, /* until the finish, after which the kernel may record on */
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
 * Reads the kernel's tables of tasks again and hands them on if they say something new. What
 * fails here is made up for by the finish.
 */
void kft_transfer_tasks(struct kft_transfer *t);
/* As kft_collect_modules(). */
void kft_transfer_modules(struct kft_transfer *t);

/* The first failure of any drain is its failure. meta is complete then, but for the caller's. */
int kft_transfer_finish(struct kft_transfer *t, struct kft_err *e) __must_check;
int kft_transfer_end(struct kft_transfer *t, struct kft_err *e) __must_check;

/* From the open to the finish in a row. */
int kft_transfer_move(struct kft_transfer *t, enum kft_transfer_mode mode,
		      struct kft_err *e) __must_check;

/* The whole way of buffers that record no more. Nothing of it is left open. */
int kft_transfer_all(const struct kft_transfer_opts *o, struct kft_err *e) __must_check;

void kft_transfer_close(struct kft_transfer *t);

#endif
