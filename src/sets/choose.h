/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SETS_CHOOSE_H
#define KFT_SETS_CHOOSE_H

#include "capture/notify.h"
#include "sets/resolve.h"

#define KFT_SETS_USERS_DIR "/etc/kft/sets.d"

/* Sets by how users name them: "NAME", "FILE:NAME", or "FILE:" for all of a file. */
typedef KFT_VEC(const struct kft_set *) kft_chosen_sets;

/*
 * Appends the sets of each of n texts, which are words with commas in between; files are
 * added to the sets. *ret is borrowed from the sets, until one is added. -ENOENT with the
 * nearest names.
 */
int kft_sets_choose(struct kft_sets *sets, const char *const *texts, size_t n,
		    kft_chosen_sets *ret, struct kft_err *e) __must_check;

/* Adds to a plan what such sets are on the host's kernel. notify is told what is not there. */
int kft_plan_add_sets(struct kft_plan *p, struct kft_host *host, const char *const *texts,
		      size_t n, const struct kft_notify *notify,
		      struct kft_err *e) __must_check;

#endif
