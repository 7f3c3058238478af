// SPDX-License-Identifier: LGPL-2.1-or-later
/* Steps through the records of a perf.data file. */
#include "file/perf/scan_records.h"

#include <errno.h>

#include "file/perf/meta.h"
#include "file/perf/unpack.h"

const char *const kft_perf_counted_names[KFT_PERF_COUNTED_TYPES] = {
	[4] = "exit",	       [8] = "read",	   [11] = "aux",
	[12] = "itrace_start", [14] = "switch",	   [15] = "switch_cpu_wide",
	[16] = "namespaces",   [17] = "ksymbol",   [18] = "bpf_event",
	[19] = "cgroup",       [20] = "text_poke", [21] = "aux_output_hw_id",
};

struct kft_perf_scan *kft_perf_scan_destroy(struct kft_perf_scan *s)
{
	if (!s)
		return NULL;
	kft_dat_walk_finish(&s->w);
	kft_perf_tasks_finish(&s->tasks);
	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++) {
		if (!s->by_cpu[i])
			continue;
		kft_perf_blocks_finish(&s->by_cpu[i]->blocks);
		free(s->by_cpu[i]);
	}
	kft_vec_finish(&s->samples);
	kft_vec_finish(&s->deferred);
	kft_vec_finish(&s->maps);
	free(s);
	return NULL;
}

int kft_perf_scan_create(struct kft_perf *p, uint64_t from, uint64_t to,
			 struct kft_perf_scan **ret)
{
	_cleanup_(kft_perf_scan_destroyp) struct kft_perf_scan *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->p = p;
	s->to = to;
	s->span = 2 * KFT_PERF_BLOCK_BYTES;
	s->tasks.p = p;
	int r = kft_dat_walk_init(&s->w, &p->data, from);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

static struct kft_perf_cpu *get_cpu(struct kft_perf_scan *s, uint32_t cpu)
{
	if (unlikely(!s->by_cpu[cpu])) {
		s->by_cpu[cpu] = calloc(1, sizeof(*s->by_cpu[cpu]));
		if (s->by_cpu[cpu])
			s->by_cpu[cpu]->cpu = cpu;
	}
	return s->by_cpu[cpu];
}

static size_t count_blocks(const struct kft_perf_scan *s)
{
	size_t n = 0;

	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++)
		n += s->by_cpu[i] ? s->by_cpu[i]->blocks.list.len : 0;
	return n;
}

/*
 * Makes blocks longer until their number is half of the limit. False
 * when that is impossible.
 */
static bool thin(struct kft_perf_scan *s)
{
	for (;;) {
		for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++)
			if (s->by_cpu[i])
				kft_perf_blocks_thin(&s->by_cpu[i]->blocks, s->span);
		s->n_blocks = count_blocks(s);
		if (s->n_blocks <= KFT_PERF_MAX_BLOCKS / 2)
			return true;
		if (s->span == KFT_PERF_SPAN_BYTES)
			return false;
		s->span *= 2;
	}
}

/*
 * The CPU's latest time so far; a record without a time gets it and
 * keeps its place in the file.
 */
static uint64_t time_before(const struct kft_perf_cpu *cpu)
{
	size_t n = cpu->blocks.list.len;

	return n ? cpu->blocks.list.data[n - 1].max : 0;
}

/*
 * A part cannot decide this without the records before it: the
 * file is scanned as one then.
 */
static int give_up(const struct kft_perf_scan *s)
{
	return s->is_part ? -ECANCELED : 0;
}

/*
 * The CPU's last block if a record at pos can extend it: the gap between them is short
 * and contains records only. NULL otherwise.
 */
static struct kft_perf_block *near_block(const struct kft_perf_scan *s,
					 const struct kft_perf_cpu *cpu, uint64_t pos)
{
	const struct kft_perf_blocks *bs = &cpu->blocks;

	if (!bs->list.len)
		return NULL;
	struct kft_perf_block *b = &bs->list.data[bs->list.len - 1];
	uint64_t end = s->p->start + b->offset + b->bytes;

	return end >= s->no_records_before && pos - end <= KFT_PERF_GAP_BYTES ? b : NULL;
}

