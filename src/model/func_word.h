/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_FUNC_WORD_H
#define KFT_MODEL_FUNC_WORD_H

#include <kft/plan.h>

#include "base/macro.h"

/*
 * How people write a function: its name ("vfs_read", "foo.isra.0"), a glob ("vfs_*") or
 * the address of its first byte ("0xffffffff81234560", the leading 0x required).
 */

/* KSYM_NAME_LEN of Linux 6.1, with its NUL: no function's name is longer. */
#define KFT_FUNC_WORD_MAX 512

/*
 * What the word is; *ret_addr is 0 unless it is an address. -EINVAL for a word that can
 * be no function: empty, too long, starting with a digit, or with other characters than
 * the kernel's symbols and globs have. -ERANGE for an address above 64 bits.
 */
int kft_func_word_parse(const char *word, enum kft_func_kind *ret_kind,
			uint64_t *ret_addr) __must_check;

#endif
