/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "decode/types/btf.h"

/*
 * Translates arguments of kprobe events that are written with the source's
 * names. An expression is a parameter of the function (or $retval, $argN)
 * with members, as in C: "file->f_inode->i_ino". The result is a fetch
 * argument for the kernel (kprobetrace.rst): "i_ino=+64(+32($arg1)):u64".
 * char pointers and arrays become strings.
 */

/* The location of a parameter of a program's function at its entry. */
struct kft_btf_source {
	/* a register by the kernel's name; static; NULL: not available */
	const char *base;
	/* the value is in memory at base plus offset, else base is the value */
	bool in_memory;
	int64_t offset;
	/* reason when not available: "it was optimized out"; static */
	const char *why_not;
};

struct kft_btf_fetch {
	/* borrowed; NULL: only $retval and $argN can be used */
	const struct kft_btf *btf;
	const char *function;
	/* the probe is at the return, where parameters are no longer available */
	bool at_return;
	uint32_t long_size; /* size of the kernel's long: 4 or 8 */
	/*
	 * Borrowed: one for each parameter, from kft_dwarf_function(); NULL: the kernel
	 * finds parameters by number.
	 */
	const struct kft_btf_source *sources;
};

/*
 * Appends the fetch argument of [NAME=]EXPRESSION[:TYPE], TYPE as in kprobetrace.rst. The
 * default name is the last name of the expression, the default type its own. -EINVAL with
 * a hint that lists valid names; -ENOENT when the types lack the function.
 */
int kft_btf_fetch(const struct kft_btf_fetch *f, const char *text, struct kft_strbuf *sb,
		  struct kft_err *e) __must_check;
