/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "decode/printfmt/eval.h"

/*
 * Kernel functions that print formats call to turn values into text. Each prints the same
 * as the kernel's function of that name.
 */
struct kft_helper {
	const char *name;
	/* One letter per argument: n number, b bytes, p the trace_seq (not used). */
	const char *args;
	void (*print)(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		      struct kft_strbuf *sb);
};

/* Each table ends with an entry without a name. */
extern const struct kft_helper kft_helpers_ata[];
extern const struct kft_helper kft_helpers_nvme[];
extern const struct kft_helper kft_helpers_scsi[];

/* NULL for an unknown name. */
const struct kft_helper *kft_helper_find(const char *name, size_t len);

/* data/xen_hypercalls, by number */
#define KFT_XEN_HYPERCALLS 35
extern const char *const kft_xen_hypercalls[KFT_XEN_HYPERCALLS];
