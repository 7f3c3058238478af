/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/calls/func_event.h"
#include "derive/calls/func_names.h"
#include "derive/calls/func_orphans.h"
#include "derive/calls/nest.h"
#include "derive/calls/offcpu.h"
#include "model/overruns.h"

/*
 * Makes calls from entries and exits in the order of time. An entry that is not deeper
 * than an open call ends that call, so that the nesting is right again after events were
 * lost. Records of the function tracer become calls without an end.
 */
struct kft_func_graph {
	struct kft_nest *nest; /* borrowed, like the following pointers */
	struct kft_func_names *names;
	struct kft_offcpu *off;
	/* Settled; each orphan is entered at its entry time. NULL: none. */
	const struct kft_func_orphans *orphans;
	size_t n_orphans; /* number of orphans that were entered so far */
	size_t n_exits; /* number of exits that were fed so far */
	uint64_t losses; /* number of losses so far; the caller counts them */
	struct kft_overruns overruns; /* owned */
	bool started;
	/* Time of the first record. Times of calls count from it. */
	uint64_t start_ns;
};

void kft_func_graph_finish(struct kft_func_graph *g);

/* -ENOMEM, or the result of the nest's sink. */
int kft_func_graph_feed(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe) __must_check;
