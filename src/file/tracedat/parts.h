/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_PARTS_H
#define KFT_FILE_TRACEDAT_PARTS_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * Where a recording is on disk: FILE and the directory FILE.parts (see format.h). All
 * names are used relative to descriptors of the two directories, so that neither a chdir
 * nor somebody who renames what is above matters; the directory that FILE is in may be
 * one that others write to (/tmp).
 */
struct kft_parts {
	char *path; /* as the user gave it, for messages; owned */
	const char *name; /* FILE without directories: the end of path */
	char *parts_name; /* owned */
	int dir_fd; /* FILE's directory; owned */
	int fd; /* FILE.parts, locked while recording; -1: not open; owned */
	bool made; /* FILE.parts was made, or emptied, by us */
};

/* Opens the directory that path is in. parts_fd is -1 then. */
int kft_parts_init(struct kft_parts *p, const char *path, struct kft_err *e) __must_check;
void kft_parts_finish(struct kft_parts *p);

/* What FILE is at the moment. */
enum kft_parts_state {
	KFT_PARTS_NONE, /* there is none, or an empty regular file */
	KFT_PARTS_FINISHED, /* a trace.dat that is complete */
	KFT_PARTS_LIVE, /* says that it is being recorded */
};

/*
 * Makes FILE.parts for a new recording and locks it (flock). Refuses with -EEXIST and a
 * hint what must not be overwritten: something that is no trace, and a recording that was
 * killed, has data and is no copy; with -EBUSY one that still runs; with -EPERM a FILE.parts that is
 * somebody else's. What a finished recording left in FILE.parts is removed.
 */
int kft_parts_claim(struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Notes that what is written is elsewhere, too: kft_parts_claim() lets others write FILE
 * anew, should this not come to its end.
 */
int kft_parts_mark_copy(const struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Locks FILE.parts for somebody who is about to put something better in the place of a
 * trace that is there: the parts of a recording that was killed stay, else it is made.
 * -EBUSY while FILE is recorded, -ENOENT when there is none, -EEXIST when it is no trace,
 * -EPERM as above.
 */
int kft_parts_adopt(struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Locks FILE.parts of a recording that was not ended, to go on with it. -EALREADY when FILE
 * is a complete trace, -ENOENT when there is none; else as kft_parts_adopt().
 */
int kft_parts_resume(struct kft_parts *p, struct kft_err *e) __must_check;

/* The buffers that may have pages in FILE.parts, by number; the first is the main one, "". */
#define KFT_PARTS_BUFFERS 2
extern const char *const kft_parts_buffers[KFT_PARTS_BUFFERS];

/* What the file with a CPU's pages is called. */
#define KFT_PARTS_NAME_MAX 32
void kft_parts_cpu_name(size_t buffer, uint32_t cpu, char ret[static KFT_PARTS_NAME_MAX]);

/* Some CPU's pages are in FILE.parts. */
bool kft_parts_have_data(const struct kft_parts *p);

/* Removes FILE if it is the file that fd is. Best effort. */
void kft_parts_remove_file(const struct kft_parts *p, int fd);

/* Removes FILE.parts and all in it that kft puts there. Best effort. */
void kft_parts_remove(struct kft_parts *p);

#endif
