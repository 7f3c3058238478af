/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_RESULT_JSON_H
#define KFT_OUTPUT_RESULT_JSON_H

#include "output/json.h"
#include "output/result.h"

/* A value that is neither text nor none, as JSON has it: other formats for programs too. */
void kft_result_json_number(struct kft_json *j, const struct kft_value *v);

#endif
