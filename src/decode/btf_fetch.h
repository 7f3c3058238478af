/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_BTF_FETCH_H
#define KFT_DECODE_BTF_FETCH_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "decode/btf.h"

/*
 * Arguments of kprobe events by the names of the source. An expression is a parameter of
 * the function (or $retval, $argN) and members behind it, as C writes them:
 * "file->f_inode->i_ino". It becomes what the kernel fetches (kprobetrace.rst):
 * "i_ino=+64(+32($arg1)):u64". char pointers and arrays become strings.
 */

/* Where a parameter of a program's function is when the function is entered. */
struct kft_btf_source {
	const char *base; /* a register as the kernel names it; static; NULL: nowhere */
	bool in_memory; /* at base plus offset, else base is the value */
	int64_t offset;
	const char *why_not; /* nowhere: "it was optimized out"; static */
};

struct kft_btf_fetch {
	const struct kft_btf *btf; /* borrowed; NULL: only $retval and $argN are known */
	const char *function;
	bool at_return; /* of what the function was called with, nothing is known then */
	uint32_t long_size; /* of the kernel: 4 or 8 */
	/*
	 * Borrowed: of each parameter, as kft_dwarf_function() finds them; NULL: the kernel
	 * finds them by number.
	 */
	const struct kft_btf_source *sources;
};

/*
 * Appends the fetch argument of [NAME=]EXPRESSION[:TYPE], TYPE as in kprobetrace.rst; without
 * them it has the expression's last name and its type. -EINVAL with a hint that names what
 * there is instead; -ENOENT when the types do not have the function.
 */
int kft_btf_fetch(const struct kft_btf_fetch *f, const char *text, struct kft_strbuf *sb,
		  struct kft_err *e) __must_check;

#endif
