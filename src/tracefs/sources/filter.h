/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_FILTER_H
#define KFT_TRACEFS_FILTER_H

#include <kft/error.h>

#include "base/strbuf.h"

/*
 * The kernel's filter of an event. When the kernel refuses the text, the error is what the
 * kernel says of it, with the filter on a line of its own and a caret under the place:
 *
 *	bad filter for sched:sched_switch: Field not found
 *	  prev_pd == 3
 *	  ^
 */
int kft_filter_set(int instance_fd, const char *system, const char *event,
		   const char *filter, struct kft_err *e) __must_check;

/* The error for a filter of an event, "system:event", that was refused with code. */
int kft_filter_explain(int instance_fd, const char *event, const char *filter, int code,
		       struct kft_err *e);

/*
 * The last entry of an error_log: what is wrong, and at which byte of the text that was
 * written. False when the log has none.
 */
bool kft_error_log_last(const char *log, struct kft_strbuf *ret_what, size_t *ret_pos);

#endif
