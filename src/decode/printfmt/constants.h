/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_CONSTANTS_H
#define KFT_DECODE_PRINTFMT_CONSTANTS_H

#include "base/macro.h"

/*
 * Names that print formats still have: C's own, and enum members that the kernel does not
 * replace by their values (all that TRACE_DEFINE_ENUM() was not told of). False for a
 * name that is not known.
 */
bool kft_print_constant(const char *name, size_t len, uint64_t *ret);

#endif
