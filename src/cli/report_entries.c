// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the events that are entries of calls: their lines are folded with their exits'.
 */
#include "cli/report_entries.h"

void cli_report_find_entries(struct kft_trace *t, struct cli_report_entries *ret)
{
	static const char *const names[] = {"funcgraph_entry", "fgraph_retaddr_entry"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kft_class *c = kft_class_table_find(&t->classes, "ftrace",
								 names[i]);

		if (c)
			ret->ids[ret->n++] = c->id;
	}
}
