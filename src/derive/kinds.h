/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_KINDS_H
#define KFT_DERIVE_KINDS_H

#include "derive/engine.h"

/* The kinds of intervals, in files kind_NAME.c. */
extern const struct kft_interval_kind kft_kind_irq;
extern const struct kft_interval_kind kft_kind_softirq;
extern const struct kft_interval_kind kft_kind_syscall;
extern const struct kft_interval_kind kft_kind_task;

/* Names of keys that several kinds have: of an interrupt, a softirq. */
void kft_key_irq(struct kft_trace *t, uint64_t irq, struct kft_strbuf *sb);
void kft_key_vector(struct kft_trace *t, uint64_t vector, struct kft_strbuf *sb);

#endif
