/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/arena.h"
#include "base/vec.h"
#include "file/tracedat/read/page_source.h"
#include "model/meta.h"

/*
 * The ring-buffer pages in the parts of a recording (see format.h), as sources for a
 * writer: whole pages unchanged, a truncated last one repaired. Sizes are taken when the
 * parts are loaded; pages that are written later are ignored.
 */
struct kft_part_pages {
	/* Sorted by CPU; owned, with their fds. */
	KFT_VEC(struct kft_page_source) sources;
	struct kft_arena tails; /* repaired pages */
};

/*
 * Loads the pages of one buffer from an open FILE.parts
 * directory; only regular files are accepted. meta has the page size, the maximum of CPUs
 * and the layout of pages. A CPU without a file or with an empty one has no source.
 */
int kft_part_pages_load(struct kft_part_pages *pp, int parts_fd, const char *buffer,
			const struct kft_meta *meta, struct kft_err *e) __must_check;
void kft_part_pages_finish(struct kft_part_pages *pp);
