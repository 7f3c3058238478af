// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the events in a damaged trace.dat file. */
#include "file/tracedat/read/version.h"

#include <errno.h>
#include <stdio.h>

#include "file/tracedat/read/buffer.h"

/*
 * trace-cmd writes the options with the offsets of each CPU's events after the events. A
 * truncated file lacks these options, but its sections still follow each other, and the
 * data of CPUs is in the order of CPUs: the next CPU begins where time goes back
 * (uncompressed pages), or after the announced number of chunks (compressed).
 */

static uint64_t align_up(uint64_t v, uint32_t to)
{
	return (v + to - 1) / to * to;
}

/* The section at *pos, which moves to the next one; false after the last. */
static bool next_section(const struct kft_dat_reader *d, uint64_t *pos,
			 struct kft_dat_section *ret)
{
	if (!kft_dat_read_section(d, *pos, ret) || ret->id > KFT_OPTION_MODULES_FILE)
		return false;
	/*
	 * The length of events is filled in after they are written: 0 stands
	 * for the rest of the file.
	 */
	uint64_t there = d->in.size - ret->content;
	if (ret->len > there || (ret->id == KFT_SECTION_BUFFER && !ret->len))
		ret->len = there;
	*pos = ret->content + ret->len;
	return true;
}

int kft_dat_salvage_parts(struct kft_dat_reader *d, uint64_t pos)
{
	static const char *const what[KFT_DAT_N_PARTS] = {
		"header info", "ftrace event formats", "event formats",
		"kallsyms",    "printk formats",       "command lines",
	};
	struct kft_dat_section s;

	for (unsigned int n = 0;
	     n < KFT_TRACEDAT_MAX_SECTIONS && next_section(d, &pos, &s); n++) {
		if (s.id < KFT_SECTION_HEADER_INFO || s.id > KFT_SECTION_CMDLINES)
			continue;
		struct kft_dat_extent *x = &d->parts[s.id - KFT_SECTION_HEADER_INFO];
		if (!x->offset)
			*x = (struct kft_dat_extent){
				.what = what[s.id - KFT_SECTION_HEADER_INFO],
				.offset = s.content,
				.len = s.len,
				.compressed = s.compressed,
			};
	}
	return 0;
}

typedef KFT_VEC(struct kft_dat_cpu) cpu_vec;

static bool add_cpu(cpu_vec *cpus, uint64_t offset)
{
	struct kft_dat_cpu cpu = {.cpu = cpus->len, .offset = offset};

	return cpus->len < KFT_TRACEDAT_MAX_CPUS && kft_vec_push(cpus, cpu);
}

/* Uncompressed pages: a CPU ends where the next page is older. */
static bool split_pages(struct kft_dat_walk *w, uint64_t end, uint32_t page_size,
			cpu_vec *cpus)
{
	uint64_t last = 0;
	uint64_t ts;

	for (; w->pos < end && kft_dat_walk_u64(w, &ts); last = ts) {
		uint64_t page = w->pos - sizeof(ts);

		if ((!cpus->len || ts < last) && !add_cpu(cpus, page))
			return false;
		w->pos = KFT_MIN(page + page_size, end);
		struct kft_dat_cpu *cpu = &cpus->data[cpus->len - 1];
		cpu->size = w->pos - cpu->offset;
	}
	return true;
}

/* Skips the chunks of one CPU. */
static void skip_chunks(struct kft_dat_walk *w, uint64_t end)
{
	uint32_t n;
	uint32_t packed;
	uint32_t size;

	if (!kft_dat_walk_u32(w, &n))
		return;
	for (; n && w->pos < end; n--)
		if (!kft_dat_walk_u32(w, &packed) || !kft_dat_walk_u32(w, &size) ||
		    !kft_dat_walk_skip(w, packed)) {
			w->pos = end;
			return;
		}
}

static bool split_chunks(struct kft_dat_walk *w, uint64_t end, uint32_t page_size,
			 cpu_vec *cpus)
{
	while (w->pos < end) {
		uint64_t start = w->pos;

		skip_chunks(w, end);
		uint64_t stop = KFT_MIN(w->pos, end);
		if (stop == start)
			return true;
		if (!add_cpu(cpus, start))
			return false;
		cpus->data[cpus->len - 1].size = stop - start;
		w->pos = align_up(stop, page_size);
	}
	return true;
}

static bool is_known(const struct kft_dat_reader *d, uint64_t offset)
{
	kft_vec_for_each(&d->buffers, b)
		if (b->offset == offset)
			return true;
	return false;
}

/* The buffers' names are lost: the first buffer is taken as the main one. */
static int salvage(struct kft_dat_reader *d, const struct kft_dat_section *s)
{
	_cleanup_(kft_dat_walk_finish) struct kft_dat_walk w = {};
	uint32_t page_size = d->trace->meta.page_size;
	uint64_t end = s->content + s->len;
	size_t n = d->trace->buffers.len;
	char name[32] = "";
	cpu_vec cpus = {};
	uint16_t buffer;

	if (n)
		(void)snprintf(name, sizeof(name), "salvaged-%zu", n);
	int r = kft_dat_add_buffer(d, name, NULL, page_size, s->content, &buffer);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	if (kft_dat_walk_init(&w, &d->in, align_up(s->content, page_size)) < 0)
		return -ENOMEM;
	bool ok = s->compressed ? split_chunks(&w, end, page_size, &cpus)
				: split_pages(&w, end, page_size, &cpus);
	kft_trace_note(d->trace, s->content, "the table of CPUs is lost: %s",
		       ok ? "which events are of which CPU is a guess"
			  : "events after those of the last CPU are left out");
	r = kft_dat_add_cpus(d, buffer, cpus.data, cpus.len, s->compressed);
	kft_vec_finish(&cpus);
	return r;
}

int kft_dat_salvage_buffers(struct kft_dat_reader *d, uint64_t pos)
{
	struct kft_dat_section s;

	for (unsigned int n = 0;
	     n < KFT_TRACEDAT_MAX_SECTIONS && next_section(d, &pos, &s); n++) {
		bool lost = s.id == KFT_SECTION_BUFFER &&
			    !is_known(d, s.content - KFT_SECTION_HEADER_BYTES);
		int r = lost ? salvage(d, &s) : 0;

		if (r < 0)
			return r;
	}
	return 0;
}
