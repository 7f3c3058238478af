/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/calls.h"
#include "file/kftlog/read.h"

/*
 * Feed a sink with calls of functions from a log or a trace: the sink is called at each
 * entry and exit. The functions' names are put into names. -ENOMEM, errors of the sink, and for
 * a log errors of reading it.
 */
int kft_calls_feed_log(struct kft_log *log, const struct kft_nest_sink *sink,
		       struct kft_intern *names) __must_check;

/* scope NULL: the whole trace. -ENODATA when it has no record of a function. */
int kft_calls_feed_trace(struct kft_trace *t, const struct kft_scope *scope,
			 const struct kft_nest_sink *sink, struct kft_intern *names,
			 struct kft_calls_found *ret) __must_check;
