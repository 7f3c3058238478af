// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks that all ways to read a trace give the same events:
 *
 *	pieces TRACE COPY SEED...
 *
 * For each seed the trace is read in stretches of time cut at random places, its streams
 * are cut into parts of random size for random numbers of threads, and, when it is a
 * trace.dat, it is written to COPY with and without compression and read from there. Prints
 * each difference with its seed, and fails if there is any.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/checksum.h"
#include "analysis/stats/stats_result.h"
#include "base/units.h"
#include "file/registry.h"
#include "file/tracedat/read/recover.h"
#include "model/merge.h"
#include "output/result.h"

#define CUTS_MAX 8

/* Result of reading a trace. */
struct sum {
	uint64_t count;
	uint64_t events; /* hash of all but loss marks, in order */
	uint64_t losses; /* hash of the loss marks and their places */
	uint64_t first; /* and last stamp in the order in which they came */
	uint64_t last;
};

static unsigned int bad;

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

static uint64_t hash(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void add(struct sum *s, const struct kft_event *ev)
{
	const uint64_t head[] = {ev->ts, ev->cpu, ev->buffer, ev->id, ev->size};
	const uint64_t loss[] = {s->count, ev->lost_before};

	s->events = hash(hash(s->events, head, sizeof(head)), ev->data, ev->size);
	if (ev->lost_before)
		s->losses = hash(s->losses, loss, sizeof(loss));
	if (!s->count++)
		s->first = ev->ts;
	s->last = ev->ts;
}

static _Noreturn void fail(const char *what, const struct kft_err *e)
{
	(void)fprintf(stderr, "%s: %s\n", what, e->code ? e->msg : "failed");
	exit(1);
}

static struct kft_trace *open_trace(const char *path)
{
	struct kft_trace *t;
	struct kft_err e = {};

	if (kft_file_open(path, &t, &e) < 0)
		fail(path, &e);
	return t;
}

/* Adds the events from `since` to `until` (0: to the end). */
static void read_stretch(struct kft_trace *t, uint64_t since, uint64_t until,
			 struct sum *s)
{
	const struct kft_scope scope = {.since = since, .until = until};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	struct kft_err e = {};

	if (kft_merge_create(t, &scope, &m) < 0)
		fail("merge", &e);
	while (kft_merge_next(m, &ev) > 0)
		add(s, ev);
}

static struct sum read_file(const char *path)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_trace(path);
	struct sum s = {};

	read_stretch(t, 0, 0, &s);
	return s;
}

static bool same_events(const struct sum *a, const struct sum *b)
{
	return a->count == b->count && a->events == b->events;
}

static int by_value(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa;
	uint64_t b = *(const uint64_t *)pb;

	return a < b ? -1 : a > b;
}

/* A cut is the first stamp behind it. */
static void check_stretches(const char *path, const struct sum *whole, uint64_t seed)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_trace(path);
	uint64_t cuts[CUTS_MAX];
	uint64_t state = seed;
	size_t n = 1 + next_random(&state) % CUTS_MAX;
	uint64_t span = whole->last - whole->first;
	struct sum s = {};

	for (size_t i = 0; i < n; i++)
		cuts[i] = whole->first + 1 + next_random(&state) % (span + 1);
	qsort(cuts, n, sizeof(*cuts), by_value);
	read_stretch(t, 0, cuts[0] - 1, &s);
	for (size_t i = 0; i < n; i++) {
		bool is_last = i + 1 == n;

		if (is_last || cuts[i] < cuts[i + 1])
			read_stretch(t, cuts[i], is_last ? 0 : cuts[i + 1] - 1, &s);
	}
	if (same_events(&s, whole))
		return;
	bad++;
	printf("%s: seed %" PRIu64 ": in %zu stretches of time there are %" PRIu64
	       " events of %" PRIu64 ", or others\n",
	       path, seed, n + 1, s.count, whole->count);
}

/*
 * Adds the result of an analysis as text; parts: bits of kft_stats_part, 0: the checksum. Every
 * call opens the trace again, so that damage is counted from 0.
 */
