/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SETS_KERNEL_H
#define KFT_SETS_KERNEL_H

#include "base/map.h"
#include "tracefs/control/catalog.h"

/* What a kernel has. */
struct kft_set_kernel {
	struct kft_catalog events;
	struct kft_catalog functions; /* empty: it does not say */
	struct kft_map by_name; /* hash of a function's name -> how many are called so */
	bool has_kprobes;
	bool has_functions; /* calls of functions can be traced */
};

int kft_set_kernel_read(struct kft_host *host, struct kft_set_kernel *ret,
			struct kft_err *e) __must_check;
/* After the functions were filled in: makes by_name. -ENOMEM. */
int kft_set_kernel_index(struct kft_set_kernel *k) __must_check;
void kft_set_kernel_finish(struct kft_set_kernel *k);

/* "system:event/FILTER/" or "system"; both may be globs. */
bool kft_set_kernel_has_event(const struct kft_set_kernel *k, const char *text);

/* The function of a kprobe, or a glob. A kernel that lists none may have it. */
bool kft_set_kernel_has_function(const struct kft_set_kernel *k, const char *text);

/*
 * The kernel lets the function of a kprobe be probed: a name that several functions have is
 * refused since 6.6, and before it was that of the first one.
 */
bool kft_set_kernel_can_probe(const struct kft_set_kernel *k, const char *text);

#endif
