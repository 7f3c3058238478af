/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"
#include "model/irq_name.h"
#include "model/symbol.h"

/* Facts about the function at an address. */
struct kft_func {
	uint32_t name; /* number in kft_func_names.names */
	uint32_t offset; /* of the address in the function, in bytes */
	bool begins_irq; /* an interrupt begins with it, in any context */
	enum kft_irq_name irq;
};

/* Functions by address; each address is looked up once. */
struct kft_func_names {
	const struct kft_symbol_table *symbols; /* borrowed; may be empty */
	struct kft_intern *names; /* borrowed */
	struct kft_map by_addr; /* -> index into funcs + 1 */
	KFT_VEC(struct kft_func) funcs;
};

void kft_func_names_init(struct kft_func_names *f, const struct kft_symbol_table *symbols,
			 struct kft_intern *names);
void kft_func_names_finish(struct kft_func_names *f);

/*
 * Finds the function that contains addr; its name is "0x..." if no symbol is near.
 * -ENOMEM.
 */
int kft_func_names_get(struct kft_func_names *f, uint64_t addr,
		       struct kft_func *ret) __must_check;
