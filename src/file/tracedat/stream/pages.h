/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdatomic.h>

#include "decode/ring.h"
#include "file/tracedat/stream/stream.h"
#include "file/tracedat/write/encode.h"
#include "model/meta.h"

/* Appends a block, see docs/formats/stream.md. */
void kft_stream_add_block(struct kft_strbuf *sb, enum kft_stream_kind kind, uint32_t cpu,
			  const void *data, size_t len);

/* Reads the kernel's pages and makes blocks of them; counts events and bytes. */
struct kft_stream_pages {
	struct kft_ring_layout layout;
	size_t page_size;
	uint8_t *page; /* owned */
	uint32_t cpu_count;
	uint64_t *events; /* owned; number of events for each CPU */
	_Atomic uint64_t bytes; /* relaxed: only a display reads it */
};

/* For the machine that meta describes. -ENOMEM; must be finished in any case. */
int kft_stream_pages_init(struct kft_stream_pages *p,
			  const struct kft_meta *meta) __must_check;
void kft_stream_pages_finish(struct kft_stream_pages *p);

/*
 * Reads pages of a CPU, each without its unwritten end, until there are no more or sb has
 * max_bytes: their number, or -errno.
 */
int kft_stream_pages_take(struct kft_stream_pages *p, uint32_t cpu, int raw_fd,
			  size_t max_bytes, struct kft_strbuf *sb) __must_check;
