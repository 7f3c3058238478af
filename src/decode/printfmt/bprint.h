/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/program.h"

/*
 * trace_printk() with a constant format records ftrace:bprint: the address of the format,
 * and the arguments packed by vbin_printf(). The text of the format is among the trace's
 * printk formats; each is parsed once. For one thread.
 */
struct kft_bprint {
	struct kft_arena *arena; /* borrowed from the printer */
	uint32_t long_size;
	struct kft_map by_addr; /* maps an address to its struct kft_bprint_format * */
};

void kft_bprint_finish(struct kft_bprint *b);

/*
 * Formats the packed arguments by the format at addr and appends the text, up to
 * KFT_BPRINT_TEXT_MAX bytes (the kernel stops at a page). Missing arguments end it early.
 * Without the format: "(NO FORMAT FOUND at ADDR)".
 */
#define KFT_BPRINT_TEXT_MAX (64 * 1024)

void kft_bprint_add(struct kft_bprint *b, const struct kft_print_ctx *c, uint64_t addr,
		    const uint8_t *args, size_t len, struct kft_strbuf *sb);
