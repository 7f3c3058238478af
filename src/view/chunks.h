/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * Compressed chunks of a page, kept in a temporary file until the
 * start of the page is known.
 */
struct kft_view_chunk {
	uint64_t offset; /* in the file */
	uint32_t bytes; /* compressed */
	uint32_t items;
	uint8_t level;
	bool is_left_out; /* omitted, because the page would become too large */
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

/* Compresses raw and appends it to c->list. -ENOMEM, or the error of writing. */
int kft_view_chunks_add(struct kft_view_chunks *c, const struct kft_view_chunk *about,
			const struct kft_strbuf *raw) __must_check;

/* Appends the compressed bytes of a chunk. */
int kft_view_chunks_read(const struct kft_view_chunks *c, size_t i,
			 struct kft_strbuf *ret) __must_check;

/* Appends the compressed form of raw (deflate without a header). -ENOMEM. */
int kft_view_deflate(const struct kft_strbuf *raw, struct kft_strbuf *ret) __must_check;
