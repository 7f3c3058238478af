/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <linux/filter.h>

#include "model/traced_sink.h"

/*
 * A seccomp program that stops a task at the wanted calls only. The kernel passes it on to
 * children, and refuses to remove it.
 */
struct kft_call_filter {
	KFT_VEC(struct sock_filter) code;
};

int kft_call_filter_make(const struct kft_traced_sink *sink, struct kft_call_filter *ret);
void kft_call_filter_finish(struct kft_call_filter *f);

/*
 * Installs it in the calling process, between fork and exec. 0 or -errno: -EACCES without
 * no_new_privs and CAP_SYS_ADMIN.
 */
int kft_call_filter_install(const struct kft_call_filter *f, bool no_new_privs);
