/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_RESET_H
#define KFT_RESET_H

#include <stddef.h>

#include <kft/error.h>
#include <kft/host.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Removes the remains of killed sessions from the kernel. Only instances that
 * kft made are examined, and only those with a dead owner are changed.
 * Opening a session does this too.
 */
#define KFT_RESET_NAME_MAX 256

enum kft_reset_state {
	KFT_RESET_REMOVED,
	KFT_RESET_ALIVE, /* its session is recording: not changed */
	KFT_RESET_BUSY, /* its owner is dead, but another program has its files open */
	KFT_RESET_FAILED, /* the error is in code */
};

struct kft_reset_item {
	char name[KFT_RESET_NAME_MAX]; /* name of the tracefs instance */
	enum kft_reset_state state;
	int code; /* -errno; 0: removed */
};

struct kft_reset_report {
	struct kft_reset_item *items; /* owned */
	size_t len;
};

/*
 * 0 when all instances were examined, even if some could not be removed. -errno when
 * tracefs cannot be used; *ret is not written then.
 */
int kft_reset(struct kft_host *host, struct kft_reset_report *ret, struct kft_err *e);

void kft_reset_report_finish(struct kft_reset_report *report);

#ifdef __cplusplus
}
#endif

#endif
