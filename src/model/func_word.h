/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/macro.h"

/*
 * The syntax for a function: its name ("vfs_read", "foo.isra.0"), a glob ("vfs_*") or the
 * address of its first byte ("0xffffffff81234560", the leading 0x required).
 */

/* KSYM_NAME_LEN of Linux 6.1 (with the NUL), the limit of a function's name. */
#define KFT_FUNC_WORD_MAX 512

/*
 * Sets the kind of the word; *ret_addr is 0 unless it is an address. -EINVAL for an
 * invalid word: empty, too long, starting with a digit, or with characters that neither
 * symbols nor globs have. -ERANGE for an address above 64 bits.
 */
int kft_func_word_parse(const char *word, enum kft_func_kind *ret_kind,
			uint64_t *ret_addr) __must_check;
