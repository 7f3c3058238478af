/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "analysis/stats/interval_result.h"
#include "cli/kinds.h"
#include "cli/scope.h"
#include "cli/verb.h"

/*
 * `kft stats --live`: counts intervals in the kernel, of COMMAND and its children or of the
 * whole system (cli_first), until COMMAND or the time ends, or a signal comes.
 */
struct cli_stats_live {
	const struct cli_kinds *kinds; /* without any: all that the kernel can count */
	struct cli_scope *scope; /* its options of events are resolved */
	const char *where; /* NULL: all intervals */
	struct kft_interval_view view;
	uint64_t every_ns; /* a table each time so much has passed; 0: one at the end */
	int format;
	bool all; /* as for cli_answer() */
};

/* Returns the exit status. */
int cli_stats_live(struct cli *c, const struct cli_stats_live *q);
