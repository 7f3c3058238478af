/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/json.h"
#include "output/result.h"

/*
 * Appends a value, neither text nor none, as JSON; also for other
 * formats read by programs.
 */
void kft_result_json_number(struct kft_json *j, const struct kft_value *v);
