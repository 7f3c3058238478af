// SPDX-License-Identifier: LGPL-2.1-or-later
/* Notes the records about mappings of tasks. */
#include "file/perf/maps.h"

#include <errno.h>

#include "file/perf/format.h"

void kft_perf_maps_init(struct kft_perf_maps *m)
{
	(void)pthread_mutex_init(&m->lock, NULL);
}

void kft_perf_maps_finish(struct kft_perf_maps *m)
{
	kft_vec_finish(&m->records);
	kft_address_spaces_finish(&m->spaces);
	kft_user_files_finish(&m->files);
	kft_intern_finish(&m->paths);
	kft_vec_finish(&m->ids);
	(void)pthread_mutex_destroy(&m->lock);
}

bool kft_perf_maps_wants(uint32_t type)
{
	return type == KFT_PERF_RECORD_MMAP || type == KFT_PERF_RECORD_MMAP2 ||
	       type == KFT_PERF_RECORD_FORK || type == KFT_PERF_RECORD_COMM ||
	       type == KFT_PERF_RECORD_BUILD_ID;
}

int kft_perf_maps_note(struct kft_u64_vec *records, uint64_t offset)
{
	if (records->len == KFT_PERF_MAX_MAP_RECORDS)
		return 0;
	return kft_vec_push(records, offset) ? 0 : -ENOMEM;
}
