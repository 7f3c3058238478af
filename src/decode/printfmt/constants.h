/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/macro.h"

/*
 * Values of the names that remain in print formats: C's own, and enum members that the
 * kernel does not replace by their values, because no TRACE_DEFINE_ENUM() exports
 * them. False for an unknown name.
 */
bool kft_print_constant(const char *name, size_t len, uint64_t *ret);
