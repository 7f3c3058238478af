/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_NEW_FILE_H
#define KFT_BASE_NEW_FILE_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * A file that has its name only when it is whole: 0600 whatever the umask, made in the
 * directory of its path, never written through a symbolic link. What the path named before
 * stays until then and is replaced only when it is a regular file. Where the file system
 * has files without a name, nothing is left behind by a process that is killed.
 */
struct kft_new_file {
	int fd; /* owned; open for reading and writing */
	int dir_fd; /* owned */
	char *name; /* owned: in the directory */
	char *temporary; /* owned: what it is called meanwhile; NULL: nothing */
};

#define KFT_NEW_FILE_NONE              \
	(struct kft_new_file)          \
	{                              \
		.fd = -1, .dir_fd = -1 \
	}

/* -EEXIST when the path names something that is no regular file. */
int kft_new_file_open(const char *path, struct kft_new_file *ret,
		      struct kft_err *e) __must_check;

/* With another name until then, for libraries that open files themselves. */
int kft_new_file_open_named(const char *path, struct kft_new_file *ret,
			    struct kft_err *e) __must_check;

/* That other name, as a path: owned by the caller; NULL: out of memory. */
char *kft_new_file_path(const char *path, const struct kft_new_file *f) __must_check;

/* On disk, under its name. */
int kft_new_file_commit(struct kft_new_file *f, struct kft_err *e) __must_check;

/* Closes it; without a commit nothing has changed. */
void kft_new_file_finish(struct kft_new_file *f);

#endif
