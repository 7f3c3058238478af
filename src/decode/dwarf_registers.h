/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_DWARF_REGISTERS_H
#define KFT_DECODE_DWARF_REGISTERS_H

#include <stdint.h>

/* What debugging information means, as registers by the names of registers.h. NULL: not known. */

/* By DWARF's number of it. */
const char *kft_register_of_dwarf(uint16_t machine, unsigned int number);

/*
 * DWARF's canonical frame address when a function is entered: a register plus an offset.
 * What is above it belongs to the caller: arguments for which there is no register.
 */
const char *kft_register_of_frame(uint16_t machine, int *ret_offset);

#endif
