/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/strbuf.h"
#include "model/trace.h"

/*
 * Looks up symbols and constant strings of the kernel by address. Symbols have a
 * cache, because the same functions appear again and again. Each env belongs to one
 * thread; the tables may be shared.
 */
#define KFT_SYMBOL_CACHE_BITS 12

struct kft_symbol_hit {
	uint64_t addr;
	const char *name; /* NULL: no symbol at this address */
	uint32_t len;
	bool plain; /* the name has no characters to escape */
	uint64_t offset; /* distance of addr from the symbol's start */
};

struct kft_print_env {
	struct kft_trace *trace; /* borrowed */
	const struct kft_symbol_table *symbols; /* borrowed; NULL: not parsed yet */
	const struct kft_map *printk; /* borrowed: see decode/printfmt/printk.h */
	struct kft_symbol_hit *cache; /* owned */
	/* The event that is printed, and the field with its task; pid may be NULL. */
	const struct kft_event *ev;
	const struct kft_field *pid;
};

/* The trace outlives the env. -ENOMEM. */
int kft_print_env_init(struct kft_print_env *env, struct kft_trace *t) __must_check;
void kft_print_env_finish(struct kft_print_env *env);

/* The symbol at addr; valid until the next call. */
const struct kft_symbol_hit *kft_print_env_symbol(struct kft_print_env *env,
						  uint64_t addr);

/* Finds the symbol of a user-space address of the event's task. */
bool kft_print_env_user_symbol(const struct kft_print_env *env, uint64_t addr,
			       struct kft_user_symbol *ret);

/*
 * Appends "name", "name+0x12" or, without a symbol, "0xADDR"; for a user-space
 * address the text of kft_user_symbol_add().
 */
void kft_print_env_add_symbol(struct kft_print_env *env, uint64_t addr, bool offset,
			      struct kft_strbuf *sb);

/*
 * Appends the constant string at addr, without a newline at its end, or
 * else addr in hexadecimal.
 */
void kft_print_env_add_string(struct kft_print_env *env, uint64_t addr,
			      struct kft_strbuf *sb);
