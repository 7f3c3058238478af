/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "file/ctf/kernel.h"
#include "file/ctf/leaf.h"

/*
 * The layout of a class's records: that of the kernel's event of the same name, followed
 * by fields that the kernel does not have; for other events the fields in their order.
 */
struct kft_ctf_layout {
	struct kft_strbuf fields; /* field lines of a format text */
	struct kft_strbuf print_fmt; /* its print fmt, without "print fmt: " */
	uint32_t fixed_bytes; /* bytes of the record's fixed part placed so far */
	bool has_pid;
	struct kft_arena *arena; /* for leaves' names */
};

/*
 * Sets the leaves' offsets and writes the texts. -EINVAL when a
 * record gets too long, -ENOMEM.
 */
int kft_ctf_layout_make(struct kft_ctf_layout *l, kft_ctf_leaves *leaves,
			struct kft_arena *arena, const struct kft_ctf_kernel_name *name,
			bool is_lttng) __must_check;
void kft_ctf_layout_finish(struct kft_ctf_layout *l);
