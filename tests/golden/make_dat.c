// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes small traces in every form that kft has to a directory:
 *
 *	make_dat DIR
 *
 * v7.dat v7z.dat v6.dat: two CPUs and a second instance; empty.dat: no event at all;
 * live.dat: recorded, killed in the middle of a page, and put together.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/parts_finish.h"
#include "sample.h"

static const char *dir;

static void fail(const struct kft_err *e)
{
	(void)fprintf(stderr, "make_dat: %s\n", e->msg);
	exit(1);
}

static const char *path_of(const char *name)
{
	static char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int pages(uint32_t first, uint32_t n_events)
{
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd = sample_file();

	for (uint32_t i = 0; i < 2; i++) {
		sample_page(page, first + i * n_events, n_events);
		if (kft_write_all(fd, page, sizeof(page)) < 0)
			abort();
	}
	return fd;
}

static void write_file(const char *name, const struct kft_meta *meta, size_t n_sources,
		       const struct kft_tracedat_opts *opts)
{
	struct kft_err e = {};
	const struct kft_page_source sources[] = {
		{.cpu = 0, .fd = pages(0, 5), .bytes = 2 * SAMPLE_PAGE_BYTES},
		{.cpu = 1, .fd = pages(3, 6), .bytes = 2 * SAMPLE_PAGE_BYTES},
	};
	const struct kft_page_source other[] = {
		{.cpu = 1, .fd = pages(100, 1), .bytes = 2 * SAMPLE_PAGE_BYTES},
	};
	const struct kft_tracedat_buffer buffers[] = {
		{.name = "",
		 .clock = "mono",
		 .page_size = SAMPLE_PAGE_BYTES,
		 .sources = sources,
		 .n_sources = n_sources},
		{.name = "other",
		 .clock = "mono",
		 .page_size = SAMPLE_PAGE_BYTES,
		 .sources = other,
		 .n_sources = 1},
	};
	int fd = open(path_of(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 ||
	    kft_tracedat_write(fd, meta, buffers, n_sources ? 2 : 1, opts, &e) < 0)
		fail(&e);
	(void)close(fd);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		(void)close(sources[i].fd);
	(void)close(other[0].fd);
}

static void write_live(const struct kft_meta *meta)
{
	static const struct kft_tracedat_opts opts = {};
	struct kft_parts parts;
	struct kft_sink *s;
	struct kft_err e = {};
	uint8_t page[SAMPLE_PAGE_BYTES];
	int fd;

	if (kft_tracedat_sink_create(path_of("live.dat"), &opts, &s, &e) < 0 ||
	    s->ops->begin(s, meta, &e) < 0 || s->ops->cpu_fd(s, 1, &fd, &e) < 0)
		fail(&e);
	sample_page(page, 10, 4);
	if (kft_write_all(fd, page, sizeof(page)) < 0)
		abort();
	sample_page(page, 14, SAMPLE_EVENTS_IN_PAGE);
	/* Three events and a half. */
	if (kft_write_all(fd, page, SAMPLE_PAGE_HEADER + 3 * SAMPLE_EVENT_BYTES + 8) < 0)
		abort();
	s->ops->destroy(s);
	if (kft_parts_init(&parts, path_of("live.dat"), &e) < 0 ||
	    kft_parts_adopt(&parts, &e) < 0 ||
	    kft_parts_merge(&parts, meta, &opts, &e) < 0)
		fail(&e);
	kft_parts_finish(&parts);
}

int main(int argc, char **argv)
{
	const struct kft_tracedat_opts plain = {};
	const struct kft_tracedat_opts packed = {.compress = KFT_TRACEDAT_ZSTD};
	const struct kft_tracedat_opts old = {.file_version = 6};
	struct kft_meta meta = {};

	if (argc != 2) {
		(void)fprintf(stderr, "usage: make_dat DIR\n");
		return 2;
	}
	dir = argv[1];
	sample_meta(&meta);
	write_file("v7.dat", &meta, 2, &plain);
	if (HAVE_ZSTD)
		write_file("v7z.dat", &meta, 2, &packed);
	write_file("v6.dat", &meta, 2, &old);
	write_file("empty.dat", &meta, 0, &plain);
	write_live(&meta);
	kft_meta_finish(&meta);
	return 0;
}
