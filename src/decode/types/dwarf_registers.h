/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Translates registers in debugging information to the names of
 * registers.h. NULL: not known.
 */

/* The register with this number in DWARF. */
const char *kft_register_of_dwarf(uint16_t machine, unsigned int number);

/*
 * DWARF's canonical frame address at a function's entry: a register plus an offset. The
 * memory above it belongs to the caller and holds arguments that are not in registers.
 */
const char *kft_register_of_frame(uint16_t machine, int *ret_offset);