static int add_shown(struct kft_perf_scan *s, uint64_t pos, size_t size,
		     const struct kft_perf_place *place)
{
	struct kft_perf_cpu *cpu = place->cpu == KFT_PERF_NO_CPU ? s->last
								 : get_cpu(s, place->cpu);

	/*
	 * The record's CPU is unknown, and there is no earlier
	 * record of its CPU to go by.
	 */
	if (!cpu)
		return place->cpu == KFT_PERF_NO_CPU ? give_up(s) : -ENOMEM;
	size_t before = cpu->blocks.list.len;
	bool goes_on = (s->contiguous && cpu == s->last) || near_block(s, cpu, pos);
	int r = kft_perf_blocks_add(&cpu->blocks, pos - s->p->start, size, goes_on,
				    place->ts ? place->ts : time_before(cpu));
	s->contiguous = true;
	s->last = cpu;
	s->n_blocks += cpu->blocks.list.len - before;
	if (likely(r < 0 || s->n_blocks < KFT_PERF_MAX_BLOCKS))
		return r;
	s->contiguous = false;
	if (s->is_part)
		return -ECANCELED;
	if (thin(s))
		return 0;
	return kft_perf_damage(s->p, -EFBIG, pos,
			       "the records of its CPUs stand in more than %u places",
			       KFT_PERF_MAX_BLOCKS);
}

/*
 * In pipe mode attrs come between records, so the vector grows to the attrs seen so far.
 */
static int count_sample(struct kft_perf_scan *s, const struct kft_perf_attr *a)
{
	size_t i = a - s->p->attrs.list.data;

	while (unlikely(i >= s->samples.len))
		if (!kft_vec_push(&s->samples, 0))
			return -ENOMEM;
	s->samples.data[i]++;
	return 0;
}

static int add_sample(struct kft_perf_scan *s, uint64_t pos, const uint8_t *rec,
		      size_t size)
{
	struct kft_perf_place place = kft_perf_place_of_sample(s->p, rec, size);

	if (unlikely(!place.attr)) {
		s->unknown++;
		return 0;
	}
	s->no_cpu += !place.attr->at_cpu;
	s->no_time += !place.attr->at_time;
	int r = place.ts ? 0 : give_up(s);
	if (r == 0)
		r = count_sample(s, place.attr);
	return r < 0 ? r : add_shown(s, pos, size, &place);
}

/*
 * Counts samples that an event reported as lost, for the CPU of the id at the record's
 * end. Most of these losses were reported by LOST records before, at their place.
 */
static int count_lost_samples(struct kft_perf_scan *s, const uint8_t *rec, size_t size,
			      uint64_t n)
{
	const struct kft_perf *p = s->p;
	const uint64_t *number = NULL;

	if (kft_perf_is_filtered(rec, p->in.swap))
		return 0;
	if (p->attrs.has_identifier)
		number = kft_map_get(
			&p->cpu_by_id,
			kft_load_u64(rec + size - sizeof(uint64_t), p->in.swap));
	if (!number) {
		s->lost_anywhere += n;
		return 0;
	}
	struct kft_perf_cpu *cpu = get_cpu(s, *number);
	if (!cpu)
		return -ENOMEM;
	cpu->lost_samples += n;
	return 0;
}

static int add_lost(struct kft_perf_scan *s, uint64_t pos, size_t size,
		    const struct kft_perf_place *place, uint64_t n)
{
	int r = add_shown(s, pos, size, place);

	/* add_shown() has set s->last to the record's CPU. */
	if (r == 0 && s->last)
		s->last->lost += n;
	return r;
}

/* LOST: u64 id, u64 lost; LOST_SAMPLES: u64 lost; THROTTLE and UNTHROTTLE: u64 time */
static int add_other(struct kft_perf_scan *s, uint64_t pos, uint32_t type,
		     const uint8_t *rec, size_t size)
{
	struct kft_perf_place place = kft_perf_place(s->p, rec, size);
	struct kft_cursor c = kft_cursor_init(rec, size, s->p->in.swap);
	uint64_t v = 0;

	if (!kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES) ||
	    (type == KFT_PERF_RECORD_LOST && !kft_cursor_skip(&c, sizeof(v))) ||
	    !kft_cursor_u64(&c, &v))
		return 0;
	if (type == KFT_PERF_RECORD_LOST)
		return add_lost(s, pos, size, &place, v);
	if (type == KFT_PERF_RECORD_LOST_SAMPLES && s->p->counts_lost)
		return count_lost_samples(s, rec, size, v);
	if (type != KFT_PERF_RECORD_LOST_SAMPLES) {
		place.ts = v;
		s->has_throttle = true;
	}
	return add_shown(s, pos, size, &place);
}

