/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_VIEW_CHUNKS_H
#define KFT_VIEW_CHUNKS_H

#include <kft/error.h>

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * Compressed pieces of a page, kept in a temporary file until it is known what the page
 * begins with.
 */
struct kft_view_chunk {
	uint64_t offset; /* in the file */
	uint32_t bytes; /* compressed */
	uint32_t items;
	uint8_t level;
	bool is_left_out; /* of the page, because it would be too large */
	uint64_t begin_ns;
	uint64_t end_ns;
};

struct kft_view_chunks {
	int fd; /* owned */
	uint64_t bytes;
	KFT_VEC(struct kft_view_chunk) list;
};

int kft_view_chunks_init(struct kft_view_chunks *c, struct kft_err *e) __must_check;
void kft_view_chunks_finish(struct kft_view_chunks *c);

/* Compresses raw and adds it as c->list's next one. -ENOMEM, or what writing fails with. */
int kft_view_chunks_add(struct kft_view_chunks *c, const struct kft_view_chunk *about,
			const struct kft_strbuf *raw) __must_check;

/* The compressed bytes of a chunk, appended. */
int kft_view_chunks_read(const struct kft_view_chunks *c, size_t i,
			 struct kft_strbuf *ret) __must_check;

/* Appends what raw is when compressed (deflate without a header). -ENOMEM. */
int kft_view_deflate(const struct kft_strbuf *raw, struct kft_strbuf *ret) __must_check;

#endif
