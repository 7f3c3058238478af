// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes stream blocks from the kernel's pages. */
#include "file/tracedat/stream/pages.h"

#include <errno.h>
#include <unistd.h>

void kft_stream_add_block(struct kft_strbuf *sb, enum kft_stream_kind kind, uint32_t cpu,
			  const void *data, size_t len)
{
	const bool swap = kft_host_is_big_endian();

	kft_encode_u32(sb, kind, swap);
	kft_encode_u32(sb, cpu, swap);
	kft_encode_u64(sb, len, swap);
	if (len)
		kft_strbuf_add(sb, data, len);
}

int kft_stream_pages_init(struct kft_stream_pages *p, const struct kft_meta *meta)
{
	const struct kft_blob *header = &meta->header_page;

	if (kft_ring_layout_parse(header->data, header->len, meta->big_endian,
				  &p->layout) < 0)
		p->layout = kft_ring_layout_default(meta->big_endian, meta->long_size);
	p->page_size = meta->page_size;
	p->cpu_count = meta->cpu_count;
	p->page = malloc(p->page_size);
	p->events = calloc(p->cpu_count, sizeof(*p->events));
	return p->page && p->events ? 0 : -ENOMEM;
}

void kft_stream_pages_finish(struct kft_stream_pages *p)
{
	free(p->page);
	free(p->events);
}

static uint64_t count_events(const struct kft_stream_pages *p, size_t len)
{
	struct kft_ring_page page;
	const uint8_t *data;
	uint32_t size;
	uint64_t n = 0;

	if (kft_ring_page_open(&p->layout, p->page, len, &page) < 0)
		return 0;
	while (kft_ring_next(&page, KFT_HOST_BIG_ENDIAN, &data, &size) > 0)
		n++;
	return n;
}

int kft_stream_pages_take(struct kft_stream_pages *p, uint32_t cpu, int raw_fd,
			  size_t max_bytes, struct kft_strbuf *sb)
{
	int n = 0;

	while (sb->len < max_bytes) {
		ssize_t len = read(raw_fd, p->page, p->page_size);

		if (len < 0 && errno == EINTR)
			continue;
		/* A CPU that was never online has no buffer. */
		if (len < 0 && errno != EAGAIN && errno != ENODEV)
			return -errno;
		if (len <= 0)
			break;
		p->events[cpu] += count_events(p, len);
		kft_stream_add_block(sb, KFT_STREAM_PAGE, cpu, p->page, len);
		atomic_fetch_add_explicit(&p->bytes, len, memory_order_relaxed);
		n++;
	}
	return n;
}
