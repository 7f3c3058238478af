/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RECORD_PLAN_H
#define KFT_CLI_RECORD_PLAN_H

#include <kft/plan.h>

#include "base/opt.h"

/*
 * The words of kft record's options that are more than one value, put into a plan.
 * 0, or -EINVAL or -ENOMEM with a message.
 */

/* "PATTERN[,PATTERN...][/FILTER/]": the filter belongs to the last pattern. */
int cli_plan_add_events(struct kft_plan *p, const char *text, struct kft_err *e);

int cli_plan_add_pid(struct kft_plan *p, const char *text, struct kft_err *e);

#endif
