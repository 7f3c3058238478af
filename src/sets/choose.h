/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/notify.h"
#include "sets/resolve.h"

#define KFT_SETS_USERS_DIR "/etc/kft/sets.d"

/* Sets by users' names: "NAME", "FILE:NAME", or "FILE:" for all sets of a file. */
typedef KFT_VEC(const struct kft_set *) kft_chosen_sets;

/*
 * Appends the sets of n texts, which are names separated by commas; files are added
 * to the sets. *ret is borrowed from the sets until another set is added. -ENOENT
 * with the most similar names.
 */
int kft_sets_choose(struct kft_sets *sets, const char *const *texts, size_t n,
		    kft_chosen_sets *ret, struct kft_err *e) __must_check;

/*
 * Adds the points of such sets on the host's kernel to a plan. Calls notify for
 * points that the kernel lacks.
 */
int kft_plan_add_sets(struct kft_plan *p, struct kft_host *host, const char *const *texts,
		      size_t n, const struct kft_notify *notify,
		      struct kft_err *e) __must_check;
