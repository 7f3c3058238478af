/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "model/trace.h"

/* Ids of the events that function_graph records at a function's entry. */
struct cli_report_entries {
	uint16_t ids[2];
	size_t n; /* 0: lines are not folded */
};

void cli_report_find_entries(struct kft_trace *t, struct cli_report_entries *ret);

static inline bool cli_report_is_entry(const struct cli_report_entries *e, uint16_t id)
{
	for (size_t i = 0; i < e->n; i++)
		if (e->ids[i] == id)
			return true;
	return false;
}
