// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the loss records of a trace.dat file. */
#include "file/tracedat/read/lost.h"

#include <errno.h>

#include "file/tracedat/format.h"

static bool get_record(struct kft_cursor *c, struct kft_lost_range *ret)
{
	uint32_t reserved;

	return kft_cursor_u32(c, &ret->cpu) && kft_cursor_u32(c, &reserved) &&
	       kft_cursor_u64(c, &ret->since) && kft_cursor_u64(c, &ret->until) &&
	       kft_cursor_u64(c, &ret->count);
}

int kft_dat_read_lost(struct kft_meta *m, struct kft_cursor *c)
{
	c->swap = KFT_HOST_BIG_ENDIAN; /* records are little endian */
	while (kft_cursor_left(c) >= KFT_LOST_RECORD_BYTES) {
		struct kft_lost_range r;

		if (m->lost.len == KFT_TRACEDAT_MAX_LOST_RECORDS || !get_record(c, &r) ||
		    r.cpu >= KFT_TRACEDAT_MAX_CPUS || r.since > r.until)
			return -EBADMSG;
		if (!kft_vec_push(&m->lost, r))
			return -ENOMEM;
	}
	return 0;
}
