/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_PART_PAGES_H
#define KFT_FILE_TRACEDAT_PART_PAGES_H

#include <kft/error.h>

#include "base/arena.h"
#include "base/vec.h"
#include "file/tracedat/page_source.h"
#include "model/meta.h"

/*
 * The ring-buffer pages in the parts of a recording (see format.h), as sources for a
 * writer: whole pages as they are, a torn last one mended. Sizes are those of the moment
 * of loading: parts that still grow give what was there.
 */
struct kft_part_pages {
	KFT_VEC(struct kft_page_source) sources; /* their fds are owned; by CPU */
	struct kft_arena tails; /* mended pages */
};

/*
 * Those of one buffer (kft_parts_buffers) from an open FILE.parts directory; files that are
 * no regular files are refused. The
 * meta says how big pages are, how many CPUs there may be and what pages look like. A
 * CPU without a file or an empty one has no source.
 */
int kft_part_pages_load(struct kft_part_pages *pp, int parts_fd, size_t buffer,
			const struct kft_meta *meta, struct kft_err *e) __must_check;
void kft_part_pages_finish(struct kft_part_pages *pp);

#endif
