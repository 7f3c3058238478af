/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_EXPLAIN_H
#define KFT_VIEW_EXPLAIN_H

#include "output/json.h"
#include "view/pack.h"

/*
 * Why the longest interval of each kind took so long, as `kft why` says it: an array of
 * {"key": number of the key, "answer": docs/formats/json.md}. What cannot be explained
 * is left out. Reads the trace: nothing else may do so meanwhile.
 */
void kft_view_explain(const struct kft_view_pack *p, struct kft_json *j);

#endif
