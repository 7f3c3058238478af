/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_KINDS_H
#define KFT_DERIVE_KINDS_H

#include "derive/engine.h"

/* The kinds of intervals, each in a file of its own: kind_NAME.c. */
extern const struct kft_interval_kind kft_kind_irq;
extern const struct kft_interval_kind kft_kind_softirq;
extern const struct kft_interval_kind kft_kind_syscall;
extern const struct kft_interval_kind kft_kind_task;

#endif
