/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "decode/types/dwarf_lib.h"

/*
 * Writes a function's type and all types that it needs as BTF, so that the same code
 * (btf_fetch.h) handles arguments of the kernel and of programs. `struct kft_dwarf_types
 * t = {.dw = dw};` is an empty one.
 */
struct kft_dwarf_types {
	const struct kft_dw *dw; /* borrowed */
	struct kft_strbuf records;
	struct kft_strbuf strings;
	KFT_VEC(Dwarf_Die) queue; /* types in the order of their ids */
	struct kft_map numbers; /* maps a DIE's offset to its id */
	bool failed; /* memory ran out, or there were too many types */
};

/* Appends the BTF of a function with these parameters. -ENOMEM, -E2BIG. */
int kft_dwarf_types_write(struct kft_dwarf_types *t, const char *name,
			  Dwarf_Die *function, const Dwarf_Die *parameters, uint32_t n,
			  struct kft_strbuf *ret);
void kft_dwarf_types_finish(struct kft_dwarf_types *t);
