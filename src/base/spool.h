/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * An unnamed temporary file, for input that comes only once (a pipe) or compressed,
 * but has to be read more than once. It is in $TMPDIR, else in /var/tmp: /tmp may
 * be a tmpfs. Only this process can open it, and it is gone with its last
 * descriptor. See docs/decisions/0003.
 */
int kft_spool_create(int *ret_fd, struct kft_err *e) __must_check;

/* That directory; not owned. */
const char *kft_spool_folder(void);

/* Sets the message for a failed write to such a file. Returns code. */
int kft_spool_failed(int code, struct kft_err *e);

/*
 * Copies the len bytes of head, which were read from in_fd before, and the rest of in_fd.
 * *ret_fd is owned by the caller; its file position is undefined.
 */
int kft_spool_input(int in_fd, const void *head, size_t len, int *ret_fd,
		    struct kft_err *e) __must_check;