static void count(struct kft_perf_scan *s, uint32_t type)
{
	if (type < KFT_PERF_COUNTED_TYPES && kft_perf_counted_names[type])
		s->counts[type]++;
	else if (type < KFT_PERF_RECORD_KERNEL_END && !kft_perf_maps_wants(type))
		s->others++;
}

static void count_aux(struct kft_perf_scan *s, uint32_t type, const uint8_t *rec,
		      size_t size, uint64_t trailing)
{
	struct kft_cursor c = kft_cursor_init(rec, size, s->p->in.swap);
	uint32_t kind;

	if (type == KFT_PERF_RECORD_AUXTRACE &&
	    kft_add(s->aux_bytes, trailing, &s->aux_bytes))
		s->aux_bytes = UINT64_MAX;
	if (type == KFT_PERF_RECORD_AUXTRACE_INFO &&
	    kft_cursor_skip(&c, KFT_PERF_RECORD_HEADER_BYTES) &&
	    kft_cursor_u32(&c, &kind))
		s->aux_kind = kind;
}

/*
 * Handles a record of perf's own, and moves the walk past the data
 * that follows the record.
 */
static int take_own(struct kft_perf_scan *s, uint64_t pos, uint32_t type,
		    const uint8_t *rec, size_t size)
{
	uint64_t trailing = kft_perf_trailing(type, rec, size, s->p->in.swap);
	uint64_t after = pos + size;
	int r = kft_perf_take_meta(s->p, type, rec, size, after, trailing);

	if (r < 0)
		return r;
	count_aux(s, type, rec, size, trailing);
	/* A block must not span this data, which could be mistaken for records. */
	if (trailing)
		s->contiguous = false;
	s->w.pos = trailing > s->p->end - after ? s->p->end : after + trailing;
	if (trailing)
		s->no_records_before = s->w.pos;
	if (s->w.pos == s->p->end && trailing > s->p->end - after)
		(void)kft_perf_damage(s->p, -ENODATA, s->p->end,
				      "the file ends in data of a record");
	return 0;
}

/*
 * Records that mean the same at any place but depend on all records before
 * them: a part can defer these.
 */
static bool can_wait(const struct kft_perf_scan *s, uint32_t type)
{
	return type == KFT_PERF_RECORD_COMM || type == KFT_PERF_RECORD_FORK ||
	       (type == KFT_PERF_RECORD_LOST_SAMPLES && s->p->counts_lost) ||
	       type >= KFT_PERF_RECORD_KERNEL_END;
}

static int defer(struct kft_perf_scan *s, uint64_t pos, uint32_t type)
{
	if (type == KFT_PERF_RECORD_FINISHED_ROUND)
		return 0;
	/*
	 * The data after these records is not a sequence of records, so the
	 * walk could lose its place.
	 */
	if (type == KFT_PERF_RECORD_TRACING_DATA || type == KFT_PERF_RECORD_AUXTRACE ||
	    s->deferred.len == KFT_PERF_MAX_DEFERRED)
		return -ECANCELED;
	return kft_vec_push(&s->deferred, pos) ? 0 : -ENOMEM;
}

static int take(struct kft_perf_scan *s, uint64_t pos, uint32_t type, const uint8_t *rec,
		size_t size)
{
	if (likely(type == KFT_PERF_RECORD_SAMPLE))
		return add_sample(s, pos, rec, size);
	if (s->is_part && can_wait(s, type))
		return defer(s, pos, type);
	if (kft_perf_is_shown(type))
		return add_other(s, pos, type, rec, size);
	if (type == KFT_PERF_RECORD_COMM || type == KFT_PERF_RECORD_FORK)
		kft_perf_tasks_add(&s->tasks, rec, size);
	else if (type >= KFT_PERF_RECORD_KERNEL_END)
		return take_own(s, pos, type, rec, size);
	else
		count(s, type);
	return 0;
}

/* Uncompresses the rest of the file; the records after pos are read from that copy. */
static int unpack(struct kft_perf_scan *s, uint64_t pos)
{
	uint64_t at = pos - s->p->start;
	int r = s->is_part ? -ECANCELED : kft_perf_unpack(s->p, at, s->e);

	if (r < 0)
		return r;
	s->to = s->p->end;
	kft_dat_walk_finish(&s->w);
	s->w = (struct kft_dat_walk){};
	r = kft_dat_walk_init(&s->w, &s->p->data, at);
	return r < 0 ? r : 1;
}

