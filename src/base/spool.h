/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_BASE_SPOOL_H
#define KFT_BASE_SPOOL_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * A file without a name for what has to be read more than once and comes only once, or
 * comes compressed: in $TMPDIR, else in /var/tmp, which unlike /tmp is no memory. Only
 * this process can open it, and it is gone with its last descriptor. docs/decisions/0003.
 */
int kft_spool_create(int *ret_fd, struct kft_err *e) __must_check;

/* What to say of a write to one that failed. Returns code. */
int kft_spool_failed(int code, struct kft_err *e);

/*
 * All that can still be read from in_fd, behind the len bytes of head, which were read
 * from it before. *ret_fd is owned by the caller; its file position means nothing.
 */
int kft_spool_input(int in_fd, const void *head, size_t len, int *ret_fd,
		    struct kft_err *e) __must_check;

#endif
