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
 * Removing what killed sessions left in the kernel. Only instances that kft made are
 * looked at, and only those whose owner is dead are touched. Opening a session does this
 * too.
 */
#define KFT_RESET_NAME_MAX 256

enum kft_reset_state {
	KFT_RESET_REMOVED,
	KFT_RESET_ALIVE, /* its session is recording: left alone */
	KFT_RESET_BUSY, /* its owner is dead but another program has its files open */
	KFT_RESET_FAILED, /* see code */
};

struct kft_reset_item {
	char name[KFT_RESET_NAME_MAX]; /* of the tracefs instance */
	enum kft_reset_state state;
	int code; /* -errno, 0 when removed */
};

struct kft_reset_report {
	struct kft_reset_item *items; /* owned */
	size_t len;
};

/*
 * 0 when all instances were looked at, whatever became of them. -errno when tracefs
 * cannot be used; the report is not written then.
 */
int kft_reset(struct kft_host *host, struct kft_reset_report *ret, struct kft_err *e);

void kft_reset_report_finish(struct kft_reset_report *report);

#ifdef __cplusplus
}
#endif

#endif