static int cut_off(struct kft_perf_scan *s, uint64_t pos)
{
	if (s->is_part)
		return -ECANCELED;
	if (s->w.failed < 0)
		(void)kft_perf_damage(s->p, s->w.failed, pos, "cannot be read");
	else if (!s->p->trace->unfinished)
		(void)kft_perf_damage(s->p, -ENODATA, pos, "the file ends in a record");
	return 0;
}

/* The block that the next record extends if it directly follows the last one. */
static struct kft_perf_block *open_block(const struct kft_perf_scan *s)
{
	const struct kft_perf_blocks *bs = s->last ? &s->last->blocks : NULL;

	return s->contiguous && bs && bs->list.len ? &bs->list.data[bs->list.len - 1]
						   : NULL;
}

/* The block to which plain records are appended in the fast path. */
struct plain_place {
	struct kft_perf_block *b;
	uint32_t cpu;
	/*
	 * The block's start as an offset into the window; wraps below 0 when
	 * it is before the window.
	 */
	uint64_t start;
};

static struct plain_place plain_place(const struct kft_perf_scan *s,
				      struct kft_perf_block *b)
{
	return (struct plain_place){b, s->last->cpu,
				    s->p->start + b->offset - s->w.window_pos};
}

/*
 * Switches to the block of another CPU that a record at pos can extend;
 * false when there is none.
 */
static bool switch_place(struct kft_perf_scan *s, uint32_t cpu, uint64_t pos,
			 struct plain_place *at)
{
	struct kft_perf_cpu *c = cpu < KFT_PERF_MAX_CPUS ? s->by_cpu[cpu] : NULL;
	struct kft_perf_block *b = c ? near_block(s, c, pos) : NULL;

	if (!b)
		return false;
	s->last = c;
	*at = plain_place(s, b);
	return true;
}

/* False when the record needs the slow path. */
static inline __attribute__((always_inline)) bool
add_plain_record(struct kft_perf_scan *s, const uint8_t *rec, size_t size, bool swap,
		 struct plain_place *at)
{
	const struct kft_perf_near *near = kft_perf_attrs_plain(&s->p->attrs, rec, size,
								swap);

	if (!near || near->index >= s->samples.len)
		return false;
	uint32_t cpu = kft_load_u32(rec + near->at_cpu, swap);
	size_t pos = rec - s->w.window;
	if (cpu != at->cpu && !switch_place(s, cpu, s->w.window_pos + pos, at))
		return false;
	uint64_t ts = kft_load_u64(rec + near->at_time, swap);
	uint64_t bytes = pos + size - at->start;
	if (bytes > KFT_PERF_BLOCK_BYTES || ts < at->b->max)
		return false;
	s->samples.data[near->index]++;
	at->b->max = ts;
	at->b->bytes = bytes;
	return true;
}

/*
 * The fast path for most records: samples of tracepoints, in order, that extend a block
 * of their CPU and are completely in the walk's window; and FINISHED_ROUND records of
 * perf. Leaves the walk at the first record of another kind.
 */
static inline __attribute__((always_inline)) void
add_plain_of(struct kft_perf_scan *s, struct kft_perf_block *b, bool swap)
{
	struct kft_dat_walk *w = &s->w;
	struct plain_place at = plain_place(s, b);
	const uint8_t *rec = w->window + (w->pos - w->window_pos);
	const uint64_t to = KFT_MIN(w->window_pos + w->window_len, s->to);
	const uint8_t *end = w->window + (KFT_MAX(to, w->pos) - w->window_pos);
	size_t size;

	for (; end - rec >= KFT_PERF_RECORD_HEADER_BYTES; rec += size) {
		uint32_t type = kft_load_u32(rec, swap);

		size = kft_load_u16(rec + 6, swap);
		if (size < KFT_PERF_RECORD_HEADER_BYTES || size > (size_t)(end - rec))
			break;
		if (unlikely(type == KFT_PERF_RECORD_FINISHED_ROUND))
			continue;
		if (type != KFT_PERF_RECORD_SAMPLE ||
		    !add_plain_record(s, rec, size, swap, &at))
			break;
	}
	w->pos = w->window_pos + (rec - w->window);
}

static void add_plain(struct kft_perf_scan *s)
{
	struct kft_perf_block *b = open_block(s);
	struct kft_dat_walk *w = &s->w;

	if (!b || w->pos < w->window_pos || w->pos - w->window_pos > w->window_len)
		return;
	if (s->p->attrs.swap)
		add_plain_of(s, b, true);
	else
		add_plain_of(s, b, false);
}

