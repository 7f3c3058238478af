/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/vec.h"

/*
 * The file offsets of one CPU's records. perf drains one ring buffer after the other, so
 * that a CPU's records stand in stretches of the file; a block is such a stretch or a
 * part of it, or several stretches with few records of other CPUs between them.
 *
 * Blocks are in the order of the file. Blocks with overlapping times form a group, which
 * is sorted as a whole; a group of one block that is in order can be read as it is.
 * Groups follow each other in time.
 */
struct kft_perf_block {
	uint64_t offset; /* of its first record, from the start of the records */
	uint32_t bytes;
	bool unsorted; /* times in it go back */
	bool joined; /* in the same group as the block before */
	uint64_t max; /* ns; the latest time in it and in all blocks before it */
	uint64_t min; /* ns; the earliest time in it */
};

struct kft_perf_blocks {
	KFT_VEC(struct kft_perf_block) list;
	KFT_VEC(uint32_t) groups; /* index of the first block of each group */
};

/* Maximum of a block's bytes and of a thinned block's bytes. */
#define KFT_PERF_BLOCK_BYTES ((uint32_t)64 * 1024)
#define KFT_PERF_SPAN_BYTES  ((uint32_t)1024 * 1024)
/*
 * A CPU's block may span a gap of this length: copying the gap takes no
 * longer than a second read.
 */
#define KFT_PERF_GAP_BYTES ((uint32_t)4 * 1024)

void kft_perf_blocks_finish(struct kft_perf_blocks *bs);

/*
 * Adds the record at offset, which is larger than that of all records before. contiguous:
 * the gap after the last added record is short enough for one block. -ENOMEM.
 */
int kft_perf_blocks_add(struct kft_perf_blocks *bs, uint64_t offset, uint32_t bytes,
			bool contiguous, uint64_t ts) __must_check;

/* Adds all blocks of later, which follow those of bs in the file. -ENOMEM. */
int kft_perf_blocks_append(struct kft_perf_blocks *bs,
			   const struct kft_perf_blocks *later) __must_check;

/*
 * Merges neighbours that span at most span bytes together, gaps included. The result has
 * fewer blocks, and readers skip more records of other CPUs.
 */
void kft_perf_blocks_thin(struct kft_perf_blocks *bs, uint32_t span);

/* The index after the last block of the group that begins at block first. */
size_t kft_perf_blocks_group_end(const struct kft_perf_blocks *bs, size_t first);

/* The first group (an index into groups) with an event at or after since. */
size_t kft_perf_blocks_find(const struct kft_perf_blocks *bs, uint64_t since);
