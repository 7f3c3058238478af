/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_ENV_H
#define KFT_DECODE_PRINTFMT_ENV_H

#include "base/map.h"
#include "base/strbuf.h"
#include "model/trace.h"

/*
 * What addresses mean: symbols of the kernel, with a cache because the same functions
 * come again and again, and constant strings. One thread owns one; the tables may be
 * shared.
 */
#define KFT_SYMBOL_CACHE_BITS 12

struct kft_symbol_hit {
	uint64_t addr;
	const char *name; /* NULL: there is no symbol */
	uint32_t len;
	bool plain; /* nothing in the name to escape */
	uint64_t offset; /* of addr from the symbol's start */
};

struct kft_print_env {
	struct kft_trace *trace; /* borrowed: its symbols, parsed when one is asked for */
	const struct kft_map *printk; /* borrowed: decode/printkfmt.h */
	struct kft_symbol_hit *cache; /* owned */
};

/* The trace outlives the env. -ENOMEM. */
int kft_print_env_init(struct kft_print_env *env, struct kft_trace *t) __must_check;
void kft_print_env_finish(struct kft_print_env *env);

/* What is at addr; valid until the next call. */
const struct kft_symbol_hit *kft_print_env_symbol(struct kft_print_env *env,
						  uint64_t addr);

/* "name", "name+0x12" or, where there is no symbol, "0xADDR". */
void kft_print_env_add_symbol(struct kft_print_env *env, uint64_t addr, bool offset,
			      struct kft_strbuf *sb);

/* The constant string at addr, without a line end at its end, or addr in hexadecimal. */
void kft_print_env_add_string(struct kft_print_env *env, uint64_t addr,
			      struct kft_strbuf *sb);

#endif
