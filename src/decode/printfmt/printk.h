/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/map.h"

/*
 * Parses the text of tracefs' printk_formats: constant strings that events refer to by
 * address, one a line: `0xffffffff81e6a5e3 : "cpu %d\n"`. The map gets address ->
 * struct kft_blob * of the string with its escapes undone (\n \t \\ \"; the last string
 * of an address wins). Blobs and strings are in the arena; a NUL follows the string's
 * length.
 *
 * Bad lines are skipped and counted in *ret_bad. -ENOMEM.
 */
int kft_printkfmt_parse(const char *text, size_t len, struct kft_arena *arena,
			struct kft_map *map, size_t *ret_bad) __must_check;
