/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/* All kinds; the last element is NULL. */
extern const struct kft_interval_kind *const kft_interval_kinds[];

const struct kft_interval_kind *kft_interval_kind_find(const char *name);

/* The kinds, each in a file of this folder. */
extern const struct kft_interval_kind kft_kind_cpu;
extern const struct kft_interval_kind kft_kind_task;
extern const struct kft_interval_kind kft_kind_migration;
extern const struct kft_interval_kind kft_kind_irq;
extern const struct kft_interval_kind kft_kind_irq_gap;
extern const struct kft_interval_kind kft_kind_vector;
extern const struct kft_interval_kind kft_kind_softirq;
extern const struct kft_interval_kind kft_kind_softirq_raised;
extern const struct kft_interval_kind kft_kind_tasklet;
extern const struct kft_interval_kind kft_kind_hrtimer_late;
extern const struct kft_interval_kind kft_kind_hrtimer;
extern const struct kft_interval_kind kft_kind_timer;
extern const struct kft_interval_kind kft_kind_syscall;
extern const struct kft_interval_kind kft_kind_futex;
extern const struct kft_interval_kind kft_kind_lock;
extern const struct kft_interval_kind kft_kind_fault;
extern const struct kft_interval_kind kft_kind_signal;
extern const struct kft_interval_kind kft_kind_work_queued;
extern const struct kft_interval_kind kft_kind_work;
extern const struct kft_interval_kind kft_kind_block_queued;
extern const struct kft_interval_kind kft_kind_block;
extern const struct kft_interval_kind kft_kind_napi;
extern const struct kft_interval_kind kft_kind_reclaim;
extern const struct kft_interval_kind kft_kind_idle;
extern const struct kft_interval_kind kft_kind_frequency;
extern const struct kft_interval_kind kft_kind_function;
extern const struct kft_interval_kind kft_kind_mark;
extern const struct kft_interval_kind kft_kind_mark_gap;
extern const struct kft_interval_kind kft_kind_initcall;
extern const struct kft_interval_kind kft_kind_printk;

/* Not in the table of kinds: kft why uses it to find the owner of a futex. */
extern const struct kft_interval_kind kft_kind_futex_unlock;

/* Append the name of an interrupt, and of a softirq: key_name of several kinds. */
void kft_key_irq(struct kft_trace *t, uint64_t irq, struct kft_strbuf *sb);
void kft_key_vector(struct kft_trace *t, uint64_t vector, struct kft_strbuf *sb);
