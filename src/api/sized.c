// SPDX-License-Identifier: LGPL-2.1-or-later
/* Copies structs that begin with their size from and to programs. */
#include "api/sized.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"

/*
 * A larger number is not a size: the program left the member uninitialized,
 * so nothing more is read.
 */
#define KNOWN_MAX_BYTES 4096

int kft_sized_take(void *to, const void *from, size_t size, const char *what,
		   struct kft_err *e)
{
	const uint8_t *bytes = from;
	size_t known = *(const size_t *)from;

	if (known < sizeof(known) || known > KNOWN_MAX_BYTES)
		return kft_err_set(e, -EINVAL, "the %s: its size is missing", what);
	memset(to, 0, size);
	memcpy(to, from, KFT_MIN(known, size));
	for (size_t i = size; i < known; i++)
		if (bytes[i])
			return kft_err_set(e, -E2BIG, "the %s: it is of a later libkft",
					   what);
	return 0;
}

int kft_sized_give(void *to, const void *from, size_t size)
{
	size_t known = *(const size_t *)to;

	if (known < sizeof(known) || known > KNOWN_MAX_BYTES)
		return -EINVAL;
	memcpy((uint8_t *)to + sizeof(known), (const uint8_t *)from + sizeof(known),
	       KFT_MIN(known, size) - sizeof(known));
	return 0;
}
