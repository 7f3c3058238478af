// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tables of the registers that hold a function's arguments at its entry. */
#include "decode/registers.h"

#include <elf.h>
#include <stddef.h>

#include "base/macro.h"

#define ARGUMENTS_MAX 8

static const struct {
	uint16_t machine;
	const char *arguments[ARGUMENTS_MAX];
} machines[] = {
#ifdef __x86_64__
	{EM_X86_64, {"%di", "%si", "%dx", "%cx", "%r8", "%r9"}},
#endif
#ifdef __i386__
	{EM_386, {"$stack1", "$stack2", "$stack3", "$stack4", "$stack5", "$stack6"}},
#endif
#ifdef __aarch64__
	{EM_AARCH64, {"%x0", "%x1", "%x2", "%x3", "%x4", "%x5", "%x6", "%x7"}},
#endif
#ifdef __arm__
	{EM_ARM, {"%r0", "%r1", "%r2", "%r3"}},
#endif
#ifdef __s390x__
	{EM_S390, {"%r2", "%r3", "%r4", "%r5", "%r6"}},
#endif
#ifdef __riscv
	{EM_RISCV, {"%a0", "%a1", "%a2", "%a3", "%a4", "%a5", "%a6", "%a7"}},
#endif
#ifdef __powerpc64__
	{EM_PPC64,
	 {"%gpr3", "%gpr4", "%gpr5", "%gpr6", "%gpr7", "%gpr8", "%gpr9", "%gpr10"}},
#endif
	{EM_NONE, {NULL}},
};

const char *kft_register_of_argument(uint16_t machine, unsigned int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
		if (machines[i].machine == machine && number >= 1 &&
		    number <= ARGUMENTS_MAX)
			return machines[i].arguments[number - 1];
	return NULL;
}
