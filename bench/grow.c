// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a large trace of a recorded one, with kft's reader and writer:
 *
 *	grow SEED OUT TIMES CPUS [zstd]
 *
 * The main buffer's events TIMES times one after the other, each time later by the seed's
 * length. With CPUS above 0 all its CPUs' events are dealt by runs of RUN_EVENTS over so
 * many; times in a run stay as they are, so that each CPU's events are still in order.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/units.h"
#include "file/registry.h"
#include "file/tracedat/write/write.h"
#include "model/merge.h"
#include "model/page_build.h"

#define RUN_EVENTS 80 /* about a page */
#define CPUS_MAX   512

/* The pages of a CPU of the new trace, in a nameless file beside it. */
struct out_cpu {
	struct kft_page_builder pages;
	FILE *file; /* owned */
	uint64_t bytes;
};

struct grow {
	struct kft_trace *trace; /* owned */
	struct out_cpu cpus[CPUS_MAX];
	uint32_t n_cpus;
	bool deal;
	uint64_t count; /* events so far */
};

static _Noreturn void fail(const char *what, const struct kft_err *e, int r)
{
	(void)fprintf(stderr, "grow: %s: %s\n", what,
		      e && e->code ? e->msg : strerror(-r));
	exit(1);
}

static int flush(void *arg, const void *page, size_t size)
{
	struct out_cpu *c = arg;

	c->bytes += size;
	return fwrite(page, size, 1, c->file) == 1 ? 0 : -EIO;
}

static void open_cpus(struct grow *g)
{
	const struct kft_meta *m = &g->trace->meta;

	for (uint32_t i = 0; i < g->n_cpus; i++) {
		struct out_cpu *c = &g->cpus[i];
		int r = kft_page_builder_init(&c->pages, m->page_size, m->big_endian,
					      m->long_size);

		c->file = tmpfile();
		if (r < 0 || !c->file)
			fail("cannot make a temporary file", NULL, r < 0 ? r : -errno);
		c->pages.flush = flush;
		c->pages.arg = c;
	}
}

static void add_event(struct grow *g, const struct kft_event *ev, uint64_t later)
{
	uint64_t run = g->count++ / RUN_EVENTS;
	uint32_t cpu = g->deal ? run % g->n_cpus : ev->cpu;
	uint64_t lost = g->deal ? 0 : ev->lost_before;
	int r = -ERANGE;

	if (cpu < g->n_cpus)
		r = kft_page_builder_add(&g->cpus[cpu].pages, ev->ts + later, ev->data,
					 ev->size, lost);
	if (r < 0)
		fail("cannot add an event", NULL, r);
}

/* One pass over the seed; returns its last time stamp. */
static uint64_t add_all(struct grow *g, uint64_t later, uint64_t *ret_first)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t last = 0;
	bool any = false;

	int r = kft_merge_create(g->trace, NULL, &m);
	if (r < 0)
		fail("cannot read the seed", NULL, r);
	while ((r = kft_merge_next(m, &ev)) > 0) {
		if (ev->buffer != 0)
			continue;
		if (!any)
			*ret_first = ev->ts;
		any = true;
		last = ev->ts;
		add_event(g, ev, later);
	}
	if (!any || r < 0)
		fail("the seed has no events that can be read", NULL, r);
	return last;
}

static void write_out(struct grow *g, const char *path,
		      enum kft_tracedat_compress compress)
{
	static struct kft_page_source sources[CPUS_MAX];
	struct kft_meta *m = &g->trace->meta;
	struct kft_err e = {};
	size_t n = 0;

	for (uint32_t i = 0; i < g->n_cpus; i++) {
		struct out_cpu *c = &g->cpus[i];

		int r = kft_page_builder_end(&c->pages);
		if (r < 0 || fflush(c->file) != 0)
			fail("cannot write pages", NULL, r < 0 ? r : -errno);
		if (c->bytes)
			sources[n++] = (struct kft_page_source){
				.cpu = i, .bytes = c->bytes, .fd = fileno(c->file)};
	}
	const struct kft_tracedat_buffer buffer = {
		.name = "",
		.clock = g->trace->buffers.data[0].clock.name,
		.page_size = m->page_size,
		.sources = sources,
		.n_sources = n,
	};
	const struct kft_tracedat_opts opts = {.compress = compress};
	_cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	/* The seed has the counts of its own CPUs. Recorded traces have counts of all their CPUs. */
	m->stats.len = 0;
	for (uint32_t i = 0; i < g->n_cpus; i++)
		if (!kft_vec_push(&m->stats,
				  ((struct kft_cpu_stat){.cpu = i,
							 .text = {"overrun: 0\n", 11}})))
			fail("statistics", NULL, -ENOMEM);
	m->lost.len = 0;
	/* Times are read as these change them. */
	m->kept_options.len = 0;
	m->cpu_count = g->n_cpus;
	(void)kft_trace_kallsyms(g->trace);
	int r = fd < 0 ? -errno : kft_tracedat_write(fd, m, &buffer, 1, &opts, &e);
	if (r < 0)
		fail(path, &e, r);
}

static void finish(struct grow *g)
{
	for (uint32_t i = 0; i < g->n_cpus; i++) {
		kft_page_builder_finish(&g->cpus[i].pages);
		(void)fclose(g->cpus[i].file);
	}
	g->trace = kft_trace_destroy(g->trace);
}

int main(int argc, char **argv)
{
	static struct grow g;
	struct kft_err e = {};
	uint64_t times;
	uint64_t cpus;

	bool zstd = argc == 6 && strcmp(argv[5], "zstd") == 0;
	if ((argc != 5 && !zstd) || kft_parse_u64(argv[3], &times) < 0 ||
	    kft_parse_u64(argv[4], &cpus) < 0 || cpus > CPUS_MAX) {
		(void)fprintf(stderr, "usage: grow SEED OUT TIMES CPUS [zstd]\n");
		return 2;
	}
	int r = kft_file_open(argv[1], &g.trace, &e);
	if (r < 0)
		fail(argv[1], &e, r);
	if (!g.trace->buffers.len || g.trace->meta.cpu_count > CPUS_MAX)
		fail(argv[1], NULL, -EINVAL);
	g.deal = cpus > 0;
	g.n_cpus = g.deal ? cpus : g.trace->meta.cpu_count;
	open_cpus(&g);
	uint64_t later = 0;
	for (uint64_t i = 0; i < times; i++) {
		uint64_t first = 0;
		uint64_t last = add_all(&g, later, &first);

		later += last - first + 1000;
	}
	write_out(&g, argv[2], zstd ? KFT_TRACEDAT_ZSTD : KFT_TRACEDAT_PLAIN);
	finish(&g);
	return 0;
}
