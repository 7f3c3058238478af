// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the events of one CPU of a perf.data file. */
#include "file/perf/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/err.h"
#include "file/perf/events.h"
#include "model/scope.h"

/* Bytes of a read: for all streams together, and the limits for one. */
#define LOADS_BYTES    ((size_t)16 << 20)
#define LOAD_BYTES_MIN ((size_t)KFT_PERF_BLOCK_BYTES)
#define LOAD_BYTES_MAX ((size_t)256 << 10)
/*
 * Bytes that are sorted at a time: for all streams together, and the limits for one.
 * perf's default ring buffer has 512 KiB.
 */
#define SORTS_BYTES    ((size_t)32 << 20)
#define SORT_BYTES_MIN ((size_t)KFT_PERF_SPAN_BYTES)
#define SORT_BYTES_MAX ((size_t)8 << 20)

struct order {
	uint64_t ts;
	uint32_t at; /* offset in the loaded bytes */
};

struct stream {
	struct kft_stream base;
	struct kft_perf *p; /* borrowed, like the blocks */
	const struct kft_perf_blocks *blocks;
	size_t load_bytes;
	size_t sort_bytes;
	size_t next_block;

	uint8_t *bytes; /* owned: whole records */
	size_t cap;
	size_t len;
	size_t pos; /* offset of the next record, if they are in order */
	KFT_VEC(struct order) order; /* empty: the records are in order */
	size_t next_order;
	/*
	 * The last record that has a CPU has this one: records without a CPU follow it.
	 */
	bool mine;
	uint64_t ts; /* ns; time of the last record, for records without one */

	struct kft_perf_events events; /* events of the current record */
	/* Events lost before the next event. */
	uint64_t lost;
	uint64_t lost_at_end; /* events lost after the last record */
};

static struct stream *of(struct kft_stream *s)
{
	return container_of(s, struct stream, base);
}

__printf_fmt(4, 5) static void damage(struct stream *s, int code, uint64_t offset,
				      const char *fmt, ...)
{
	char text[200];
	va_list ap;

	s->lost = KFT_LOST_UNKNOWN;
	if (s->base.damage_count++)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	(void)kft_err_set(&s->base.damage, code,
			  "'%s': records of CPU %u from byte %" PRIu64 " on%s: %s",
			  s->p->path, s->base.cpu, offset,
			  s->p->spool_fd >= 0 ? " of the uncompressed data" : "", text);
}

static bool needs_sorting(const struct kft_perf_blocks *bs, size_t first, size_t end)
{
	return end - first > 1 || bs->list.data[first].unsorted;
}

/*
 * The blocks to load next: from next_block to the returned end; all
 * need sorting or none does.
 */
static size_t choose_blocks(const struct stream *s, bool *ret_sort, size_t *ret_bytes)
{
	const struct kft_perf_blocks *bs = s->blocks;
	size_t first = s->next_block;
	size_t end = kft_perf_blocks_group_end(bs, first);
	size_t i = first;

	*ret_sort = needs_sorting(bs, first, end);
	*ret_bytes = 0;
	while (i < bs->list.len) {
		size_t bytes = *ret_bytes + bs->list.data[i].bytes;

		if (i > first && bytes > (*ret_sort ? s->sort_bytes : s->load_bytes))
			break;
		if (i == end && *ret_sort)
			break;
		if (i == end) {
			end = kft_perf_blocks_group_end(bs, i);
			if (needs_sorting(bs, i, end))
				break;
		}
		*ret_bytes = bytes;
		i++;
	}
	return i;
}

static int reserve(struct stream *s, size_t len)
{
	if (s->cap >= len)
		return 0;
	free(s->bytes);
	s->cap = 0;
	s->bytes = malloc(len);
	if (!s->bytes)
		return -ENOMEM;
	s->cap = len;
	return 0;
}

/*
 * The length of the record at pos; 0 when it is malformed, as the
 * file changed after the scan.
 */
static size_t record_at(const struct stream *s, size_t pos)
{
	size_t left = s->len - pos;
	uint16_t size;

	if (left < KFT_PERF_RECORD_HEADER_BYTES)
		return 0;
	size = kft_load_u16(s->bytes + pos + 6, s->p->in.swap);
	return size < KFT_PERF_RECORD_HEADER_BYTES || size > left ? 0 : size;
}

/* Whether the record is of this CPU and shown; *place is filled in then. */
static bool is_mine(struct stream *s, const uint8_t *rec, size_t size,
		    struct kft_perf_place *place)
{
	uint32_t type = kft_load_u32(rec, s->p->in.swap);

