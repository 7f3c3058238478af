/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Opens a trace of any format that kft reads; the first bytes decide which one, never the
 * name. A CTF trace is a directory. -EINVAL for an unknown format or a file that is not
 * regular, -EISDIR for another directory, -errno. A damaged file opens without an error
 * when any of it can be read: see kft_trace.damage.
 */
int kft_file_open(const char *path, struct kft_trace **ret,
		  struct kft_err *e) __must_check;

/*
 * Opens a trace like kft_file_open() from an open regular file, which is taken in any
 * case; name is for messages.
 */
int kft_file_open_fd(int fd, const char *name, struct kft_trace **ret,
		     struct kft_err *e) __must_check;

/*
 * Number of first bytes that identify any format: longer than all magic numbers, and than the time
 * of day that the first line of a KPTrace file may begin with.
 */
#define KFT_FILE_HEAD_BYTES 32

/* Whether a file that begins with these bytes is a trace. */
bool kft_file_is_trace(const void *head, size_t len);