/* 1 when there may be more records, 0 at the end, -errno. */
static int next(struct kft_perf_scan *s)
{
	add_plain(s);
	struct kft_perf *p = s->p;
	uint64_t pos = s->w.pos;
	const uint8_t *rec;

	if (pos >= s->to)
		return 0;
	if (p->end - pos < KFT_PERF_RECORD_HEADER_BYTES ||
	    !kft_dat_walk_bytes(&s->w, KFT_PERF_RECORD_HEADER_BYTES, &rec))
		return cut_off(s, pos);
	uint32_t type = kft_load_u32(rec, p->in.swap);
	uint16_t size = kft_load_u16(rec + 6, p->in.swap);
	if (size < KFT_PERF_RECORD_HEADER_BYTES) {
		if (s->is_part)
			return -ECANCELED;
		(void)kft_perf_damage(p, -EBADMSG, pos, "a record of %u bytes", size);
		return 0;
	}
	if (p->spool_fd < 0 &&
	    (type == KFT_PERF_RECORD_COMPRESSED || type == KFT_PERF_RECORD_COMPRESSED2))
		return unpack(s, pos);
	s->w.pos = pos;
	if (size > p->end - pos || !kft_dat_walk_bytes(&s->w, size, &rec))
		return cut_off(s, pos);
	int r = kft_perf_maps_wants(type) ? kft_perf_maps_note(&s->maps, pos - p->start)
					  : 0;
	if (r == 0)
		r = take(s, pos, type, rec, size);
	return r < 0 ? r : 1;
}

int kft_perf_scan_run(struct kft_perf_scan *s)
{
	int r;

	while ((r = next(s)) > 0)
		;
	return r;
}

static int join_cpu(struct kft_perf_scan *s, const struct kft_perf_cpu *later)
{
	struct kft_perf_cpu *cpu = get_cpu(s, later->cpu);

	if (!cpu)
		return -ENOMEM;
	cpu->lost += later->lost;
	return kft_perf_blocks_append(&cpu->blocks, &later->blocks);
}

static int join_samples(struct kft_perf_scan *s, const struct kft_perf_scan *later)
{
	while (s->samples.len < later->samples.len)
		if (!kft_vec_push(&s->samples, 0))
			return -ENOMEM;
	for (size_t i = 0; i < later->samples.len; i++)
		s->samples.data[i] += later->samples.data[i];
	return 0;
}

int kft_perf_scan_join(struct kft_perf_scan *s, const struct kft_perf_scan *later)
{
	int r = join_samples(s, later);

	for (size_t i = 0; i < KFT_PERF_MAX_CPUS && r == 0; i++)
		if (later->by_cpu[i])
			r = join_cpu(s, later->by_cpu[i]);
	for (size_t i = 0; i < later->deferred.len && r == 0; i++)
		r = kft_vec_push(&s->deferred, later->deferred.data[i]) ? 0 : -ENOMEM;
	for (size_t i = 0; i < later->maps.len && r == 0; i++)
		r = kft_perf_maps_note(&s->maps, later->maps.data[i]);
	for (size_t i = 0; i < KFT_PERF_COUNTED_TYPES; i++)
		s->counts[i] += later->counts[i];
	s->others += later->others;
	s->unknown += later->unknown;
	s->n_blocks += later->n_blocks;
	s->has_throttle = s->has_throttle || later->has_throttle;
	return r;
}

int kft_perf_scan_deferred(struct kft_perf_scan *s)
{
	s->is_part = false;
	kft_vec_for_each(&s->deferred, pos) {
		const uint8_t *rec;

		s->w.pos = *pos;
		/*
		 * The same offset was read during the scan; it fails only
		 * when the file changed since.
		 */
		if (!kft_dat_walk_bytes(&s->w, KFT_PERF_RECORD_HEADER_BYTES, &rec))
			return cut_off(s, *pos);
		uint32_t type = kft_load_u32(rec, s->p->in.swap);
		uint16_t size = kft_load_u16(rec + 6, s->p->in.swap);
		s->w.pos = *pos;
		if (size < KFT_PERF_RECORD_HEADER_BYTES ||
		    !kft_dat_walk_bytes(&s->w, size, &rec))
			return cut_off(s, *pos);
		int r = take(s, *pos, type, rec, size);
		if (r < 0)
			return r;
	}
	return 0;
}
