// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/perf/scan.h"

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "file/perf/meta.h"
#include "file/perf/tasks.h"
#include "file/perf/unpack.h"

/* Of records that are counted by name; all others are counted together. */
#define COUNTED_TYPES 32

struct scan {
	struct kft_perf *p;
	struct kft_dat_walk w;
	struct kft_perf_tasks tasks;
	struct kft_perf_cpu *by_cpu[KFT_PERF_MAX_CPUS];
	struct kft_perf_cpu *last; /* of the last record that is shown */
	bool contiguous; /* nothing was between it and the next one */
	size_t n_blocks; /* that there may be before they are thinned out */
	uint32_t span;

	uint64_t counts[COUNTED_TYPES]; /* not shown */
	uint64_t others;
	uint64_t unknown; /* samples of nobody */
	uint64_t no_cpu; /* samples */
	uint64_t no_time;
	uint64_t lost_anywhere; /* samples */
	struct kft_err *e;
};

/* By enum kft_perf_record: what is read and not shown. */
static const char *const names[COUNTED_TYPES] = {
	[1] = "mmap",	     [4] = "exit",
	[8] = "read",	     [10] = "mmap2",
	[11] = "aux",	     [12] = "itrace_start",
	[14] = "switch",     [15] = "switch_cpu_wide",
	[16] = "namespaces", [17] = "ksymbol",
	[18] = "bpf_event",  [19] = "cgroup",
	[20] = "text_poke",  [21] = "aux_output_hw_id",
};

static void finish(struct scan *s)
{
	kft_dat_walk_finish(&s->w);
	kft_perf_tasks_finish(&s->tasks);
	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++) {
		if (!s->by_cpu[i])
			continue;
		kft_perf_blocks_finish(&s->by_cpu[i]->blocks);
		free(s->by_cpu[i]);
	}
	free(s);
}

static void finishp(struct scan **s)
{
	if (*s)
		finish(*s);
}

static struct kft_perf_cpu *get_cpu(struct scan *s, uint32_t cpu)
{
	if (unlikely(!s->by_cpu[cpu])) {
		s->by_cpu[cpu] = calloc(1, sizeof(*s->by_cpu[cpu]));
		if (s->by_cpu[cpu])
			s->by_cpu[cpu]->cpu = cpu;
	}
	return s->by_cpu[cpu];
}

static size_t count_blocks(const struct scan *s)
{
	size_t n = 0;

	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++)
		n += s->by_cpu[i] ? s->by_cpu[i]->blocks.list.len : 0;
	return n;
}

/* Longer blocks until there are half as many as there may be. False: that cannot be. */
static bool thin(struct scan *s)
{
	for (;;) {
		for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++)
			if (s->by_cpu[i])
				kft_perf_blocks_thin(&s->by_cpu[i]->blocks, s->span);
		s->n_blocks = count_blocks(s);
		if (s->n_blocks <= KFT_PERF_MAX_BLOCKS / 2)
			return true;
		if (s->span == KFT_PERF_SPAN_BYTES)
			return s->n_blocks < KFT_PERF_MAX_BLOCKS;
		s->span *= 2;
	}
}

/* The latest time of the CPU so far: what does not say when is shown where it stands. */
static uint64_t time_before(const struct kft_perf_cpu *cpu)
{
	size_t n = cpu->blocks.list.len;

	return n ? cpu->blocks.list.data[n - 1].max : 0;
}

static int add_shown(struct scan *s, uint64_t pos, size_t size,
		     const struct kft_perf_place *place)
{
	struct kft_perf_cpu *cpu = place->cpu == KFT_PERF_NO_CPU ? s->last
								 : get_cpu(s, place->cpu);

	/* Whose it is nobody knows, and nobody comes before it. */
	if (!cpu)
		return place->cpu == KFT_PERF_NO_CPU ? 0 : -ENOMEM;
	size_t before = cpu->blocks.list.len;
	int r = kft_perf_blocks_add(&cpu->blocks, pos - s->p->start, size,
				    s->contiguous && cpu == s->last,
				    place->ts ? place->ts : time_before(cpu));
	s->contiguous = true;
	s->last = cpu;
	s->n_blocks += cpu->blocks.list.len - before;
	if (likely(r < 0 || s->n_blocks < KFT_PERF_MAX_BLOCKS))
		return r;
	s->contiguous = false;
	if (thin(s))
		return 0;
	return kft_perf_damage(s->p, -EFBIG, pos,
			       "the records of its CPUs stand in more than %u places",
			       KFT_PERF_MAX_BLOCKS);
}

