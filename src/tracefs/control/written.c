// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the events of the pages that were written. */
#include "tracefs/control/written.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/io.h"

#define CHUNK_BYTES (64U << 10)

static size_t chunk_bytes(const struct kft_written *w)
{
	return KFT_MAX(CHUNK_BYTES / w->page_size, (size_t)1) * w->page_size;
}

int kft_written_open(struct kft_written *w, int fd, const struct kft_ring_layout *layout,
		     size_t page_size)
{
	off_t pos = lseek(fd, 0, SEEK_CUR);

	*w = (struct kft_written){
		.fd = fd,
		.pos = pos < 0 ? 0 : pos,
		.layout = *layout,
		.page_size = page_size,
	};
	/* A pipe, for example, cannot be read back. */
	if (pos < 0)
		return 0;
	w->buf = malloc(chunk_bytes(w));
	return w->buf ? 0 : -ENOMEM;
}

void kft_written_finish(struct kft_written *w)
{
	free(w->buf);
	*w = (struct kft_written){.fd = -1};
}

static uint64_t count_page(struct kft_written *w, const uint8_t *bytes)
{
	struct kft_ring_page page;
	const uint8_t *data;
	uint32_t size;
	uint64_t n = 0;

	if (kft_ring_page_open(&w->layout, bytes, w->page_size, &page) < 0)
		return 0;
	while (kft_ring_next(&page, KFT_HOST_BIG_ENDIAN, &data, &size) > 0)
		n++;
	if (n)
		w->last_ts = page.ts;
	return n;
}

void kft_written_resume(struct kft_written *w, uint64_t pos)
{
	if (!w->buf)
		return;
	w->pos = KFT_MIN(w->pos, pos);
	/* The page before pos is read for the time of its last event. */
	if (w->pos >= w->page_size &&
	    kft_pread_all(w->fd, w->buf, w->page_size, w->pos - w->page_size) == 0)
		(void)count_page(w, w->buf);
}

int kft_written_count(struct kft_written *w, uint64_t *ret)
{
	if (!w->buf)
		return -ENODATA;
	for (;;) {
		ssize_t n = pread(w->fd, w->buf, chunk_bytes(w), (off_t)w->pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -ENODATA;
		size_t whole = (size_t)n / w->page_size * w->page_size;
		if (!whole)
			break;
		for (size_t at = 0; at < whole; at += w->page_size)
			w->events += count_page(w, w->buf + at);
		w->pos += whole;
	}
	*ret = w->events;
	return 0;
}
