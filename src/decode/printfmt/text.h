/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/*
 * Appends the text that %s prints, escaped for a terminal. At most max bytes of a
 * string in the record are used.
 */
void kft_eval_text(const struct kft_print_ctx *c, const struct kft_expr *e, size_t max,
		   struct kft_strbuf *sb);
