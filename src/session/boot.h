/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_H
#define KFT_SESSION_BOOT_H

#include <kft/error.h>
#include <kft/notify.h>

#include "base/strbuf.h"

/*
 * Writes the run that this machine's boot was to a trace, and gives the kernel back. What
 * was kept and dropped is appended to said, a line with its end. e must not be NULL.
 */
int kft_boot_save(const char *output, const struct kft_notify *notify,
		  struct kft_strbuf *said, struct kft_err *e) __must_check;

#endif
