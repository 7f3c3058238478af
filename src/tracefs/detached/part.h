/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/detached.h"
#include "tracefs/drain/transfer.h"
#include "tracefs/sources/enable.h"

/*
 * The part of a detached session that tracefs records, in an instance that belongs to the
 * session and to no process. One thread uses it.
 */
struct kft_tracefs_part {
	struct kft_part base;
	struct kft_ledger ledger;
	struct kft_tracefs_dir place; /* fd -1 when there is nothing in the kernel */
	struct kft_enable enable; /* from resolve to enable */
	struct kft_transfer transfer; /* from drain_begin to drain_close */
	bool drains_at_end;
};

static inline struct kft_tracefs_part *kft_tracefs_part_of(struct kft_part *p)
{
	return container_of(p, struct kft_tracefs_part, base);
}

static inline const struct kft_tracefs_part *
kft_tracefs_part_of_const(const struct kft_part *p)
{
	return container_of(p, struct kft_tracefs_part, base);
}

/* Adds up the counters of all its buffers. */
int kft_tracefs_part_counts(const struct kft_tracefs_part *p,
			    struct kft_cpu_counts *ret) __must_check;

/* The functions of struct kft_detached_ops that other files have. */
int kft_tracefs_part_resolve(struct kft_part *p, const struct kft_plan *plan,
			     struct kft_err *e) __must_check;
int kft_tracefs_part_set_up(struct kft_part *p, const struct kft_plan *plan,
			    struct kft_err *e) __must_check;
int kft_tracefs_part_enable(struct kft_part *p, const struct kft_plan *plan,
			    struct kft_err *e) __must_check;
int kft_tracefs_part_drain_begin(struct kft_part *p, const struct kft_part_drain *how,
				 struct kft_err *e) __must_check;
int kft_tracefs_part_drain_move(struct kft_part *p, struct kft_progress *ret,
				struct kft_err *e) __must_check;
int kft_tracefs_part_drain_end(struct kft_part *p, struct kft_err *e) __must_check;
void kft_tracefs_part_drain_close(struct kft_part *p);

extern const struct kft_detached_ops kft_tracefs_detached;
