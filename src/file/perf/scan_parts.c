// SPDX-License-Identifier: LGPL-2.1-or-later
/* Scans parts of a long perf.data file in threads. */
#include "file/perf/scan_parts.h"

#include <errno.h>
#include <pthread.h>

#include "base/thread.h"

#define PARTS_MAX 16

/* The first record of a part is searched for in this many bytes, ... */
#define GUESS_BYTES ((size_t)256 * 1024)
/* ... and accepted when this many plausible records follow each other. */
#define GUESS_RECORDS 32

struct part {
	struct kft_perf_scan *s; /* owned */
	pthread_t thread;
	bool has_thread;
	int result;
};

struct parts {
	struct part list[PARTS_MAX];
	size_t n;
};

static void finish(struct parts *ps)
{
	for (size_t i = 0; i < ps->n; i++)
		kft_perf_scan_destroy(ps->list[i].s);
}

/* The length of a plausible record, 0 when the bytes cannot be a record. */
static size_t guess_record(const struct kft_perf *p, const uint8_t *rec, size_t left)
{
	if (left < KFT_PERF_RECORD_HEADER_BYTES)
		return 0;
	uint32_t type = kft_load_u32(rec, p->in.swap);
	uint16_t size = kft_load_u16(rec + 6, p->in.swap);

	if (size < KFT_PERF_RECORD_HEADER_BYTES || size % 8 || size > left)
		return 0;
	if (type == KFT_PERF_RECORD_SAMPLE)
		return kft_perf_attrs_of(&p->attrs, rec, size) ? size : 0;
	/*
	 * The limit leaves room for record types of later kernels and still
	 * rejects most other numbers.
	 */
	return type && type < 128 ? size : 0;
}

static bool could_begin(const struct kft_perf *p, const uint8_t *bytes, size_t len)
{
	size_t pos = 0;

	for (unsigned int i = 0; i < GUESS_RECORDS; i++) {
		size_t size = guess_record(p, bytes + pos, len - pos);

		if (!size)
			return false;
		pos += size;
	}
	return true;
}

/*
 * Records are aligned to 8 bytes from the start of the records. 0
 * when there is no good guess.
 */
static uint64_t guess_start(const struct kft_perf *p, uint64_t from)
{
	_cleanup_free_ uint8_t *bytes = malloc(GUESS_BYTES);
	size_t len = 0;

	from -= (from - p->start) % 8;
	if (!bytes ||
	    kft_dat_input_read_some(&p->data, from, bytes, GUESS_BYTES, &len) < 0)
		return 0;
	for (size_t i = 0; i < len; i += 8)
		if (could_begin(p, bytes + i, len - i))
			return from + i;
	return 0;
}

static size_t count_parts(const struct kft_perf *p)
{
	uint64_t n = (p->end - p->start) / KFT_PERF_PART_BYTES;

	if (p->is_pipe)
		return 1;
	n = KFT_MIN(n, (uint64_t)kft_threads_usable());
	return KFT_MIN(n, (uint64_t)PARTS_MAX);
}

static int add_part(struct parts *ps, struct kft_perf *p, uint64_t from, uint64_t to)
{
	struct part *part = &ps->list[ps->n];
	int r = kft_perf_scan_create(p, from, to, &part->s);

	if (r < 0)
		return r;
	part->s->is_part = true;
	ps->n++;
	return 0;
}

/* -ECANCELED when the file cannot be divided. */
static int divide(struct parts *ps, struct kft_perf *p)
{
	size_t n = count_parts(p);
	uint64_t from = p->start;

	if (n < 2)
		return -ECANCELED;
	for (size_t i = 1; i <= n; i++) {
		uint64_t share = (p->end - p->start) / n;
		uint64_t to = i == n ? p->end : guess_start(p, p->start + i * share);
		int r = to > from ? add_part(ps, p, from, to) : -ECANCELED;

		if (r < 0)
			return r;
		from = to;
	}
	return 0;
}

static void *scan(void *arg)
{
	struct part *part = arg;

	part->result = kft_perf_scan_run(part->s);
	return NULL;
}

static void scan_all(struct parts *ps)
{
	for (size_t i = 1; i < ps->n; i++) {
		struct part *part = &ps->list[i];

		part->has_thread = kft_thread_start(&part->thread, 0, scan, part) == 0;
	}
	for (size_t i = 0; i < ps->n; i++)
		if (!ps->list[i].has_thread)
			(void)scan(&ps->list[i]);
	for (size_t i = 1; i < ps->n; i++)
		if (ps->list[i].has_thread)
			(void)pthread_join(ps->list[i].thread, NULL);
}

/* Accepts the parts only if each one ended exactly where the next one began. */
static int check(const struct parts *ps)
{
	size_t blocks = 0;

	for (size_t i = 0; i < ps->n; i++) {
		const struct part *part = &ps->list[i];

		if (part->result < 0)
			return part->result;
		if (part->s->w.pos != part->s->to)
			return -ECANCELED;
		blocks += part->s->n_blocks;
	}
	return blocks < KFT_PERF_MAX_BLOCKS ? 0 : -ECANCELED;
}

int kft_perf_scan_parts(struct kft_perf *p, struct kft_perf_scan **ret)
{
	_cleanup_(finish) struct parts ps = {};
	int r = divide(&ps, p);

	if (r < 0)
		return r;
	scan_all(&ps);
	r = check(&ps);
	for (size_t i = 1; i < ps.n && r == 0; i++)
		r = kft_perf_scan_join(ps.list[0].s, ps.list[i].s);
	if (r == 0)
		r = kft_perf_scan_deferred(ps.list[0].s);
	if (r == 0)
		*ret = TAKE(ps.list[0].s);
	return r;
}
