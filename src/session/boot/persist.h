/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_PERSIST_H
#define KFT_SESSION_BOOT_PERSIST_H

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * Parameters of the kernel's command line that make an instance whose memory a reboot leaves
 * alone (tracefs/control/kept.h), for the flight recorder of that name: nothing is recorded
 * there before that starts.
 */
void kft_persist_params(const char *session, uint64_t bytes, struct kft_strbuf *sb);

/*
 * Whether this machine's kernel would heed them: -EOPNOTSUPP, with what is needed as the hint;
 * -ENOMEM for more than a quarter of its memory.
 */
int kft_persist_check(struct kft_host *host, uint64_t bytes,
		      struct kft_err *e) __must_check;

#endif
