/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/host.h>

#include "base/macro.h"

/*
 * Functions that make and remove a directory under instances/. tracefs fills and empties it
 * automatically; a stand-in of plain files has to do so itself. They work like mkdirat(2) and
 * unlinkat(2) with AT_REMOVEDIR, but return 0 or -errno.
 */
struct kft_host_ops {
	int (*make_instance)(int dirfd, const char *name);
	int (*remove_instance)(int dirfd, const char *name);
};

struct kft_funcmap;

struct kft_host {
	int root_fd; /* owned */
	int tracefs_fd; /* owned; -1 until kft_tracefs_open() succeeds */
	bool stand_in; /* not the running kernel, so tracefs is never mounted */
	const struct kft_host_ops *ops; /* borrowed, static */
	struct kft_funcmap *functions; /* owned; NULL until kft_funcmap_of() */
	void (*forget_functions)(struct kft_host *host); /* frees them; set with them */
};

KFT_DEFINE_CLEANUP(struct kft_host *, kft_host_close)

/*
 * The mode of kernel lockdown. UNKNOWN: the kernel has no lockdown, or securityfs is not
 * mounted.
 */
enum kft_lockdown {
	KFT_LOCKDOWN_UNKNOWN,
	KFT_LOCKDOWN_NONE,
	KFT_LOCKDOWN_INTEGRITY,
	KFT_LOCKDOWN_CONFIDENTIALITY,
};

enum kft_lockdown kft_host_lockdown(const struct kft_host *host);

/*
 * Adds a hint to e after the kernel refused an operation with -EPERM or -EACCES: the user or
 * the capabilities that kft needs, or that lockdown forbids it. Ignores other codes.
 */
void kft_host_hint(const struct kft_host *host, int code, struct kft_err *e);
/* Likewise, for an operation that needs others than CAP_DAC_OVERRIDE of users without root. */
void kft_host_hint_caps(const struct kft_host *host, int code, const char *caps,
			struct kft_err *e);
