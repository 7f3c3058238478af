/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_ELF_H
#define KFT_DECODE_ELF_H

#include "base/vec.h"

/*
 * Functions of a program or shared library, by its ELF symbols (System V ABI, gabi4+, ch. 4
 * and 5): those of .symtab, and of .dynsym, which stripped files still have. The bytes are
 * borrowed and checked: broken ones give an error or fewer functions, never a read past
 * their end.
 */
struct kft_elf_function {
	const char *name; /* borrowed from the bytes */
	uint64_t offset; /* in the file, of its first instruction */
	uint64_t address; /* of the same, as the file says it */
	uint64_t size; /* 0: the symbol does not say */
};

struct kft_elf_functions {
	KFT_VEC(struct kft_elf_function) list; /* by offset, then name; none twice */
	uint16_t machine; /* e_machine */
};

#define KFT_ELF_SYMBOLS_MAX 20000000

/*
 * -ENOEXEC for bytes that are no ELF program or library, -EINVAL for broken ones, -ENOMEM,
 * -E2BIG with more than KFT_ELF_SYMBOLS_MAX, -EINTR when a signal waits (base/interrupted.h).
 */
int kft_elf_functions(const void *data, size_t size,
		      struct kft_elf_functions *ret) __must_check;
void kft_elf_functions_finish(struct kft_elf_functions *f);

#endif
