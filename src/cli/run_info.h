/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RUN_INFO_H
#define KFT_CLI_RUN_INFO_H

#include "cli/run_session.h"
#include "model/run_info.h"

/* What KFT's log says of a run, from its plan and what was judged to be part of it. */
void cli_run_info(const struct cli_run *r, const struct kft_trim *trim,
		  struct kft_run_info *ret);

#endif
