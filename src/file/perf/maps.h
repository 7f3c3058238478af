/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <pthread.h>

#include "decode/user_files.h"
#include "model/address_spaces.h"

/*
 * The files that tasks had mapped: MMAP, MMAP2, FORK, COMM and BUILD_ID records. The scan
 * only remembers where these records are; they are read when the first address is shown.
 */
struct kft_perf_maps {
	/* Offsets of the records, from the start of all records, in the order of the file. */
	struct kft_u64_vec records;
	uint64_t build_ids; /* file offset and bytes of the section of BUILD_ID records */
	uint64_t build_ids_bytes;

	pthread_mutex_t lock; /* protects all below */
	bool is_loaded;
	struct kft_address_spaces spaces;
	struct kft_user_files files;
	struct kft_intern paths;
	KFT_VEC(struct kft_user_file_id) ids; /* with a build-id, by number of the path */
};

void kft_perf_maps_init(struct kft_perf_maps *m);
void kft_perf_maps_finish(struct kft_perf_maps *m);

/* Whether records of this type are remembered. */
bool kft_perf_maps_wants(uint32_t type);

/* Remembers the record at an offset, up to KFT_PERF_MAX_MAP_RECORDS of them. -ENOMEM. */
int kft_perf_maps_note(struct kft_u64_vec *records, uint64_t offset) __must_check;