static int add_sample(struct scan *s, uint64_t pos, const uint8_t *rec, size_t size)
{
	struct kft_perf_place place = kft_perf_place_of_sample(s->p, rec, size);

	if (unlikely(!place.attr)) {
		s->unknown++;
		return 0;
	}
	place.attr->samples++;
	s->no_cpu += !place.attr->at_cpu;
	s->no_time += !place.attr->at_time;
	return add_shown(s, pos, size, &place);
}

/*
 * Samples that an event counted as lost, on the CPU that the id behind the record is of.
 * LOST records tell most of these, at their place.
 */
static int count_lost_samples(struct scan *s, const uint8_t *rec, size_t size, uint64_t n)
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

static int add_lost(struct scan *s, uint64_t pos, size_t size,
		    const struct kft_perf_place *place, uint64_t n)
{
	int r = add_shown(s, pos, size, place);

	/* Where it was added. */
	if (r == 0 && s->last)
		s->last->lost += n;
	return r;
}

/* LOST: u64 id, u64 lost; LOST_SAMPLES: u64 lost; THROTTLE and UNTHROTTLE: u64 time */
static int add_other(struct scan *s, uint64_t pos, uint32_t type, const uint8_t *rec,
		     size_t size)
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
		s->p->has_throttle = true;
	}
	return add_shown(s, pos, size, &place);
}

static void count(struct scan *s, uint32_t type)
{
	if (type < COUNTED_TYPES && names[type])
		s->counts[type]++;
	else if (type < KFT_PERF_RECORD_KERNEL_END)
		s->others++;
}

/* A record of perf's own. Positions the walk behind what follows the record. */
static int take_own(struct scan *s, uint64_t pos, uint32_t type, const uint8_t *rec,
		    size_t size)
{
	uint64_t trailing = kft_perf_trailing(type, rec, size, s->p->in.swap);
	uint64_t after = pos + size;
	int r = kft_perf_take_meta(s->p, type, rec, size, after, trailing);

	if (r < 0)
		return r;
	/* Between two records of one CPU it must not be taken for records. */
	if (trailing)
		s->contiguous = false;
	s->w.pos = trailing > s->p->end - after ? s->p->end : after + trailing;
	if (s->w.pos == s->p->end && trailing > s->p->end - after)
		(void)kft_perf_damage(s->p, -ENODATA, s->p->end,
				      "the file ends in data of a record");
	return 0;
}

