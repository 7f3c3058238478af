/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_PRINTK_H
#define KFT_DECODE_PRINTFMT_PRINTK_H

#include "base/arena.h"
#include "base/map.h"

/*
 * The text of tracefs' printk_formats: the constant strings that events refer to by
 * address, one a line: `0xffffffff81e6a5e3 : "cpu %d\n"`. Fills map with address ->
 * struct kft_blob * of the string with its escapes undone (\n \t \\ \"; one at the same
 * address later wins). Blobs and strings live in the arena; the string is NUL terminated
 * behind its length.
 *
 * Lines that are none are stepped over and counted in *ret_bad. -ENOMEM.
 */
int kft_printkfmt_parse(const char *text, size_t len, struct kft_arena *arena,
			struct kft_map *map, size_t *ret_bad) __must_check;

#endif
