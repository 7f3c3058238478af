/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_DWARF_H
#define KFT_DECODE_DWARF_H

#include <kft/error.h>

#include "base/vec.h"
#include "decode/btf_fetch.h"
#include "decode/elf.h"

/*
 * Parameters of a program's functions by its debugging information (DWARF), which may be in
 * a file of its own: their types, as BTF, and where they are when the function is entered.
 * One thread uses it.
 */
struct kft_dwarf;

/* Whether this kft was built with libdw and this machine has it. */
bool kft_dwarf_is_there(void);

/* -EOPNOTSUPP without libdw, -ENOENT for a program without debugging information. */
int kft_dwarf_open(const char *path, uint16_t machine, struct kft_dwarf **ret,
		   struct kft_err *e) __must_check;
/* NULL is fine. */
void kft_dwarf_close(struct kft_dwarf *d);

struct kft_dwarf_function {
	struct kft_strbuf types; /* BTF of the function and of what it needs */
	KFT_VEC(struct kft_btf_source) sources; /* of its parameters */
};

/* -ENOENT for a function of which nothing is known. */
int kft_dwarf_function(struct kft_dwarf *d, const struct kft_elf_function *f,
		       struct kft_dwarf_function *ret, struct kft_err *e) __must_check;
void kft_dwarf_function_finish(struct kft_dwarf_function *f);

#endif
