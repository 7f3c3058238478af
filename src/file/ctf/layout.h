/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_LAYOUT_H
#define KFT_FILE_CTF_LAYOUT_H

#include "base/strbuf.h"
#include "file/ctf/kernel.h"
#include "file/ctf/leaf.h"

/*
 * Where the record of a class has what: as the kernel lays out its event of that name, with
 * what else the trace has behind it; one by one for events that the kernel does not have.
 */
struct kft_ctf_layout {
	struct kft_strbuf fields; /* lines of a format text */
	struct kft_strbuf print_fmt; /* its last line, without "print fmt: " */
	uint32_t fixed_bytes; /* so far */
	bool has_pid;
	struct kft_arena *arena; /* of leaves' names */
};

/* Places leaves and writes the texts. -EINVAL when a record gets too long, -ENOMEM. */
int kft_ctf_layout_make(struct kft_ctf_layout *l, kft_ctf_leaves *leaves,
			struct kft_arena *arena, const struct kft_ctf_kernel_name *name,
			bool is_lttng) __must_check;
void kft_ctf_layout_finish(struct kft_ctf_layout *l);

#endif
