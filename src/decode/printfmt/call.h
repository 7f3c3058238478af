/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_CALL_H
#define KFT_DECODE_PRINTFMT_CALL_H

#include "decode/printfmt/parse.h"

/*
 * What the calls of a `print fmt` are read with. A parser stands behind the call's '(' and
 * reads its ')' too; NULL after an error. variant is what the table of calls gives it.
 */
typedef const struct kft_expr *kft_call_fn(struct kft_fmt_parser *ps, int variant);

/* print_tables.c: names of values; the value is an unsigned long, or u64 everywhere. */
enum { KFT_NAMES_LONG, KFT_NAMES_U64 };
kft_call_fn kft_call_flags;
kft_call_fn kft_call_symbolic;
kft_call_fn kft_call_seq_flags;
kft_call_fn kft_call_seq_symbols;

/* print_sizeof.c */
kft_call_fn kft_call_sizeof;

/* Exactly n arguments up to the ')'. */
bool kft_fmt_args_n(struct kft_fmt_parser *ps, const struct kft_expr **args, size_t n);

/* Everything up to and with the ')', whatever it is. */
bool kft_fmt_skip_to_close(struct kft_fmt_parser *ps);

#endif
