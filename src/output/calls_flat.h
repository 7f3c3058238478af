/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_CALLS_FLAT_H
#define KFT_OUTPUT_CALLS_FLAT_H

#include "model/call_tree.h"
#include "model/trace.h"
#include "output/time.h"

/*
 * Calls of functions, each by itself on a line, as text and as JSON (docs/formats/report.md
 * and json.md). The task table of the trace is filled before.
 */
struct kft_calls_flat {
	const struct kft_trace *trace; /* borrowed, as the names */
	const struct kft_intern *names;
	uint64_t start_ns; /* that the calls' times count from */
	struct kft_ts_writer time; /* zeroed at first */
};

void kft_calls_flat_text(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb);
void kft_calls_flat_json(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb);

#endif
