/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * A file that appears under its name only when it is complete: mode 0600 whatever the
 * umask, created in the directory of its path, never written through a symbolic link. The
 * path's old file stays until then and is replaced only if it is a regular file. On file
 * systems with O_TMPFILE, a killed process leaves nothing behind. A file for /dev/null is
 * created in the directory for temporary files, as formats seek in it, and dropped.
 */
struct kft_new_file {
	int fd; /* owned; open for reading and writing */
	int dir_fd; /* owned */
	char *dir; /* owned: its path, ending with a slash; empty: the working directory */
	char *name; /* owned: base name in the directory */
	/* owned: temporary name until the commit; NULL: the file is unnamed */
	char *temporary;
	bool is_dropped; /* it never gets its name */
};

#define KFT_NEW_FILE_NONE              \
	(struct kft_new_file)          \
	{                              \
		.fd = -1, .dir_fd = -1 \
	}

/* -EEXIST when the path exists and is not a regular file. */
int kft_new_file_open(const char *path, struct kft_new_file *ret,
		      struct kft_err *e) __must_check;

/* Opens a new file with a temporary name, for libraries that open files by name. */
int kft_new_file_open_named(const char *path, struct kft_new_file *ret,
			    struct kft_err *e) __must_check;

/* The temporary name as a path: owned by the caller; NULL when memory runs out. */
char *kft_new_file_path(const struct kft_new_file *f) __must_check;

/* Syncs the file to disk and gives it its name. */
int kft_new_file_commit(struct kft_new_file *f, struct kft_err *e) __must_check;

/* Closes the file; without a commit the path is unchanged. */
void kft_new_file_finish(struct kft_new_file *f);
