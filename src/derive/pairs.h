/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_PAIRS_H
#define KFT_DERIVE_PAIRS_H

#include "derive/engine.h"

/*
 * What most kinds are: one event begins an interval and another ends it, each with a key.
 * Intervals of one owner (a CPU, a task) are within one another; owners have nothing to do
 * with each other.
 */
/* As create and destroy of a kind, whose state is a struct kft_pairs. */
int kft_pairs_create(void **ret_state);
void kft_pairs_destroy(void *state);

/* Of a kind: its two events are a pair. Fields: pid, key; the value, of the end. */
int kft_pairs_by_cpu(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink) __must_check;
int kft_pairs_by_task(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink) __must_check;

int kft_pairs_flush(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

#endif
