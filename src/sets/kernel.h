/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "tracefs/control/catalog.h"

/* The tracing points that a kernel has. */
struct kft_set_kernel {
	struct kft_catalog events;
	struct kft_catalog functions; /* empty: not listed by the kernel */
	/* maps the hash of a function's name to the number of functions with it */
	struct kft_map by_name;
	bool has_kprobes;
	bool has_functions; /* the kernel can trace calls of functions */
};

int kft_set_kernel_read(struct kft_host *host, struct kft_set_kernel *ret,
			struct kft_err *e) __must_check;
/* Builds by_name from functions. -ENOMEM. */
int kft_set_kernel_index(struct kft_set_kernel *k) __must_check;
void kft_set_kernel_finish(struct kft_set_kernel *k);

/* Whether the kernel has "system:event/FILTER/" or "system"; both may be globs. */
bool kft_set_kernel_has_event(const struct kft_set_kernel *k, const char *text);

/*
 * Whether the kernel has a kprobe's function, or a match of a glob. True if the
 * kernel lists no functions.
 */
bool kft_set_kernel_has_function(const struct kft_set_kernel *k, const char *text);

/*
 * Whether the kernel lets the function be probed: since 6.6 it refuses a name that
 * several functions have; older kernels probe the first of them.
 */
bool kft_set_kernel_can_probe(const struct kft_set_kernel *k, const char *text);