static void analysis_text(const char *path, unsigned int parts,
			  const struct kft_analysis_opts *opts, struct kft_strbuf *ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = open_trace(path);
	_cleanup_(kft_result_finish) struct kft_result result = {};
	_cleanup_(kft_stats_finish) struct kft_stats stats = {};
	struct kft_checksum sum = {};
	struct kft_err e = {};

	int r = parts ? kft_stats_run(t, parts, opts, &stats, &e)
		      : kft_checksum_run(t, opts, &sum, &e);
	if (r < 0)
		fail(path, &e);
	kft_stats_result(t, &stats, &result);
	kft_result_json(&result, &(struct kft_output_how){}, ret);
	kft_strbuf_addf(ret, "%" PRIu64 " %" PRIu64 " %" PRIx64 "\n", sum.events,
			sum.fields, sum.sum);
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if ((*s)->damage_count)
				kft_strbuf_addf(ret, "%s %" PRIu64 "\n", (*s)->damage.msg,
						(*s)->damage_count);
}

/* Compares an analysis in order with the same one by several threads, in parts. */
static void check_parts(const char *path, unsigned int parts, uint64_t seed)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf expected = {};
	struct kft_analysis_opts opts = {.in_order = true};
	uint64_t state = seed;

	analysis_text(path, parts, &opts, &expected);
	for (unsigned int i = 0; i < 4; i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		/* First as one thread reads it by itself, then in pieces. */
		opts = (struct kft_analysis_opts){.threads = 1};
		if (i) {
			opts.threads = 1 + next_random(&state) % 5;
			opts.part_bytes = 1 + next_random(&state) % 65536;
		}
		analysis_text(path, parts, &opts, &text);
		if (strcmp(kft_strbuf_cstr(&text), kft_strbuf_cstr(&expected)) == 0)
			continue;
		bad++;
		printf("%s: seed %" PRIu64 ": %u threads and parts of %" PRIu64
		       " bytes give\n%snot\n%s",
		       path, seed, opts.threads, opts.part_bytes, kft_strbuf_cstr(&text),
		       kft_strbuf_cstr(&expected));
	}
}

/* Returns 0, or 1 if the file is no trace.dat. */
static int check_copy(const char *path, const char *copy, const struct sum *whole,
		      enum kft_tracedat_compress compress)
{
	const struct kft_tracedat_opts opts = {.compress = compress};
	struct kft_tracedat_recovered recovered;
	struct kft_err e = {};

	int r = kft_tracedat_recover(path, copy, &opts, &recovered, &e);
	if (r == -EINVAL || r == -ENOTSUP)
		return 1;
	if (r < 0)
		fail(path, &e);
	struct sum s = read_file(copy);
	(void)unlink(copy);
	/* Damaged pages are left out of the copy, and so are their loss marks. */
	if (recovered.damage_count ||
	    (same_events(&s, whole) && s.losses == whole->losses))
		return 0;
	bad++;
	printf("%s: written again %s it has %" PRIu64 " events of %" PRIu64
	       ", or others\n",
	       path, compress == KFT_TRACEDAT_ZSTD ? "compressed" : "plain", s.count,
	       whole->count);
	return 0;
}

/* Files that kft refuses to open are skipped; other tests check their errors. */
static bool is_readable(const char *path)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e;

	return kft_file_open(path, &t, &e) >= 0;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	if (!is_readable(argv[1]))
		return 0;
	struct sum whole = read_file(argv[1]);
	if (check_copy(argv[1], argv[2], &whole, KFT_TRACEDAT_PLAIN) == 0)
		(void)check_copy(argv[1], argv[2], &whole, KFT_TRACEDAT_ZSTD);
	for (int i = 3; i < argc; i++) {
		uint64_t seed;

		if (kft_parse_u64(argv[i], &seed) < 0)
			return 2;
		if (whole.count)
			check_stretches(argv[1], &whole, seed);
		check_parts(argv[1], KFT_STATS_ALL, seed);
		check_parts(argv[1], KFT_STATS_EVENTS | KFT_STATS_CPUS, seed);
		check_parts(argv[1], 0, seed);
	}
	return bad ? 1 : 0;
}
