/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FLIGHTS_H
#define KFT_DERIVE_FLIGHTS_H

#include "derive/engine.h"

/*
 * Intervals that begin and end wherever it happens, many at a time, each known by an id: a
 * request on its way, work in a queue, a signal. What is begun again before it has ended is a
 * new one; the old one has not ended.
 *
 * Fields of a kind's events are as in derive/pairs.h.
 */
struct kft_flights;

int kft_flights_create(struct kft_trace *t, void **ret_state);
void kft_flights_destroy(void *state);
int kft_flights_feed(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink) __must_check;
int kft_flights_flush(void *state, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink) __must_check;

/*
 * For kinds that look at the events themselves, as in derive/pairs.h. Without a sink, what an
 * interval takes the place of is dropped.
 */
int kft_flights_begin(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink) __must_check;
bool kft_flights_has(const struct kft_flights *f, uint64_t id);
int kft_flights_end(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		    const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;
/* Ends what is under way, if anything is, and begins the next. */
int kft_flights_next(struct kft_flights *f, uint64_t id, const struct kft_interval *i,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink) __must_check;
/* What is under way, with losses in its flags, is no more. False when nothing is. */
bool kft_flights_take(struct kft_flights *f, uint64_t id, const struct kft_kind_input *in,
		      struct kft_interval *ret);
void kft_flights_cancel(struct kft_flights *f, uint64_t id);

/* An id of two numbers. */
uint64_t kft_flights_id(uint64_t a, uint64_t b);

#endif
