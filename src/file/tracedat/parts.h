/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * The files of a recording: FILE and the directory FILE.parts (see format.h). All
 * names are relative to descriptors of the two directories, so that neither chdir()
 * nor a rename of a parent directory matters; FILE's directory may be one that other
 * users can write to (/tmp).
 */
struct kft_parts {
	char *path; /* owned; as the user gave it, for messages */
	const char *name; /* the end of path: FILE without directories */
	char *parts_name; /* owned */
	int dir_fd; /* owned: FILE's directory */
	int fd; /* owned: FILE.parts, locked while recording; -1: not open */
	bool made; /* FILE.parts was created or emptied by this process */
};

/* Opens the directory of path. parts_fd is -1 then. */
int kft_parts_init(struct kft_parts *p, const char *path, struct kft_err *e) __must_check;
void kft_parts_finish(struct kft_parts *p);

/* State of FILE. */
enum kft_parts_state {
	KFT_PARTS_NONE, /* missing, or an empty regular file */
	KFT_PARTS_FINISHED, /* a complete trace.dat */
	KFT_PARTS_LIVE, /* marked as being recorded */
};

/*
 * Creates FILE.parts for a new recording and locks it (flock). Refuses to overwrite, with
 * a hint: -EEXIST for a file that is not a trace, and for a killed recording with data
 * that is not a copy; -EBUSY for a running one; -EPERM when FILE.parts belongs to another
 * user. Leftovers of a finished recording in FILE.parts are removed.
 */
int kft_parts_claim(struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Marks the recording as a copy of data that exists elsewhere: if it is interrupted,
 * kft_parts_claim() lets FILE be overwritten.
 */
int kft_parts_mark_copy(const struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Locks FILE.parts for a caller that will replace an existing trace: the parts
 * of a killed recording are kept, otherwise the directory is created. -EBUSY
 * while FILE is recorded, -ENOENT when it does not exist, -EEXIST when it is not
 * a trace, -EPERM as above.
 */
int kft_parts_adopt(struct kft_parts *p, struct kft_err *e) __must_check;

/*
 * Locks FILE.parts of an interrupted recording, to continue it. -EALREADY when FILE is a
 * complete trace, -ENOENT when it does not exist; other errors as kft_parts_adopt().
 */
int kft_parts_resume(struct kft_parts *p, struct kft_err *e) __must_check;

/* The most buffers of a recording, and the bytes of a buffer's name with the NUL. */
#define KFT_PARTS_BUFFERS    8
#define KFT_PARTS_BUFFER_MAX 32

/* The buffers that have files in FILE.parts, by name; the first one, "", is the main one. */
struct kft_parts_buffers {
	char names[KFT_PARTS_BUFFERS][KFT_PARTS_BUFFER_MAX];
	size_t n;
};

void kft_parts_find_buffers(int parts_fd, struct kft_parts_buffers *ret);

/* Writes the name of the file with the pages of a CPU's buffer. */
#define KFT_PARTS_NAME_MAX 64
void kft_parts_cpu_name(const char *buffer, uint32_t cpu,
			char ret[static KFT_PARTS_NAME_MAX]);

/* Whether FILE.parts has pages of any CPU. */
bool kft_parts_have_data(const struct kft_parts *p);

/* Removes FILE if it is the file of fd. Best effort. */
void kft_parts_remove_file(const struct kft_parts *p, int fd);

/* Removes FILE.parts and the files in it that kft creates. Best effort. */
void kft_parts_remove(struct kft_parts *p);
