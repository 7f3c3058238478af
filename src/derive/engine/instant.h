/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/* Functions that kinds of instants share, see kinds/instant.c. */
int kft_instant_create(struct kft_trace *t, void **ret_state);
int kft_instant_flush(void *state, const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink);
void kft_instant_destroy(void *state);

/* Emits an instant at the time and on the CPU of its event. */
int kft_instant_happen(const struct kft_interval_kind *kind, uint64_t key, int64_t value,
		       int32_t pid, const struct kft_kind_input *in,
		       const struct kft_interval_sink *sink) __must_check;

#define KFT_INSTANT                                                                   \
	.is_instant = true, .create = kft_instant_create, .flush = kft_instant_flush, \
	.destroy = kft_instant_destroy
