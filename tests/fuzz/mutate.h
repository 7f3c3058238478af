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
 * Makes the n-th input that is derived from a corpus of at least one file. The result depends
 * only on the corpus and n. It replaces the content of ret.
 */
void fuzz_mutate(const struct fuzz_corpus *corpus, uint64_t n, struct kft_strbuf *ret);

#endif
