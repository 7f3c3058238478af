/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"

/*
 * Sets the kernel's filter of an event. If the kernel refuses it, the error has the
 * kernel's reason, with the filter on a line of its own and a caret under the position:
 *
 *	bad filter for sched:sched_switch: Field not found
 *	  prev_pd == 3
 *	  ^
 */
int kft_filter_set(int instance_fd, const char *system, const char *event,
		   const char *filter, struct kft_err *e) __must_check;

/*
 * Sets the error for the filter of an event, "system:event", that was refused with code.
 * Returns code.
 */
int kft_filter_explain(int instance_fd, const char *event, const char *filter, int code,
		       struct kft_err *e);

/*
 * Parses the last entry of an error_log: the reason, and the byte that it refers to in
 * the text that was written. False when the log has no entry.
 */
bool kft_error_log_last(const char *log, struct kft_strbuf *ret_what, size_t *ret_pos);
