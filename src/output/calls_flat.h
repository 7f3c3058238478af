/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/call_tree.h"
#include "model/trace.h"
#include "output/time.h"

/*
 * Prints calls of functions, one per line, as text and as JSON (docs/formats/report.md
 * and json.md). The trace's task table must be loaded before.
 */
struct kft_calls_flat {
	const struct kft_trace *trace; /* borrowed, like names */
	const struct kft_intern *names;
	uint64_t start_ns; /* origin of the calls' times */
	struct kft_ts_writer time; /* zeroed by the caller */
};

void kft_calls_flat_text(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb);
void kft_calls_flat_json(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb);
