/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/ctf/reader.h"

/*
 * The running task of a CPU, for streams of channels without sched_switch: taken from the
 * channel that has it. One thread owns it together with its stream.
 */
struct kft_ctf_follow;

/*
 * For a stream of the lane; lane and reader are borrowed. *ret is NULL when the lane has
 * pids of its own or no channel has the switches. -ENOMEM.
 */
int kft_ctf_follow_create(const struct kft_ctf_reader *c, const struct kft_ctf_lane *lane,
			  struct kft_ctf_follow **ret) __must_check;
struct kft_ctf_follow *kft_ctf_follow_destroy(struct kft_ctf_follow *f);

/* Continues at or after a time; 0: at the start. -ENOMEM. */
int kft_ctf_follow_rewind(struct kft_ctf_follow *f, uint64_t since) __must_check;

/*
 * The task that runs at a time, which must not be before that of
 * the last call; -1: unknown.
 */
int32_t kft_ctf_follow_pid(struct kft_ctf_follow *f, uint64_t ts);
