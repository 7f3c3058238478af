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
	uint64_t room; /* bytes to the end of its section; 0 from kft_elf_functions() */
	uint8_t binding; /* STB_LOCAL, STB_GLOBAL, STB_WEAK */
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

/*
 * All names of code, for showing addresses: also labels and the functions that choose an
 * implementation when a program is loaded (STT_GNU_IFUNC). The symbols may be in another
 * file than the program, which was stripped of them; offsets are those in the program's.
 */
int kft_elf_code_names(const void *data, size_t size, const void *program,
		       size_t program_size, struct kft_elf_functions *ret) __must_check;

/*
 * The function with this place between its start and its end, or NULL. If a function has
 * several names, it is the one that perf shows, too.
 */
const struct kft_elf_function *kft_elf_function_at(const struct kft_elf_functions *f,
						   uint64_t offset);

/* Bytes of a build-id, a hash of the program that the linker writes into it. */
#define KFT_BUILD_ID_MAX 20

/* The length of the file's build-id, which is copied to ret; 0: it has none. */
size_t kft_elf_build_id(const void *data, size_t size, uint8_t ret[KFT_BUILD_ID_MAX]);
