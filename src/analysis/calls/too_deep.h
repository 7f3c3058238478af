/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/scope.h"
#include "model/trace.h"

/*
 * Searches for a return record with a count of calls that were too deep: most traces have none,
 * and need no reading in time order.
 */
struct kft_too_deep_search {
	uint16_t id; /* of funcgraph_exit */
	uint32_t offset; /* of its count, in bytes */
	uint32_t end; /* end of its count; 0: the trace has no such records */
	bool found;
};

void kft_too_deep_search_init(struct kft_too_deep_search *s, struct kft_trace *t);
void kft_too_deep_search_feed(struct kft_too_deep_search *s, const struct kft_event *evs,
			      size_t n);

/*
 * Counts the calls that function_graph did not record because the return stack of their task
 * was full (model/overruns.h). Only the times and CPUs of a scope are used; NULL: the whole
 * trace. done: a search that was fed all events of the scope; NULL: it is made here. *ret is 0 for a
 * trace without records of returns. -ENOMEM, and errors of reading.
 */
int kft_too_deep_count(struct kft_trace *t, const struct kft_scope *scope,
		       const struct kft_too_deep_search *done,
		       uint64_t *ret) __must_check;
