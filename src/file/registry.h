/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_REGISTRY_H
#define KFT_FILE_REGISTRY_H

#include "model/trace.h"

/*
 * Opens a trace of any format that kft reads; which one it is is told by its first bytes,
 * never by its name. A CTF trace is a directory. -EINVAL when it is none or no regular
 * file, -EISDIR for another directory, -errno. A file that is damaged opens all the same when anything can be read of it: see kft_trace.damage.
 */
int kft_file_open(const char *path, struct kft_trace **ret,
		  struct kft_err *e) __must_check;

/* The same of an open regular file, which is taken in any case; name is for messages. */
int kft_file_open_fd(int fd, const char *name, struct kft_trace **ret,
		     struct kft_err *e) __must_check;

/* More than enough of a file's first bytes to tell its format. */
#define KFT_FILE_HEAD_BYTES 16

/* Whether a file that begins with these bytes is a trace. */
bool kft_file_is_trace(const void *head, size_t len);

#endif
