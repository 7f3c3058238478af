/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Registers by the names that the kernel's probes use (the tables regoffset_table of
 * arch/X/kernel/ptrace.c), for the architecture that this program runs on. `machine` is
 * the e_machine of an ELF header.
 */

/*
 * The register of a function's number'th argument among numbers and addresses, from 1, by
 * the system's ABI. NULL: not known.
 */
const char *kft_register_of_argument(uint16_t machine, unsigned int number);
