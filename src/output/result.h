/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_RESULT_H
#define KFT_OUTPUT_RESULT_H

#include "base/strbuf.h"
#include "model/result.h"

/* The answer of an analysis (model/result.h) in bytes. Appends to sb. */

/* For people: single values as lines, tables aligned; all rows or each table's top. */
void kft_result_text(const struct kft_result *r, bool all, struct kft_strbuf *sb);

/*
 * One JSON object and a newline: a member for each single value, an array of objects for
 * each table (docs/formats/json.md). Always all rows.
 */
void kft_result_json(const struct kft_result *r, struct kft_strbuf *sb);

#endif
