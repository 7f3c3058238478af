/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * Feeds an engine all events of a scope in the order of time. The rows that it needs
 * (kft_engine_read()) are read from each stream separately, so that only their order has
 * to be found.
 *
 * n_readers: number of threads that read ahead of the calling thread, which feeds; 0: the
 * calling thread reads as well. A stream that fails ends at the failure and records it in
 * its damage. -ENOMEM, or an error of reading or feeding.
 */
int kft_ahead_run(struct kft_trace *t, const struct kft_scope *scope,
		  struct kft_engine *engine, unsigned int n_readers) __must_check;

/* Creates, feeds and flushes an engine for the part of a trace in scope (NULL: all). */
int kft_engine_run(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_interval_kind *const *kinds, size_t n,
		   const struct kft_interval_sink *sink) __must_check;
