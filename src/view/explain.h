/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/json.h"
#include "view/pack.h"

/*
 * Explains the longest interval of each kind like `kft why`: an array of {"key": number
 * of the key, "answer": docs/formats/json.md}. Intervals without an explanation are left
 * out. Reads the trace, which must not be read by others meanwhile.
 */
void kft_view_explain(const struct kft_view_pack *p, struct kft_json *j);
