/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_PAGES_H
#define KFT_FILE_TRACEDAT_STREAM_PAGES_H

#include <stdatomic.h>

#include "decode/ring.h"
#include "file/tracedat/stream.h"
#include "file/tracedat/write_encode.h"
#include "model/meta.h"

/* A block of docs/formats/stream.md. */
void kft_stream_add_block(struct kft_strbuf *sb, enum kft_stream_kind kind, uint32_t cpu,
			  const void *data, size_t len);

/* Reads the kernel's pages and makes blocks of them; counts what it has read. */
struct kft_stream_pages {
	struct kft_ring_layout layout;
	size_t page_size;
	uint8_t *page; /* owned */
	uint32_t cpu_count;
	uint64_t *events; /* owned; of each CPU */
	_Atomic uint64_t bytes; /* relaxed: a number for a display, and nothing else */
};

/* Of a machine. -ENOMEM; to be finished in any case. */
int kft_stream_pages_init(struct kft_stream_pages *p,
			  const struct kft_meta *meta) __must_check;
void kft_stream_pages_finish(struct kft_stream_pages *p);

/*
 * Pages of a CPU, each as far as it is written, until there are no more or sb has max_bytes:
 * how many, or -errno.
 */
int kft_stream_pages_take(struct kft_stream_pages *p, uint32_t cpu, int raw_fd,
			  size_t max_bytes, struct kft_strbuf *sb) __must_check;

#endif
