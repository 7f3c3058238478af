// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tables of the registers in debugging information. */
#include "decode/types/dwarf_registers.h"

#include <elf.h>
#include <stddef.h>

#include "base/macro.h"

#define NUMBERS_MAX 32

static const struct machine {
	uint16_t machine;
	const char *numbers[NUMBERS_MAX];
	const char *frame;
	int frame_offset;
} machines[] = {
#ifdef __x86_64__
	{EM_X86_64,
	 {"%ax", "%dx", "%cx", "%bx", "%si", "%di", "%bp", "%sp", "%r8", "%r9", "%r10",
	  "%r11", "%r12", "%r13", "%r14", "%r15"},
	 "%sp",
	 8},
#endif
#ifdef __i386__
	{EM_386, {"%ax", "%cx", "%dx", "%bx", "%sp", "%bp", "%si", "%di"}, "%sp", 4},
#endif
#ifdef __aarch64__
	{EM_AARCH64,
	 {"%x0",  "%x1",  "%x2",  "%x3",  "%x4",  "%x5",  "%x6",  "%x7",
	  "%x8",  "%x9",  "%x10", "%x11", "%x12", "%x13", "%x14", "%x15",
	  "%x16", "%x17", "%x18", "%x19", "%x20", "%x21", "%x22", "%x23",
	  "%x24", "%x25", "%x26", "%x27", "%x28", "%x29", "%x30", "%sp"},
	 "%sp",
	 0},
#endif
#ifdef __arm__
	{EM_ARM,
	 {"%r0", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7", "%r8", "%r9", "%r10",
	  "%fp", "%ip", "%sp", "%lr", "%pc"},
	 "%sp",
	 0},
#endif
#ifdef __s390x__
	{EM_S390,
	 {"%r0", "%r1", "%r2", "%r3", "%r4", "%r5", "%r6", "%r7", "%r8", "%r9", "%r10",
	  "%r11", "%r12", "%r13", "%r14", "%r15"},
	 "%r15",
	 160},
#endif
	{.machine = EM_NONE},
};

static const struct machine *find(uint16_t machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(machines) - 1; i++)
		if (machines[i].machine == machine)
			return &machines[i];
	return &machines[ARRAY_SIZE(machines) - 1];
}

const char *kft_register_of_dwarf(uint16_t machine, unsigned int number)
{
	return number < NUMBERS_MAX ? find(machine)->numbers[number] : NULL;
}

const char *kft_register_of_frame(uint16_t machine, int *ret_offset)
{
	const struct machine *m = find(machine);

	*ret_offset = m->frame_offset;
	return m->frame;
}
