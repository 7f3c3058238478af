/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"

/*
 * Reads the functions of a program or shared library from its ELF symbols (System V
 * ABI, gabi4+, ch. 4 and 5): from .symtab, and from .dynsym, which stripped files still
 * have. The bytes are borrowed and checked: broken ones give an error or fewer
 * functions, never a read past their end.
 */
struct kft_elf_function {
	const char *name; /* borrowed from the bytes */
	uint64_t offset; /* file offset of its first instruction */
	uint64_t address; /* virtual address of the same instruction */
	uint64_t size; /* bytes; 0: the symbol has no size */
};

struct kft_elf_functions {
	/* sorted by offset, then name; without duplicates */
	KFT_VEC(struct kft_elf_function) list;
	uint16_t machine; /* e_machine */
};

#define KFT_ELF_SYMBOLS_MAX 20000000

/*
 * -ENOEXEC for bytes that are not an ELF program or library, -EINVAL for broken
 * ones, -ENOMEM, -E2BIG for more than KFT_ELF_SYMBOLS_MAX, -EINTR when a signal is
 * pending (base/interrupted.h).
 */
int kft_elf_functions(const void *data, size_t size,
		      struct kft_elf_functions *ret) __must_check;
void kft_elf_functions_finish(struct kft_elf_functions *f);
