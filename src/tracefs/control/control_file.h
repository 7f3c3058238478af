/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/io.h"

/*
 * Control files of tracefs: small texts that hold a setting. Paths are relative to dirfd.
 * A value that is set already is not written again, because some kernels refuse even
 * that.
 */

/* Reads a file into ret, replacing its contents; white space at the end is cut. */
int kft_control_file_read(int dirfd, const char *path,
			  struct kft_strbuf *ret) __must_check;

/*
 * Reads the value that restores the current setting when it is written: the word in
 * brackets if the file lists its choices, or the size that a buffer has once it is used.
 * -EINVAL for several lines.
 */
int kft_control_file_read_value(int dirfd, const char *path,
				struct kft_strbuf *ret) __must_check;

/* Reads a number; -EINVAL when the file does not start with one. */
int kft_control_file_read_u64(int dirfd, const char *path, uint64_t *ret) __must_check;

/*
 * Sets the file to value: the whole text, or the word in [brackets] if the file lists its
 * choices.
 */
int kft_control_file_set(int dirfd, const char *path, const char *value) __must_check;
/* Empties a file that contains a list. */
int kft_control_file_clear(int dirfd, const char *path) __must_check;
int kft_control_file_set_u64(int dirfd, const char *path, uint64_t value) __must_check;

/* True when the text, as read by kft_control_file_read(), has this value. */
bool kft_control_file_says(const char *text, const char *value);
