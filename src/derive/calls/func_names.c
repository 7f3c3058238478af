// SPDX-License-Identifier: LGPL-2.1-or-later
/* Caches facts about functions by address. */
#include "derive/calls/func_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* No function of the kernel is longer: a more distant address belongs to no known symbol. */
#define FUNCTION_MAX_BYTES (1 << 20)

void kft_func_names_init(struct kft_func_names *f, const struct kft_symbol_table *symbols,
			 struct kft_intern *names)
{
	*f = (struct kft_func_names){.symbols = symbols, .names = names};
}

void kft_func_names_finish(struct kft_func_names *f)
{
	kft_map_finish(&f->by_addr);
	kft_vec_finish(&f->funcs);
}

static int look_up(struct kft_func_names *f, uint64_t addr, struct kft_func *ret)
{
	const struct kft_symbol *s = kft_symbol_lookup(f->symbols, addr);
	struct kft_func func = {
		.begins_irq = addr >= f->symbols->irq_start && addr < f->symbols->irq_end,
	};
	char hex[24];
	int r;

	if (s && addr - s->addr < FUNCTION_MAX_BYTES) {
		func.offset = addr - s->addr;
		func.irq = kft_irq_name_find(s->name, s->name_len);
		r = kft_intern(f->names, s->name, s->name_len, &func.name);
	} else {
		int len = snprintf(hex, sizeof(hex), "0x%" PRIx64, addr);

		r = kft_intern(f->names, hex, len, &func.name);
	}
	if (!r)
		*ret = func;
	return r;
}

int kft_func_names_get(struct kft_func_names *f, uint64_t addr, struct kft_func *ret)
{
	/* KFT_MAP_NO_KEY, which a map cannot hold, is not the address of a function. */
	uint64_t *slot = kft_map_put(&f->by_addr, addr == KFT_MAP_NO_KEY ? 0 : addr);
	struct kft_func func;

	if (!slot)
		return -ENOMEM;
	if (!*slot) {
		int r = look_up(f, addr, &func);

		if (!r && !kft_vec_push(&f->funcs, func))
			r = -ENOMEM;
		if (r < 0)
			return r;
		*slot = f->funcs.len;
	}
	*ret = f->funcs.data[*slot - 1];
	return 0;
}
