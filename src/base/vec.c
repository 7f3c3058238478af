// SPDX-License-Identifier: LGPL-2.1-or-later
/* Grows arrays. */
#include "base/vec.h"

bool kft_vec_grow(void **data, size_t *cap, size_t need, size_t elem_size)
{
	size_t new_cap = *cap ? *cap : 8;
	size_t bytes;

	while (new_cap < need)
		if (kft_mul(new_cap, (size_t)2, &new_cap))
			return false;
	if (kft_mul(new_cap, elem_size, &bytes))
		return false;
	void *p = realloc(*data, bytes);
	if (!p)
		return false;
	*data = p;
	*cap = new_cap;
	return true;
}
