/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_BTF_H
#define KFT_DECODE_BTF_H

#include "base/macro.h"

/*
 * Looking types up by name in BTF (Documentation/bpf/btf.rst), the kernel's description of
 * its own types, as in /sys/kernel/btf/vmlinux. The bytes are borrowed and checked: broken
 * ones give an error, never a read past their end.
 */
enum kft_btf_kind {
	KFT_BTF_STRUCT = 4,
	KFT_BTF_TYPEDEF = 8,
	KFT_BTF_FUNC = 12,
};

/*
 * The id of the first type of that kind and name. -ENOENT when there is none, -EINVAL
 * when the bytes are no BTF, -EOPNOTSUPP for a kind of type that is newer than this code
 * (its length is not known, so what follows cannot be read).
 */
int kft_btf_find(const void *data, size_t size, enum kft_btf_kind kind, const char *name,
		 uint32_t *ret_id) __must_check;

/* How many types there are. Errors as above. */
int kft_btf_count(const void *data, size_t size, uint32_t *ret) __must_check;

#endif
