/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/detached.h"
#include "capture/share.h"

/*
 * The parts of a detached session, used like one. Each function goes through them in the order
 * of the shares (capture/share.h), or in reverse where recording ends. The session's directory
 * lists their backends, for processes that do not have the plan.
 */

/* Opens the parts that the directory lists. Call kft_run_parts_close() after a failure, too. */
int kft_run_parts_open(struct kft_run *r, struct kft_err *e) __must_check;
void kft_run_parts_close(struct kft_run *r);

/* Opens the parts of these shares instead, if there are others, and lists them. */
int kft_run_parts_choose(struct kft_run *r, const struct kft_shares *shares,
			 struct kft_err *e) __must_check;

/* Opens their buffers; -ENOENT without a message when those of one are gone. */
int kft_run_parts_attach(struct kft_run *r, struct kft_err *e) __must_check;

/* Switches recording of all parts, or of all but the lead. */
int kft_run_parts_record(const struct kft_run *r, bool on) __must_check;
int kft_run_others_record(const struct kft_run *r, bool on) __must_check;

/* Restores the kernel. Goes on after a failure, and returns the first one. */
int kft_run_parts_undo(struct kft_run *r, struct kft_err *e) __must_check;
