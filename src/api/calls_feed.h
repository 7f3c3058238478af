/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_CALLS_FEED_H
#define KFT_API_CALLS_FEED_H

#include "derive/calls.h"
#include "file/kftlog/read.h"

/*
 * Calls of functions, from whatever has them, to a sink that is told when each is entered and
 * left. Their names are put into names. -ENOMEM, what the sink returns, and of a log what
 * reading it returns.
 */
int kft_calls_feed_log(struct kft_log *log, const struct kft_nest_sink *sink,
		       struct kft_intern *names) __must_check;

/* scope NULL: the whole trace. -ENODATA when there is no function's record in it. */
int kft_calls_feed_trace(struct kft_trace *t, const struct kft_scope *scope,
			 const struct kft_nest_sink *sink, struct kft_intern *names,
			 struct kft_calls_found *ret) __must_check;

#endif
