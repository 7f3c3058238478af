/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_BLOCKS_H
#define KFT_FILE_PERF_BLOCKS_H

#include "base/vec.h"

/*
 * Where the records of one CPU are. perf writes what it finds in one ring buffer after
 * the other, so that a CPU's records stand in stretches of the file; a block is such a
 * stretch or a part of it, or several with little of other CPUs between them.
 *
 * Blocks are in the order of the file. Those whose times overlap form a group, which is
 * to be sorted as a whole; a group of one block that is in order can be read as it is.
 * Groups follow each other in time.
 */
struct kft_perf_block {
	uint64_t offset; /* of its first record */
	uint32_t bytes;
	bool unsorted; /* times in it go back */
	bool joined; /* of the same group as the one before */
	uint64_t max; /* the latest time up to its end, of blocks before it too */
	uint64_t min; /* the earliest in it */
};

struct kft_perf_blocks {
	KFT_VEC(struct kft_perf_block) list;
	KFT_VEC(uint32_t) groups; /* where each begins */
};

/* A block is no longer than that unless blocks had to be thinned out. */
#define KFT_PERF_BLOCK_BYTES ((uint32_t)64 * 1024)
#define KFT_PERF_SPAN_BYTES  ((uint32_t)1024 * 1024)
/* Records of other CPUs that are read over: to copy them takes no longer than a read. */
#define KFT_PERF_GAP_BYTES ((uint32_t)4 * 1024)

void kft_perf_blocks_finish(struct kft_perf_blocks *bs);

/*
 * Adds the record at offset, behind all that were added before; contiguous says that
 * between it and the last one there is little of other CPUs. -ENOMEM.
 */
int kft_perf_blocks_add(struct kft_perf_blocks *bs, uint64_t offset, uint32_t bytes,
			bool contiguous, uint64_t ts) __must_check;

/* Adds all of later, which stands behind. -ENOMEM. */
int kft_perf_blocks_append(struct kft_perf_blocks *bs,
			   const struct kft_perf_blocks *later) __must_check;

/*
 * Makes one block of neighbours that span at most span bytes together, what stands
 * between them included: fewer blocks, more to read.
 */
void kft_perf_blocks_thin(struct kft_perf_blocks *bs, uint32_t span);

/* The index behind the last block of the group that begins at block first. */
size_t kft_perf_blocks_group_end(const struct kft_perf_blocks *bs, size_t first);

/* The first group (an index into groups) with anything at or after since. */
size_t kft_perf_blocks_find(const struct kft_perf_blocks *bs, uint64_t since);

#endif
