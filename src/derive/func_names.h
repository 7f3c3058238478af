/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FUNC_NAMES_H
#define KFT_DERIVE_FUNC_NAMES_H

#include "base/intern.h"
#include "model/irq_name.h"
#include "model/symbol.h"

/* What is known of a function by its address. */
struct kft_func {
	uint32_t name; /* number in the names */
	uint32_t offset; /* of the address, from where the function begins */
	bool begins_irq; /* an interrupt begins, whatever went on before */
	enum kft_irq_name irq;
};

/* Functions by address, each looked up once. */
struct kft_func_names {
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	struct kft_intern *names; /* borrowed */
	struct kft_map by_addr; /* -> index into funcs, from 1 */
	KFT_VEC(struct kft_func) funcs;
};

void kft_func_names_init(struct kft_func_names *f, const struct kft_symbol_table *symbols,
			 struct kft_intern *names);
void kft_func_names_finish(struct kft_func_names *f);

/* The function that addr is in; its name is "0x..." when no symbol is near. -ENOMEM. */
int kft_func_names_get(struct kft_func_names *f, uint64_t addr,
		       struct kft_func *ret) __must_check;

#endif
