// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes trace.dat files. */
#include "file/tracedat/write/write.h"

#include <errno.h>

#include "base/err.h"
#include "file/tracedat/format.h"
#include "file/tracedat/write/file.h"
#include "file/tracedat/write/meta.h"

static int check_sources(const struct kft_tracedat_buffer *b, uint32_t cpu_count,
			 struct kft_err *e)
{
	for (size_t i = 0; i < b->n_sources; i++) {
		const struct kft_page_source *s = &b->sources[i];

		if (s->fd >= 0 &&
		    (s->bytes % b->page_size || s->tail_bytes % b->page_size))
			return kft_err_set(e, -EINVAL, "CPU %u has a part of a page",
					   s->cpu);
		if (s->cpu >= cpu_count || (i > 0 && s->cpu <= s[-1].cpu))
			return kft_err_set(e, -EINVAL, "CPU %u is not of this trace",
					   s->cpu);
	}
	return 0;
}

static int check_buffers(const struct kft_meta *meta,
			 const struct kft_tracedat_buffer *buffers, size_t n_buffers,
			 unsigned int file_version, struct kft_err *e)
{
	int r = kft_tracedat_check_meta(meta, e);

	if (r < 0)
		return r;
	if (n_buffers == 0 || n_buffers > KFT_TRACEDAT_MAX_BUFFERS)
		return kft_err_set(e, -EINVAL, "%zu buffers", n_buffers);
	/* Readers use the page size in the file's header for the main buffer. */
	if (buffers[0].name[0] || buffers[0].page_size != meta->page_size)
		return kft_err_set(e, -EINVAL, "the first buffer is not the main one");
	for (size_t i = 0; i < n_buffers; i++) {
		if (!kft_page_size_is_valid(buffers[i].page_size))
			return kft_err_set(e, -EINVAL,
					   "%u bytes in a page of buffer '%s'",
					   buffers[i].page_size, buffers[i].name);
		if (file_version == 6 && buffers[i].page_size != meta->page_size)
			return kft_err_set(e, -EINVAL,
					   "trace.dat version 6 has one page size only, "
					   "buffer '%s' has another",
					   buffers[i].name);
		r = check_sources(&buffers[i], meta->cpu_count, e);
		if (r < 0)
			return r;
	}
	return 0;
}

static uint64_t sum_bytes(const struct kft_tracedat_buffer *buffers, size_t n_buffers)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n_buffers; i++)
		for (size_t k = 0; k < buffers[i].n_sources; k++)
			sum += buffers[i].sources[k].bytes +
			       buffers[i].sources[k].tail_bytes;
	return sum;
}

static uint32_t max_page_size(const struct kft_tracedat_buffer *buffers, size_t n_buffers)
{
	uint32_t max = 0;

	for (size_t i = 0; i < n_buffers; i++)
		max = KFT_MAX(max, buffers[i].page_size);
	return max;
}

static size_t count_sources(const struct kft_tracedat_buffer *buffers, size_t n_buffers)
{
	size_t n = 0;

	for (size_t i = 0; i < n_buffers; i++)
		n += buffers[i].n_sources;
	return n;
}

int kft_tracedat_write(int fd, const struct kft_meta *meta,
		       const struct kft_tracedat_buffer *buffers, size_t n_buffers,
		       const struct kft_tracedat_opts *opts, struct kft_err *e)
{
	_cleanup_(kft_dat_finish) struct kft_dat_file f = {};
	int r = kft_tracedat_check_opts(opts, e);

	if (r == 0)
		r = check_buffers(meta, buffers, n_buffers, opts->file_version, e);
	if (r == 0)
		r = kft_dat_init(&f, fd, meta, opts, count_sources(buffers, n_buffers),
				 max_page_size(buffers, n_buffers), e);
	if (r < 0)
		return r;
	f.total_bytes = sum_bytes(buffers, n_buffers);
	return opts->file_version == 6 ? kft_dat_write_v6(&f, buffers, n_buffers)
				       : kft_dat_write_v7(&f, buffers, n_buffers);
}

int kft_tracedat_write_live(int fd, const struct kft_meta *meta,
			    enum kft_tracedat_compress compress, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {.compress = compress};
	_cleanup_(kft_dat_finish) struct kft_dat_file f = {};
	int r = kft_tracedat_check_meta(meta, e);

	if (r == 0)
		r = kft_dat_init(&f, fd, meta, &opts, 0, 0, e);
	return r < 0 ? r : kft_dat_write_v7_live(&f);
}
