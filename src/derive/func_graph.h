/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FUNC_GRAPH_H
#define KFT_DERIVE_FUNC_GRAPH_H

#include "derive/func_event.h"
#include "derive/func_names.h"
#include "derive/func_orphans.h"
#include "derive/nest.h"
#include "derive/offcpu.h"
#include "model/overruns.h"

/*
 * Calls from entries and exits in the order of time. A call is left when one is entered that
 * is not deeper, so that nesting is right again after events were lost. Records of the
 * function tracer are calls without an end.
 */
struct kft_func_graph {
	struct kft_nest *nest; /* borrowed, as the others */
	struct kft_func_names *names;
	struct kft_offcpu *off;
	/* Settled; each is entered when it was. NULL: none. */
	const struct kft_func_orphans *orphans;
	size_t n_orphans; /* that were entered */
	size_t n_exits; /* that were fed */
	uint64_t losses; /* places so far where events are missing; of the caller */
	struct kft_overruns overruns; /* owned */
	bool started;
	uint64_t start_ns; /* of the first call: times count from there */
};

void kft_func_graph_finish(struct kft_func_graph *g);

/* -ENOMEM, or what the nest's sink returns. */
int kft_func_graph_feed(struct kft_func_graph *g, uint64_t ts, uint32_t cpu,
			const struct kft_func_event *fe) __must_check;

#endif
