/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * Structs between programs and the library begin with their size as the program was
 * compiled. The program may be older than the library, with shorter structs, or newer.
 */

/*
 * Copies a program's struct to this library's version of it: members that the
 * program's version lacks are zero, and members that this version lacks must be zero
 * (-E2BIG). -EINVAL without a size.
 */
int kft_sized_take(void *to, const void *from, size_t size, const char *what,
		   struct kft_err *e) __must_check;

/*
 * Fills in the members that the program's version has; the
 * struct's size stays. -EINVAL without a size.
 */
int kft_sized_give(void *to, const void *from, size_t size);
