/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kinds of intervals that a user defines: from one event to another. */
#pragma once

#include "derive/engine/engine.h"

/*
 *	NAME: EVENT[/FILTER/] -> EVENT[/FILTER/] [by FIELD[,FIELD]...]
 *
 * An EVENT is "system:event" or "event". An interval ends with the next event on the right
 * in which all FIELDs are equal to those of the event that began it. task and cpu are fields
 * of every event, and FIELD=OTHER compares a field on the left with another one on the right.
 * An interval that begins again before it has ended is a new one. The key is the first FIELD
 * that is not task or cpu.
 */
#define KFT_USER_PAIRS_MAX 64

/*
 * *ret owns all its data; the caller destroys it with kft_user_pair_destroy(). -EINVAL
 * with the reason in e, -ENOMEM.
 */
int kft_user_pair_parse(const char *text, struct kft_interval_kind **ret,
			struct kft_err *e) __must_check;
struct kft_interval_kind *kft_user_pair_destroy(struct kft_interval_kind *kind);
KFT_DEFINE_CLEANUP(struct kft_interval_kind *, kft_user_pair_destroy)

/* key_name of user-defined kinds that have a key. */
void kft_key_of_user(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb);
