/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_HELPER_H
#define KFT_DECODE_PRINTFMT_HELPER_H

#include "decode/printfmt/eval.h"

/*
 * Functions of the kernel that print formats call to make text of values. What each
 * prints is what the kernel's function of that name does.
 */
struct kft_helper {
	const char *name;
	/* One letter per argument: n number, b bytes, p where to print to (not needed). */
	const char *args;
	void (*print)(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		      struct kft_strbuf *sb);
};

/* Each ends with one without a name. */
extern const struct kft_helper kft_helpers_ata[];
extern const struct kft_helper kft_helpers_nvme[];
extern const struct kft_helper kft_helpers_scsi[];

/* NULL for a name that is not known. */
const struct kft_helper *kft_helper_find(const char *name, size_t len);

#endif
