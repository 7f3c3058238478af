/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/session.h>

#include "model/result.h"

/* Describes a recording by reading its file. */
void cli_record_result(const char *path, const struct kft_progress *p,
		       struct kft_result *ret);
