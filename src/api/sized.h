/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_API_SIZED_H
#define KFT_API_SIZED_H

#include <stddef.h>

#include <kft/error.h>

#include "base/macro.h"

/*
 * Structs between programs and the library begin with their size, as the program knows it. It may
 * have been built when they were shorter, or with a later library.
 */

/*
 * A program's struct as this library knows it: members that the program's version did not have
 * are zero, and members that this version does not have must be (-E2BIG). -EINVAL without a size.
 */
int kft_sized_take(void *to, const void *from, size_t size, const char *what,
		   struct kft_err *e) __must_check;

/* Fills in what the program knows of it; its size stays. -EINVAL without one. */
int kft_sized_give(void *to, const void *from, size_t size);

#endif
