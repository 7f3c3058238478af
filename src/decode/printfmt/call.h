/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/parse.h"

/*
 * Parsers for the calls of a `print fmt`. Each is called after the call's '(' and
 * consumes its ')'; NULL after an error. variant comes from the table of calls.
 */
typedef const struct kft_expr *kft_call_fn(struct kft_fmt_parser *ps, int variant);

/* tables.c: names of values; the value is an unsigned long, or u64 on any machine. */
enum { KFT_NAMES_LONG, KFT_NAMES_U64 };
kft_call_fn kft_call_flags;
kft_call_fn kft_call_symbolic;
kft_call_fn kft_call_seq_flags;
kft_call_fn kft_call_seq_symbols;

/* sizeof.c */
kft_call_fn kft_call_sizeof;

/* Parses exactly n arguments and the ')'. */
bool kft_fmt_args_n(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t n);

/* Skips all tokens up to and including the ')'. */
bool kft_fmt_skip_to_close(struct kft_fmt_parser *ps);