	if (!kft_perf_is_shown(type))
		return false;
	*place = kft_perf_place(s->p, rec, size);
	if (type == KFT_PERF_RECORD_SAMPLE && !place->attr)
		return false;
	if (place->cpu != KFT_PERF_NO_CPU)
		s->mine = place->cpu == s->base.cpu;
	if ((type == KFT_PERF_RECORD_THROTTLE || type == KFT_PERF_RECORD_UNTHROTTLE) &&
	    size >= KFT_PERF_RECORD_HEADER_BYTES + 2 * sizeof(uint64_t))
		place->ts = kft_load_u64(rec + KFT_PERF_RECORD_HEADER_BYTES,
					 s->p->in.swap);
	return s->mine;
}

static int by_time(const void *pa, const void *pb)
{
	const struct order *a = pa;
	const struct order *b = pb;

	if (a->ts != b->ts)
		return a->ts < b->ts ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static int sort_records(struct stream *s)
{
	struct kft_perf_place place;
	uint64_t before = s->ts;
	size_t size;

	for (size_t pos = 0; (size = record_at(s, pos)); pos += size) {
		if (!is_mine(s, s->bytes + pos, size, &place))
			continue;
		before = place.ts ? place.ts : before;
		if (!kft_vec_push(&s->order, (struct order){.ts = before, .at = pos}))
			return -ENOMEM;
	}
	if (s->order.len)
		qsort(s->order.data, s->order.len, sizeof(*s->order.data), by_time);
	/*
	 * All loaded records were examined: records that are not in order are not shown.
	 */
	s->pos = s->len;
	return 0;
}

static int read_blocks(struct stream *s, size_t end)
{
	for (size_t i = s->next_block; i < end; i++) {
		const struct kft_perf_block *b = &s->blocks->list.data[i];
		int r = kft_dat_input_read(&s->p->data, s->p->start + b->offset,
					   s->bytes + s->len, b->bytes);

		if (r < 0)
			return r;
		s->len += b->bytes;
	}
	return 0;
}

/* 1 when there are more records, 0 at the end, -errno (and damage). */
static int load(struct stream *s)
{
	bool sort;
	size_t bytes;

	if (s->next_block == s->blocks->list.len)
		return 0;
	size_t end = choose_blocks(s, &sort, &bytes);
	s->len = s->pos = s->order.len = s->next_order = 0;
	int r = reserve(s, bytes);
	if (r == 0)
		r = read_blocks(s, end);
	if (r == 0 && sort)
		r = sort_records(s);
	if (r < 0) {
		damage(s, r, s->p->start + s->blocks->list.data[s->next_block].offset,
		       "cannot be read");
		return r;
	}
	s->next_block = end;
	return 1;
}

/* The next loaded record, of any CPU; false when there is none. */
static bool next_loaded(struct stream *s, const uint8_t **ret, size_t *ret_size)
{
	if (s->next_order < s->order.len)
		s->pos = s->order.data[s->next_order++].at;
	else if (s->order.len || s->pos == s->len)
		return false;
	*ret = s->bytes + s->pos;
	*ret_size = record_at(s, s->pos);
	s->pos += *ret_size;
	if (*ret_size)
		return true;
	damage(s, -EBADMSG, s->p->start, "they changed while they were read");
	s->pos = s->len;
	s->order.len = s->next_order = 0;
	return false;
}

static void count_lost(struct stream *s, const uint8_t *rec, size_t size)
{
	struct kft_cursor c = kft_cursor_init(rec, size, s->p->in.swap);
	bool samples = kft_load_u32(rec, c.swap) == KFT_PERF_RECORD_LOST_SAMPLES;
	uint64_t n;

	if (samples && (s->p->counts_lost || kft_perf_is_filtered(rec, c.swap)))
		return;
	if (kft_cursor_skip(&c, samples ? 8 : 16) && kft_cursor_u64(&c, &n))
		s->lost = kft_lost_add(s->lost, n);
}

static void take_record(struct stream *s, const uint8_t *rec, size_t size)
{
	uint32_t type = kft_load_u32(rec, s->p->in.swap);
	struct kft_perf_place place;

	if (!is_mine(s, rec, size, &place))
		return;
	if (unlikely(!place.ts))
		place.ts = s->ts;
	s->ts = place.ts;
	if (type == KFT_PERF_RECORD_LOST || type == KFT_PERF_RECORD_LOST_SAMPLES)
		count_lost(s, rec, size);
	else if (kft_perf_events_take(&s->events, rec, size, &place) < 0)
		damage(s, -EBADMSG, s->p->start,
		       "a sample says that it holds more than it does");
}

/*
 * Makes the event of a plain sample. 1 with the event, 0: the sample is of another CPU,
 * -1: the slow path has to decide.
 */
static inline __attribute__((always_inline)) int
plain_event(const struct stream *s, const struct kft_perf_near *near, const uint8_t *rec,
	    size_t size, bool swap, struct kft_event *ret)
{
	const uint32_t cpu = kft_load_u32(rec + near->at_cpu, swap);

	if (cpu != s->base.cpu)
		return cpu < KFT_PERF_MAX_CPUS ? 0 : -1;
	size_t at = near->at_raw + sizeof(uint32_t);
	if (size < at + sizeof(uint32_t))
		return -1;
	*ret = (struct kft_event){
		.ts = kft_load_u64(rec + near->at_time, swap),
		.data = rec + at,
		.size = kft_load_u32(rec + near->at_raw, swap),
		.cpu = cpu,
		.id = kft_load_u16(rec + at, swap),
		.buffer = s->base.buffer,
	};
	return ret->ts && ret->size >= sizeof(ret->id) && ret->size <= size - at ? 1 : -1;
}

/*
 * The fast path for most files: tracepoint samples in order, without call chains, mixed
 * with those of other CPUs. Adds events from index n on; stops before any other record,
 * which the slow path handles.
 */
static inline __attribute__((always_inline)) size_t
fill_plain_of(struct stream *s, struct kft_event *evs, size_t n, size_t max, bool swap)
{
	const uint64_t *wanted = s->base.wanted;
	const uint8_t *rec = s->bytes + s->pos;
	const uint8_t *end = s->bytes + s->len;
	uint64_t lost = s->lost;
	uint64_t ts = s->ts;
	size_t size;

	for (; n < max && end - rec >= KFT_PERF_RECORD_HEADER_BYTES; rec += size) {
		uint32_t type = kft_load_u32(rec, swap);
		struct kft_event ev;

		size = kft_load_u16(rec + 6, swap);
		if (size < KFT_PERF_RECORD_HEADER_BYTES || size > (size_t)(end - rec))
			break;
		if (unlikely(type == KFT_PERF_RECORD_FINISHED_ROUND))
			continue;
		if (type != KFT_PERF_RECORD_SAMPLE)
			break;
		const struct kft_perf_near *near = kft_perf_attrs_plain(&s->p->attrs, rec,
									size, swap);
		int r = near ? plain_event(s, near, rec, size, swap, &ev) : -1;
		if (r < 0)
			break;
		s->mine = r;
		if (!r)
			continue;
		ts = ev.ts;
		/*
		 * Branch-free: the processor could not predict which events are wanted.
		 */
		bool is_wanted = kft_id_wanted(wanted, ev.id);
		ev.lost_before = lost;
		evs[n] = ev;
		n += is_wanted;
		lost &= (uint64_t)is_wanted - 1;
	}
	s->lost = lost;
	s->pos = rec - s->bytes;
	s->ts = ts;
	return n;
}

static size_t fill_plain(struct stream *s, struct kft_event *evs, size_t n, size_t max)
{
	if (s->pos == s->len)
		return n;
	return s->p->attrs.swap ? fill_plain_of(s, evs, n, max, true)
				: fill_plain_of(s, evs, n, max, false);
}

/*
 * Returns the current record's next event as kft_perf_events_next(),
 * but skips a malformed one.
 */
static int next_event(struct stream *s, struct kft_event *ev)
{
	int r = kft_perf_events_next(&s->events, ev);

	if (unlikely(r == -EBADMSG)) {
		damage(s, r, s->p->start, "a sample of a tracepoint has no record");
		r = kft_perf_events_next(&s->events, ev);
	}
	if (r <= 0)
		return r;
	ev->lost_before = s->lost;
	ev->cpu = s->base.cpu;
	ev->buffer = s->base.buffer;
	s->lost = 0;
	return r;
}

/* Goes on to the next record; false when all loaded ones were read. */
static bool next_record(struct stream *s)
{
	const uint8_t *rec;
	size_t size;

	if (!next_loaded(s, &rec, &size))
		return false;
	take_record(s, rec, size);
	return true;
}

/* Fills evs from the loaded records. The number of events, or -ENOMEM. */
static int fill_loaded(struct stream *s, struct kft_event *evs, size_t max)
{
	size_t n = 0;

	while (n < max) {
		int r = next_event(s, &evs[n]);

		if (r == -EAGAIN)
			return n ? (int)n : -ENOMEM;
		if (r > 0) {
			n++;
			continue;
		}
		size_t before = n;
		if (!s->order.len)
			n = fill_plain(s, evs, n, max);
		if (n == before && !next_record(s))
			break;
	}
	return n;
}

static int stream_fill(struct kft_stream *base, struct kft_event *evs, size_t max)
{
	struct stream *s = of(base);
	int n;

	kft_perf_events_clear(&s->events);
	s->events.wanted = base->wanted;
	/*
	 * Events borrow from the loaded bytes, so nothing is loaded once evs has events.
	 */
	while ((n = fill_loaded(s, evs, max)) == 0) {
		int r = load(s);

		if (r > 0)
			continue;
		base->lost_after = kft_lost_add(s->lost, s->lost_at_end);
		return r;
	}
	return n;
}

static int stream_rewind(struct kft_stream *base, uint64_t since)
{
	struct stream *s = of(base);
	const struct kft_perf_blocks *bs = s->blocks;
	size_t group = since ? kft_perf_blocks_find(bs, since) : 0;

	/*
	 * A time after all events seeks to the last group: a caller that looks for the
	 * last events finds them without reading earlier groups.
	 */
	if (group > 0 && group == bs->groups.len)
		group--;
	s->next_block = group < bs->groups.len ? bs->groups.data[group] : bs->list.len;
	s->len = s->pos = s->order.len = s->next_order = 0;
	kft_perf_events_drop(&s->events);
	s->mine = true;
	s->ts = s->next_block ? bs->list.data[s->next_block - 1].max : 0;
	s->lost = 0;
	base->lost_after = 0;
	return 0;
}

static void stream_destroy(struct kft_stream *base)
{
	struct stream *s = of(base);

	free(s->bytes);
	kft_vec_finish(&s->order);
	kft_perf_events_finish(&s->events);
	free(s);
}

static const struct kft_stream_ops ops = {stream_fill, stream_rewind, stream_destroy};

static size_t share(size_t all, size_t n, size_t min, size_t max)
{
	size_t each = all / KFT_MAX(n, (size_t)1);

	return KFT_MIN(KFT_MAX(each, min), max);
}

/* Notes the groups that are too long to be sorted as a whole. */
static void note_long_groups(struct stream *s)
{
	const struct kft_perf_blocks *bs = s->blocks;
	uint64_t n = 0;

	for (size_t i = 0; i < bs->groups.len; i++) {
		size_t first = bs->groups.data[i];
		size_t end = kft_perf_blocks_group_end(bs, first);
		uint64_t bytes = 0;

		for (size_t k = first; k < end; k++)
			bytes += bs->list.data[k].bytes;
		n += end - first > 1 && bytes > s->sort_bytes;
	}
	if (n)
		kft_trace_note(s->p->trace, s->p->start,
			       "CPU %u: in %" PRIu64 " places more records are out of "
			       "order than can be sorted; time goes back there",
			       s->base.cpu, n);
}

static int add_stream(struct kft_perf *p, const struct kft_perf_cpu *cpu)
{
	struct kft_buffer *b = &p->trace->buffers.data[0];
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->base = (struct kft_stream){.ops = &ops, .cpu = cpu->cpu};
	s->p = p;
	kft_perf_events_init(&s->events, p);
	s->blocks = &cpu->blocks;
	if (cpu->lost_samples > cpu->lost)
		s->lost_at_end = cpu->lost_samples - cpu->lost;
	s->load_bytes = share(LOADS_BYTES, p->cpus.len, LOAD_BYTES_MIN, LOAD_BYTES_MAX);
	s->sort_bytes = share(SORTS_BYTES, p->cpus.len, SORT_BYTES_MIN, SORT_BYTES_MAX);
	(void)stream_rewind(&s->base, 0);
	if (!kft_vec_push(&b->streams, &s->base)) {
		stream_destroy(&s->base);
		return -ENOMEM;
	}
	note_long_groups(s);
	/* A pipe need not say how many there are. */
	p->trace->meta.cpu_count = KFT_MAX(p->trace->meta.cpu_count, cpu->cpu + 1);
	return 0;
}

int kft_perf_add_streams(struct kft_perf *p)
{
	struct kft_buffer b = {.clock = p->trace->meta.clock};
	int r = kft_vec_push(&p->trace->buffers, b) ? 0 : -ENOMEM;

	kft_vec_for_each(&p->cpus, cpu) {
		if (r == 0)
			r = add_stream(p, *cpu);
	}
	return r;
}
