/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_REGISTERS_H
#define KFT_DECODE_REGISTERS_H

#include <stdint.h>

/*
 * Registers by the names that the kernel's probes know (the tables regoffset_table of
 * arch/X/kernel/ptrace.c), of the architecture that this program runs on. `machine` is an
 * ELF header's.
 */

/*
 * Of a function's first arguments that are numbers or addresses, from 1, by the system's ABI.
 * NULL: none that is known.
 */
const char *kft_register_of_argument(uint16_t machine, unsigned int number);

#endif
