/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_FOLLOW_H
#define KFT_FILE_CTF_FOLLOW_H

#include "file/ctf/reader.h"

/*
 * Who runs on a CPU, for streams of channels that have no switches of their own: those of
 * another channel tell it. One thread owns it, as the stream that it is for.
 */
struct kft_ctf_follow;

/*
 * For a stream of the lane, which is borrowed as the reader; *ret is NULL when nothing has
 * to be or can be followed. -ENOMEM.
 */
int kft_ctf_follow_create(const struct kft_ctf_reader *c, const struct kft_ctf_lane *lane,
			  struct kft_ctf_follow **ret) __must_check;
struct kft_ctf_follow *kft_ctf_follow_destroy(struct kft_ctf_follow *f);

/* Reading goes on at or after a time; 0: the start. -ENOMEM. */
int kft_ctf_follow_rewind(struct kft_ctf_follow *f, uint64_t since) __must_check;

/* The task that runs at a time, which is not before that of the last call; -1: not known. */
int32_t kft_ctf_follow_pid(struct kft_ctf_follow *f, uint64_t ts);

#endif
