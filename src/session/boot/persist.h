/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "capture/host.h"

/*
 * Appends kernel parameters that make a persistent instance (tracefs/control/persistent.h) for
 * the flight recorder of that name: its memory survives a reboot. The instance records
 * nothing before the flight recorder starts.
 */
void kft_persist_params(const char *session, uint64_t bytes, struct kft_strbuf *sb);

/*
 * Checks that this machine's kernel supports the parameters: -EOPNOTSUPP, with the needed
 * version as the hint; -ENOMEM for more than a quarter of the machine's memory.
 */
int kft_persist_check(struct kft_host *host, uint64_t bytes,
		      struct kft_err *e) __must_check;
