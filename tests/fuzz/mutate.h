/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FUZZ_MUTATE_H
#define KFT_TESTS_FUZZ_MUTATE_H

#include "base/strbuf.h"
#include "base/vec.h"

/* Inputs as they are in a corpus. */
struct fuzz_corpus {
	KFT_VEC(struct kft_strbuf) files; /* owned */
};

/*
 * Input number n of those that are derived from a corpus, which has at least one file: the
 * same whenever and wherever it is made. What ret has is replaced.
 */
void fuzz_mutate(const struct fuzz_corpus *corpus, uint64_t n, struct kft_strbuf *ret);

#endif
