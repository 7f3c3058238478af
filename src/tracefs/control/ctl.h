/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_CTL_H
#define KFT_TRACEFS_CTL_H

#include "base/io.h"

/*
 * Control files: small texts that say how something is set. Paths are relative to dirfd.
 * Nothing is ever written that is so already: some kernels refuse even that.
 */

/* Replaces what is in ret; white space at the end is cut. */
int kft_ctl_read(int dirfd, const char *path, struct kft_strbuf *ret) __must_check;

/*
 * What can be written to have it so again: of a file that lists its choices the word in
 * brackets, of a buffer's size what it has once it is used. -EINVAL for several lines.
 */
int kft_ctl_read_value(int dirfd, const char *path, struct kft_strbuf *ret) __must_check;

/* As a number; -EINVAL when the file does not start with one. */
int kft_ctl_read_u64(int dirfd, const char *path, uint64_t *ret) __must_check;

/*
 * Makes the file say value: the whole text, or the word in [brackets] where the file
 * lists its choices.
 */
int kft_ctl_set(int dirfd, const char *path, const char *value) __must_check;
/* Empties a file that lists something. */
int kft_ctl_clear(int dirfd, const char *path) __must_check;
int kft_ctl_set_u64(int dirfd, const char *path, uint64_t value) __must_check;

/* True when the text, as kft_ctl_read() gives it, says value. */
bool kft_ctl_says(const char *text, const char *value);

#endif
