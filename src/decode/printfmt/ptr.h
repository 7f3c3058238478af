/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/*
 * Prints the %p family of the kernel's vsnprintf(). Pointers to bytes that are in
 * the record (MAC and IP addresses, UUIDs, bit maps) are printed like in the kernel; pointers
 * to the kernel's memory are printed as addresses.
 */
void kft_print_pointer(const struct kft_directive *d, const struct kft_print_ctx *c,
		       struct kft_strbuf *sb);

/* Whether %p with this suffix can print the expression's value. */
bool kft_print_pointer_fits(const struct kft_directive *d, const struct kft_expr *e);

/* Prints the address itself, for %p and %px. */
void kft_print_address(const struct kft_directive *d, uint64_t v, struct kft_strbuf *sb);
