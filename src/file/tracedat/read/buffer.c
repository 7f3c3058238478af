// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds the buffers of a trace.dat file to the trace. */
#include "file/tracedat/read/buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "file/tracedat/read/stream.h"

static const char WHAT[] = "table of CPUs";

static struct kft_clock clock_of(const struct kft_dat_reader *d, const char *name)
{
	struct kft_clock clock = d->trace->meta.clock;

	if (name)
		kft_dat_use_clock(&clock, name, strlen(name));
	/* TSC2NSEC converts the stamps of any clock to nanoseconds. */
	if (d->stamps.mult)
		clock.unit = KFT_CLOCK_NS;
	return clock;
}

static bool page_size_is_possible(const struct kft_dat_reader *d, uint32_t bytes)
{
	return bytes > d->layout.data_offset && bytes <= KFT_TRACEDAT_MAX_PAGE_BYTES;
}

int kft_dat_add_buffer(struct kft_dat_reader *d, const char *name, const char *clock,
		       uint32_t page_size, uint64_t offset, uint16_t *ret)
{
	struct kft_trace *t = d->trace;
	struct kft_buffer b = {.clock = clock_of(d, clock), .page_size = page_size};

	if (!page_size_is_possible(d, page_size))
		return kft_dat_damage(d, -EINVAL, WHAT, offset,
				      "pages of %u bytes are impossible", page_size);
	if (t->buffers.len == KFT_TRACEDAT_MAX_BUFFERS)
		return kft_dat_damage(d, -EINVAL, WHAT, offset, "too many buffers");
	strncpy(b.name, name, sizeof(b.name) - 1);
	*ret = t->buffers.len;
	return kft_vec_push(&t->buffers, b) ? 0 : -ENOMEM;
}

static int by_cpu(const void *pa, const void *pb)
{
	const struct kft_dat_cpu *a = pa;
	const struct kft_dat_cpu *b = pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static int by_offset(const void *pa, const void *pb)
{
	const struct kft_dat_cpu *a = pa;
	const struct kft_dat_cpu *b = pb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return by_cpu(a, b);
}

/*
 * Makes ranges of CPUs disjoint: otherwise a small file could name the same bytes for
 * thousands of CPUs. A CPU keeps its bytes up to the start of the next CPU's.
 */
static void part_cpus(struct kft_dat_reader *d, struct kft_dat_cpu *cpus, size_t n)
{
	struct kft_dat_cpu *before = NULL;

	for (size_t i = 0; i < n; i++) {
		struct kft_dat_cpu *cpu = &cpus[i];
		uint64_t room = before ? cpu->offset - before->offset : UINT64_MAX;

		if (!cpu->size)
			continue;
		if (before && before->size > room) {
			(void)kft_dat_damage(d, -EBADMSG, WHAT, before->offset,
					     "events of CPU %u are those of CPU %u, too",
					     before->cpu, cpu->cpu);
			before->size = room;
		}
		before = cpu;
	}
}

/* The CPU's bytes that are within the file. */
static uint64_t clip(struct kft_dat_reader *d, const struct kft_dat_cpu *cpu)
{
	uint64_t there = cpu->offset < d->in.size ? d->in.size - cpu->offset : 0;

	if (cpu->size > there)
		(void)kft_dat_damage(d, -ENODATA, "events", d->in.size,
				     "the file ends before CPU %u's %" PRIu64
				     " bytes from %" PRIu64,
				     cpu->cpu, cpu->size, cpu->offset);
	return KFT_MIN(cpu->size, there);
}

static int add_cpu(struct kft_dat_reader *d, uint16_t buffer,
		   const struct kft_dat_cpu *cpu, bool chunked)
{
	struct kft_dat_source src = {
		.cpu = cpu->cpu,
		.buffer = buffer,
		.page_size = d->trace->buffers.data[buffer].page_size,
		.start = cpu->offset,
		.chunked = chunked,
		.fd = -1,
	};

	if (!cpu->size)
		return 0;
	uint64_t len = clip(d, cpu);
	/*
	 * A damaged size may overlap other buffers; twice the file's
	 * size in all is too much.
	 */
	if (len > 2 * d->in.size - d->data_bytes) {
		(void)kft_dat_damage(d, -EBADMSG, WHAT, cpu->offset,
				     "CPUs have more events than the file");
		return 0;
	}
	d->data_bytes += len;
	src.end = src.start + len;
	return len ? kft_dat_stream_add(d, &src) : 0;
}

int kft_dat_add_cpus(struct kft_dat_reader *d, uint16_t buffer, struct kft_dat_cpu *cpus,
		     size_t n, bool chunked)
{
	if (!n)
		return 0;
	qsort(cpus, n, sizeof(*cpus), by_offset);
	part_cpus(d, cpus, n);
	qsort(cpus, n, sizeof(*cpus), by_cpu);
	for (size_t i = 0; i < n; i++) {
		if (i && cpus[i].cpu == cpus[i - 1].cpu) {
			(void)kft_dat_damage(d, -EBADMSG, WHAT, cpus[i].offset,
					     "CPU %u comes twice", cpus[i].cpu);
			continue;
		}
		int r = add_cpu(d, buffer, &cpus[i], chunked);
		if (r < 0)
			return r;
	}
	return 0;
}
