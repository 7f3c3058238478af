// SPDX-License-Identifier: LGPL-2.1-or-later
/* Corrects time stamps as trace-cmd does. */
#include "file/tracedat/read/stamps.h"

#include <errno.h>

#include "file/tracedat/format.h"

#define SYNC_INTERPOLATE 1 /* TRACECMD_TSYNC_FLAG_INTERPOLATE */

void kft_dat_stamps_finish(struct kft_dat_stamps *s)
{
	kft_vec_for_each(&s->cpus, cpu)
		kft_vec_finish(&cpu->samples);
	kft_vec_finish(&s->cpus);
}

bool kft_dat_stamps_change(const struct kft_dat_stamps *s, uint32_t cpu)
{
	return s->mult || s->add || (cpu < s->cpus.len && s->cpus.data[cpu].samples.len);
}

/*
 * The last sample at or before ts that is not the last of all; otherwise the first one.
 */
static const struct kft_dat_sync_sample *sample_at(const struct kft_dat_sync *sync,
						   uint64_t ts)
{
	size_t lo = 0;
	size_t hi = sync->samples.len - 1;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (sync->samples.data[mid].time <= ts)
			lo = mid;
		else
			hi = mid;
	}
	return &sync->samples.data[lo];
}

/*
 * Between two samples the offset is interpolated; rounding and overflow are
 * the same as trace-cmd's.
 */
static int64_t offset_at(const struct kft_dat_sync_sample *s, uint64_t ts)
{
	int64_t delta = (int64_t)(s[1].time - s[0].time);
	uint64_t change = (uint64_t)s[1].offset - (uint64_t)s[0].offset;

	if (delta <= 0)
		return s[0].offset;
	uint64_t moved = (ts - s[0].time) * change + (uint64_t)delta / 2;
	return (int64_t)((uint64_t)s[0].offset + (uint64_t)((int64_t)moved / delta));
}

static uint64_t synchronize(const struct kft_dat_stamps *stamps,
			    const struct kft_dat_sync *sync, uint64_t ts)
{
	const struct kft_dat_sync_sample *s = sync->samples.data;

	if (sync->samples.len == 1)
		return ts + (uint64_t)s->offset;
	s = sample_at(sync, ts);
	int64_t offset = stamps->interpolate ? offset_at(s, ts) : s->offset;
	return (ts * s->scaling >> s->fraction) + (uint64_t)offset;
}

/* ts * mult >> shift with the product in 96 bits. */
static uint64_t scale(uint64_t ts, uint32_t mult, uint32_t shift)
{
	uint64_t low = (ts & UINT32_MAX) * mult;
	uint64_t high = (ts >> 32) * mult;

	if (shift <= 32)
		return (low >> shift) + (high << (32 - shift));
	return (high + (low >> 32)) >> (shift - 32);
}

uint64_t kft_dat_stamp(const struct kft_dat_stamps *s, uint32_t cpu, uint64_t ts)
{
	if (cpu < s->cpus.len && s->cpus.data[cpu].samples.len)
		ts = synchronize(s, &s->cpus.data[cpu], ts);
	if (s->mult)
		ts = scale(ts, s->mult, s->shift);
	return ts + s->add;
}

int kft_dat_stamps_tsc2nsec(struct kft_dat_stamps *s, struct kft_cursor *c)
{
	uint32_t mult;
	uint32_t shift;

	/*
	 * The option's offset is not read: trace-cmd uses it only for a
	 * host and its guest together.
	 */
	if (!kft_cursor_u32(c, &mult) || !kft_cursor_u32(c, &shift) || shift > 63)
		return -EBADMSG;
	s->mult = mult;
	s->shift = shift;
	return 0;
}

int kft_dat_stamps_add_text(struct kft_dat_stamps *s, struct kft_cursor *c, int64_t unit)
{
	char text[64] = "";
	size_t len = kft_cursor_left(c);
	const uint8_t *p;

	if (len >= sizeof(text) || !kft_cursor_bytes(c, len, &p))
		return -EBADMSG;
	memcpy(text, p, len);
	char *end;
	long long v = strtoll(text, &end, 0);
	if (end == text)
		return -EBADMSG;
	s->add += (uint64_t)v * (uint64_t)unit;
	return 0;
}

