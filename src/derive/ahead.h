/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_AHEAD_H
#define KFT_DERIVE_AHEAD_H

#include "derive/engine.h"

/*
 * Feeds an engine all events of a scope in the order of time: rows of what it needs of them
 * (kft_engine_read()) are read of each stream, so that only their order has to be found.
 *
 * n_readers: threads that read ahead of the calling one, which feeds; 0: it reads as well. A
 * stream that fails ends there and has it in its damage. -ENOMEM, and what reading and feeding
 * return.
 */
int kft_ahead_run(struct kft_trace *t, const struct kft_scope *scope,
		  struct kft_engine *engine, unsigned int n_readers) __must_check;

#endif