static int take(struct scan *s, uint64_t pos, uint32_t type, const uint8_t *rec,
		size_t size)
{
	if (likely(type == KFT_PERF_RECORD_SAMPLE))
		return add_sample(s, pos, rec, size);
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

/* From now on records come from where they are not compressed. */
static int unpack(struct scan *s, uint64_t pos)
{
	uint64_t at = pos - s->p->start;
	int r = kft_perf_unpack(s->p, at, s->e);

	if (r < 0)
		return r;
	kft_dat_walk_finish(&s->w);
	s->w = (struct kft_dat_walk){};
	r = kft_dat_walk_init(&s->w, &s->p->data, at);
	return r < 0 ? r : 1;
}

static int cut_off(struct scan *s, uint64_t pos)
{
	if (s->w.failed < 0)
		(void)kft_perf_damage(s->p, s->w.failed, pos, "cannot be read");
	else if (!s->p->trace->unfinished)
		(void)kft_perf_damage(s->p, -ENODATA, pos, "the file ends in a record");
	return 0;
}

/* The block that the next record goes on, as long as nothing else comes between. */
static struct kft_perf_block *open_block(const struct scan *s)
{
	const struct kft_perf_blocks *bs = s->last ? &s->last->blocks : NULL;

	return s->contiguous && bs && bs->list.len ? &bs->list.data[bs->list.len - 1]
						   : NULL;
}

/*
 * What most records are: samples of tracepoints on the CPU of the one before, in order,
 * all there in the walk's window. Leaves the walk at the first one that is not.
 */
static void add_plain(struct scan *s)
{
	const struct kft_perf_attrs *as = &s->p->attrs;
	struct kft_perf_block *b = open_block(s);
	struct kft_dat_walk *w = &s->w;

	if (!b || w->pos < w->window_pos || w->pos - w->window_pos > w->window_len)
		return;
	const uint64_t end = KFT_MIN(w->window_pos + w->window_len, s->p->end);
	const uint64_t block_end = s->p->start + b->offset + KFT_PERF_BLOCK_BYTES;

	while (w->pos < end && end - w->pos >= KFT_PERF_RECORD_HEADER_BYTES) {
		const uint8_t *rec = w->window + (w->pos - w->window_pos);
		uint16_t size = kft_load_u16(rec + 6, as->swap);

		if (kft_load_u32(rec, as->swap) != KFT_PERF_RECORD_SAMPLE ||
		    size > end - w->pos || w->pos + size > block_end)
			return;
		struct kft_perf_attr *a = kft_perf_attrs_of(as, rec, size);
		if (!a || !a->is_plain ||
		    kft_load_u32(rec + a->at_cpu, as->swap) != s->last->cpu)
			return;
		uint64_t ts = kft_load_u64(rec + a->at_time, as->swap);
		if (ts < b->max)
			return;
		a->samples++;
		b->max = ts;
		w->pos += size;
		b->bytes = w->pos - s->p->start - b->offset;
	}
}

/* 1 when there may be more records, 0 when there are none, -errno. */
static int next(struct scan *s)
{
	add_plain(s);
	struct kft_perf *p = s->p;
	uint64_t pos = s->w.pos;
	const uint8_t *rec;

	if (pos >= p->end)
		return 0;
	if (p->end - pos < KFT_PERF_RECORD_HEADER_BYTES ||
	    !kft_dat_walk_bytes(&s->w, KFT_PERF_RECORD_HEADER_BYTES, &rec))
		return cut_off(s, pos);
	uint32_t type = kft_load_u32(rec, p->in.swap);
	uint16_t size = kft_load_u16(rec + 6, p->in.swap);
	if (size < KFT_PERF_RECORD_HEADER_BYTES) {
		(void)kft_perf_damage(p, -EBADMSG, pos, "a record of %u bytes", size);
		return 0;
	}
	if (p->spool_fd < 0 &&
	    (type == KFT_PERF_RECORD_COMPRESSED || type == KFT_PERF_RECORD_COMPRESSED2))
		return unpack(s, pos);
	s->w.pos = pos;
	if (size > p->end - pos || !kft_dat_walk_bytes(&s->w, size, &rec))
		return cut_off(s, pos);
	int r = take(s, pos, type, rec, size);
	return r < 0 ? r : 1;
}

static void note_counts(struct scan *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (size_t i = 0; i < COUNTED_TYPES; i++) {
		if (!s->counts[i])
			continue;
		kft_strbuf_addf(&sb, "%s%" PRIu64 " %s", sb.len ? ", " : "", s->counts[i],
				names[i]);
	}
	if (s->others)
		kft_strbuf_addf(&sb, "%s%" PRIu64 " that kft does not know",
				sb.len ? ", " : "", s->others);
	if (sb.len)
		kft_trace_note(s->p->trace, s->p->start, "records that are not shown: %s",
			       kft_strbuf_cstr(&sb));
}

static void note_count(struct scan *s, uint64_t n, const char *what)
{
	if (n)
		kft_trace_note(s->p->trace, s->p->start, "%" PRIu64 " %s", n, what);
}

static void note_all(struct scan *s)
{
	char buf[256];

	note_counts(s);
	note_count(s, s->unknown,
		   "samples are of no event that the file describes: not shown");
	note_count(s, s->no_cpu, "samples do not say their CPU: shown as of CPU 0");
	note_count(s, s->no_time, "samples do not say their time: shown as 0");
	note_count(s, s->lost_anywhere, "samples were lost, it does not say where");
	kft_vec_for_each(&s->p->attrs.list, a) {
		const char *what = kft_perf_attr_hidden(a, buf, sizeof(buf));

		if (a->samples && *what)
			kft_trace_note(s->p->trace, s->p->start,
				       "of %" PRIu64 " samples of event '%s' this is not "
				       "shown: %s",
				       a->samples, a->name ? a->name : "", what);
	}
	kft_perf_tasks_end(&s->tasks);
	if (s->tasks.full)
		kft_trace_note(s->p->trace, s->p->start,
			       "some names of tasks are missing: too many");
}

static int keep_cpus(struct scan *s)
{
	for (size_t i = 0; i < KFT_PERF_MAX_CPUS; i++) {
		if (!s->by_cpu[i])
			continue;
		if (!kft_vec_push(&s->p->cpus, s->by_cpu[i]))
			return -ENOMEM;
		s->by_cpu[i] = NULL;
	}
	return 0;
}

int kft_perf_scan(struct kft_perf *p, struct kft_err *e)
{
	_cleanup_(finishp) struct scan *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->p = p;
	s->e = e;
	s->span = 2 * KFT_PERF_BLOCK_BYTES;
	s->tasks.p = p;
	p->trace->tasks.arena.limit_bytes = KFT_PERF_MAX_TASK_BYTES;
	r = kft_dat_walk_init(&s->w, &p->data, p->start);
	if (r < 0)
		return r;
	while ((r = next(s)) > 0)
		;
	/* Too much of something is damage: what was found by then is shown. */
	if (r < 0 && (r != -EFBIG || e->code))
		return r;
	note_all(s);
	return keep_cpus(s);
}
