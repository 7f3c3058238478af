/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_PTR_H
#define KFT_DECODE_PRINTFMT_PTR_H

#include "decode/printfmt/eval.h"

/*
 * The %p family of the kernel's vsnprintf(). Those whose bytes the record has (MAC and IP
 * addresses, UUIDs, bit maps) are printed as the kernel does; those that would have to be
 * read from the kernel's memory show the address.
 */
void kft_print_pointer(const struct kft_directive *d, const struct kft_print_ctx *c,
		       struct kft_strbuf *sb);

/* Whether %p with this suffix can print what the expression gives. */
bool kft_print_pointer_fits(const struct kft_directive *d, const struct kft_expr *e);

/* The address itself, as %p and %px do. */
void kft_print_address(const struct kft_directive *d, uint64_t v, struct kft_strbuf *sb);

#endif