static int by_time(const void *pa, const void *pb)
{
	const struct kft_dat_sync_sample *a = pa;
	const struct kft_dat_sync_sample *b = pb;

	return a->time < b->time ? -1 : a->time > b->time;
}

static void sort_samples(struct kft_dat_sync *sync)
{
	size_t kept = 0;

	if (!sync->samples.len)
		return;
	qsort(sync->samples.data, sync->samples.len, sizeof(*sync->samples.data),
	      by_time);
	kft_vec_for_each(&sync->samples, s)
		if (!kept || s->time != sync->samples.data[kept - 1].time)
			sync->samples.data[kept++] = *s;
	sync->samples.len = kept;
}

/*
 * TIME_SHIFT, for each CPU: u32 count, then arrays of count: times,
 * offsets, scaling ratios.
 */
static int read_sync(struct kft_dat_sync *sync, struct kft_cursor *c)
{
	uint32_t n;
	struct kft_cursor offsets;
	struct kft_cursor ratios;
	struct kft_cursor times;

	if (!kft_cursor_u32(c, &n) || n > kft_cursor_left(c) / 24 ||
	    !kft_cursor_sub(c, (size_t)n * 8, &times) ||
	    !kft_cursor_sub(c, (size_t)n * 8, &offsets) ||
	    !kft_cursor_sub(c, (size_t)n * 8, &ratios))
		return -EBADMSG;
	for (uint32_t i = 0; i < n; i++) {
		struct kft_dat_sync_sample s = {};
		uint64_t offset;

		if (!kft_cursor_u64(&times, &s.time) ||
		    !kft_cursor_u64(&offsets, &offset) ||
		    !kft_cursor_u64(&ratios, &s.scaling))
			return -EBADMSG;
		s.offset = (int64_t)offset;
		if (!kft_vec_push(&sync->samples, s))
			return -ENOMEM;
	}
	return 0;
}

/* Later versions of trace-cmd append the fraction bits of all ratios. */
static int read_fractions(struct kft_dat_stamps *stamps, struct kft_cursor *c)
{
	if (!kft_cursor_left(c))
		return 0;
	kft_vec_for_each(&stamps->cpus, cpu) {
		kft_vec_for_each(&cpu->samples, s)
			if (!kft_cursor_u64(c, &s->fraction) || s->fraction > 63)
				return -EBADMSG;
	}
	return 0;
}

static int read_time_shift(struct kft_dat_stamps *s, struct kft_cursor *c)
{
	uint64_t peer;
	uint32_t flags;
	uint32_t n;

	if (!kft_cursor_u64(c, &peer) || !kft_cursor_u32(c, &flags) ||
	    !kft_cursor_u32(c, &n) || n > KFT_TRACEDAT_MAX_CPUS)
		return -EBADMSG;
	s->interpolate = flags & SYNC_INTERPOLATE;
	for (uint32_t i = 0; i < n; i++) {
		if (!kft_vec_push(&s->cpus, (struct kft_dat_sync){}))
			return -ENOMEM;
		int r = read_sync(&s->cpus.data[i], c);
		if (r < 0)
			return r;
	}
	return read_fractions(s, c);
}

int kft_dat_stamps_time_shift(struct kft_dat_stamps *s, struct kft_cursor *c)
{
	struct kft_dat_stamps read = {};
	int r = read_time_shift(&read, c);

	if (r < 0) {
		/* A partial table would shift only some CPUs. */
		kft_dat_stamps_finish(&read);
		return r;
	}
	kft_vec_for_each(&read.cpus, cpu)
		sort_samples(cpu);
	kft_dat_stamps_finish(s);
	s->cpus.data = read.cpus.data;
	s->cpus.len = read.cpus.len;
	s->cpus.cap = read.cpus.cap;
	s->interpolate = read.interpolate;
	return 0;
}
