/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/write/write.h"
#include "model/scope.h"
#include "model/trace.h"

/*
 * Writes the part of a trace in a scope as a trace.dat, for a trace of any format: its
 * records go into new pages with the times that the reader gave them. Losses keep their
 * places. fd, opts and errors as for kft_tracedat_write(); no other thread may read the
 * trace meanwhile. *ret_events is the number of events written.
 */
int kft_tracedat_write_trace(int fd, struct kft_trace *t, const struct kft_scope *scope,
			     const struct kft_tracedat_opts *opts, uint64_t *ret_events,
			     struct kft_err *e) __must_check;
