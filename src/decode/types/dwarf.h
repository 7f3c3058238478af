/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/vec.h"
#include "decode/types/btf_fetch.h"
#include "decode/types/elf.h"

/*
 * Reads the parameters of a program's functions from its debugging information (DWARF),
 * which may be in a separate file: their types, as BTF, and their locations at the
 * function's entry. For one thread at a time.
 */
struct kft_dwarf;

/* Whether this kft was built with libdw and this machine has the library. */
bool kft_dwarf_is_there(void);

/* -EOPNOTSUPP without libdw, -ENOENT for a program without debugging information. */
int kft_dwarf_open(const char *path, uint16_t machine, struct kft_dwarf **ret,
		   struct kft_err *e) __must_check;
/* NULL is fine. */
void kft_dwarf_close(struct kft_dwarf *d);

struct kft_dwarf_function {
	struct kft_strbuf types; /* BTF of the function and of the types it needs */
	KFT_VEC(struct kft_btf_source) sources; /* one for each parameter */
};

/* -ENOENT for a function without debugging information. */
int kft_dwarf_function(struct kft_dwarf *d, const struct kft_elf_function *f,
		       struct kft_dwarf_function *ret, struct kft_err *e) __must_check;
void kft_dwarf_function_finish(struct kft_dwarf_function *f);
