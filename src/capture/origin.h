/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/host.h"
#include "capture/notify.h"
#include "model/meta.h"

/* The metadata of a trace that does not depend on the backend that records it. */

#define KFT_KALLSYMS_MAX_BYTES (256U << 20)

/* Adds the names of the machine and of kft, and an id of the trace. -ENOMEM. */
int kft_origin_add(struct kft_meta *m) __must_check;

/* Adds the time of day, if m's clock can be compared with it. */
void kft_origin_add_wall(struct kft_meta *m);

/* Adds the kernel's symbols, or notes that the kernel hides them. -ENOMEM. */
int kft_origin_add_symbols(const struct kft_host *host, const struct kft_notify *notify,
			   struct kft_meta *m) __must_check;
