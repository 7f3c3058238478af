/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_CORPUS_H
#define KFT_TESTS_CORPUS_H

#include "base/arena.h"
#include "base/vec.h"
#include "model/trace.h"

/*
 * The format texts of real kernels: tests/data/formats/corpus.zst, "=== BITS SYSTEM" and
 * the text, again and again. Each text gets an id of its own among those of its size.
 */
struct corpus_text {
	uint32_t long_size; /* 4 or 8 */
	uint16_t id;
	const char *system;
	const char *text;
	size_t len;
};

struct corpus {
	struct kft_arena arena;
	KFT_VEC(struct corpus_text) texts;
};

/* 0, or the exit status of a test that cannot run: 77, 1; it has said why. */
int corpus_load(struct corpus *c, const char *path);
void corpus_finish(struct corpus *c);

/* A trace of all classes with this size of long; exits when out of memory. */
struct kft_trace *corpus_trace(const struct corpus *c, uint32_t long_size);

#endif
