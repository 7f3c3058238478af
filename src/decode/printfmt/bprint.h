/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_BPRINT_H
#define KFT_DECODE_PRINTFMT_BPRINT_H

#include "decode/printfmt/program.h"

/*
 * trace_printk() with constant formats records ftrace:bprint: the address of the format
 * and the arguments as vbin_printf() packed them. The format's text is among the trace's
 * printk formats; each is read once. One thread owns one of these.
 */
struct kft_bprint {
	struct kft_arena *arena; /* borrowed, of the printer */
	uint32_t long_size;
	struct kft_map by_addr; /* address -> struct kft_bprint_format * */
};

void kft_bprint_finish(struct kft_bprint *b);

/*
 * Appends what the format at addr makes of the packed arguments, as far as they reach and
 * until it has KFT_BPRINT_TEXT_MAX bytes (the kernel stops at a page); "(NO FORMAT FOUND
 * at ADDR)" when the trace does not have it.
 */
#define KFT_BPRINT_TEXT_MAX (64 * 1024)

void kft_bprint_add(struct kft_bprint *b, const struct kft_print_ctx *c, uint64_t addr,
		    const uint8_t *args, size_t len, struct kft_strbuf *sb);

#endif
