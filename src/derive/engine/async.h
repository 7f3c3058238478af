/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * Async intervals: they begin and end on any CPU, many are open at a time, and an id
 * identifies each: a request to a device, work in a queue, a signal. An interval that
 * begins again before it has ended is a new one; the old one is emitted as not ended.
 *
 * The fields of a kind's events are the same as in derive/engine/nested_pairs.h.
 */
struct kft_async;

int kft_async_create(struct kft_trace *t, void **ret_state);
void kft_async_destroy(void *state);
int kft_async_feed(const struct kft_interval_kind *kind, void *state,
		   const struct kft_kind_input *in,
		   const struct kft_interval_sink *sink) __must_check;
int kft_async_flush(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

/*
 * For kinds that interpret the events themselves, as in derive/engine/nested_pairs.h. Without a sink,
 * an interval that another one replaces is dropped.
 */
int kft_async_begin(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		    const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;
bool kft_async_has(const struct kft_async *f, uint64_t id);
int kft_async_end(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		  const struct kft_kind_input *in,
		  const struct kft_interval_sink *sink) __must_check;
/* Ends the open interval of the id, if there is one, and begins the next. */
int kft_async_next(struct kft_async *f, uint64_t id, const struct kft_interval *i,
		   const struct kft_kind_input *in,
		   const struct kft_interval_sink *sink) __must_check;
/* Removes the open interval of the id; its flags include losses. False: there is none. */
bool kft_async_take(struct kft_async *f, uint64_t id, const struct kft_kind_input *in,
		    struct kft_interval *ret);
void kft_async_cancel(struct kft_async *f, uint64_t id);

/* Combines two numbers into an id. */
uint64_t kft_async_id(uint64_t a, uint64_t b);
