// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the events that a record of perf.data is shown as. */
#include "file/perf/events.h"

#include <errno.h>

#include "file/perf/classes.h"

/*
 * Bytes of made-up records between two clears; a record needs at most
 * twice its sample's size.
 */
#define STAGE_BYTES ((size_t)256 << 10)

/*
 * Room for a made-up record; NULL when the stage is full until the next
 * clear, or when out of memory.
 */
static uint8_t *stage(struct kft_perf_events *s, size_t size)
{
	if (!s->stage)
		s->stage = malloc(STAGE_BYTES);
	if (!s->stage || size > STAGE_BYTES - s->stage_len)
		return NULL;
	uint8_t *p = s->stage + s->stage_len;
	/* The next record is aligned to 8 bytes, too. */
	s->stage_len += (size + 7) & ~(size_t)7;
	s->stage_len = KFT_MIN(s->stage_len, STAGE_BYTES);
	return p;
}

static void put_u16(const struct kft_perf_events *s, uint8_t *p, uint16_t v)
{
	v = s->p->in.swap ? __builtin_bswap16(v) : v;
	memcpy(p, &v, sizeof(v));
}

/*
 * Fills in common_type and common_pid; perf does not record common_flags
 * and common_preempt_count.
 */
static void put_common(const struct kft_perf_events *s, uint8_t *p, uint16_t id)
{
	const struct kft_perf_attr *a = s->place.attr;

	memset(p, 0, KFT_PERF_COMMON_BYTES);
	put_u16(s, p, id);
	if (a && a->at_tid)
		memcpy(p + 4, s->rec + a->at_tid + 4, sizeof(uint32_t));
}

static const uint8_t *part_in_sample(const struct kft_perf_events *s,
				     enum kft_perf_part part, size_t *ret_len)
{
	const struct kft_perf_attr *a = s->place.attr;
	const uint16_t at[KFT_PERF_N_PARTS] = {
		[KFT_PERF_PART_IP] = a->at_ip,
		[KFT_PERF_PART_ADDR] = a->at_addr,
		[KFT_PERF_PART_PERIOD] = a->at_period,
		[KFT_PERF_PART_TGID] = a->at_tid,
	};

	*ret_len = part == KFT_PERF_PART_RAW ? s->sample.raw_size
					     : kft_perf_part_bytes(part);
	return part == KFT_PERF_PART_RAW ? s->sample.raw : s->rec + at[part];
}

/*
 * Makes an event with the sample's parts. 1, 0 when it is not wanted,
 * -EAGAIN when the stage is full.
 */
static int make_sampled(struct kft_perf_events *s, struct kft_event *ev)
{
	const struct kft_perf_attr *a = s->place.attr;
	size_t len;

	if (!kft_id_wanted(s->wanted, a->id) || !a->id)
		return 0;
	uint8_t *p = stage(s, KFT_PERF_COMMON_BYTES + 4 * 8 + s->sample.raw_size);
	if (!p)
		return -EAGAIN;
	put_common(s, p, a->id);
	ev->id = a->id;
	ev->data = p;
	ev->size = KFT_PERF_COMMON_BYTES;
	for (size_t i = 0; i < KFT_PERF_N_PARTS; i++) {
		if (!kft_perf_has_part(a, i))
			continue;
		const uint8_t *from = part_in_sample(s, i, &len);
		memcpy(p + ev->size, from, len);
		ev->size += len;
	}
	return 1;
}

/* Borrows the kernel's own record, which is the one that ftrace would have written. */
static int borrow_raw(struct kft_perf_events *s, struct kft_event *ev)
{
	if (s->sample.raw_size < sizeof(uint16_t))
		return -EBADMSG;
	ev->id = kft_load_u16(s->sample.raw, s->p->in.swap);
	ev->data = s->sample.raw;
	ev->size = s->sample.raw_size;
	return kft_id_wanted(s->wanted, ev->id);
}

/* THROTTLE, UNTHROTTLE: u64 time, u64 id */
static int make_throttle(struct kft_perf_events *s, struct kft_event *ev)
{
	bool ends = kft_load_u32(s->rec, s->p->in.swap) == KFT_PERF_RECORD_UNTHROTTLE;

	ev->id = ends ? s->p->unthrottle_id : s->p->throttle_id;
	if (s->rec_size < 24 || !ev->id || !kft_id_wanted(s->wanted, ev->id))
		return 0;
	uint8_t *p = stage(s, KFT_PERF_COMMON_BYTES + sizeof(uint64_t));
	if (!p)
		return -EAGAIN;
	put_common(s, p, ev->id);
	memcpy(p + KFT_PERF_COMMON_BYTES, s->rec + 16, sizeof(uint64_t));
	ev->data = p;
	ev->size = KFT_PERF_COMMON_BYTES + sizeof(uint64_t);
	return 1;
}

/* Stores a u64 address of the file as one long of the traced machine. */
static void put_address(const struct kft_perf_events *s, uint8_t *p, uint64_t addr)
{
	bool swap = s->p->in.swap;

	if (s->p->trace->meta.long_size == sizeof(uint64_t)) {
		addr = swap ? __builtin_bswap64(addr) : addr;
		memcpy(p, &addr, sizeof(addr));
	} else {
		uint32_t v = swap ? __builtin_bswap32(addr) : addr;

		memcpy(p, &v, sizeof(v));
	}
}

/* The part of the call chain in the kernel, or the part in user space. */
static int make_stack(struct kft_perf_events *s, uint16_t id, bool user,
		      struct kft_event *ev)
{
	uint32_t word = s->p->trace->meta.long_size;
	bool in_user = (kft_load_u16(s->rec + 4, s->p->in.swap) &
			KFT_PERF_MISC_CPUMODE) == KFT_PERF_MISC_CPUMODE_USER;
	uint32_t size = KFT_PERF_COMMON_BYTES;

	if (!s->sample.chain_len || !id || !kft_id_wanted(s->wanted, id))
		return 0;
	uint8_t *p = stage(s, size + (size_t)s->sample.chain_len * word);
	if (!p)
		return -EAGAIN;
	for (uint32_t i = 0; i < s->sample.chain_len; i++) {
		uint64_t addr = kft_load_u64(s->sample.chain + i * sizeof(addr),
					     s->p->in.swap);

		if (addr >= KFT_PERF_CONTEXT_MAX) {
			in_user = addr == KFT_PERF_CONTEXT_USER;
		} else if (in_user == user) {
			put_address(s, p + size, addr);
			size += word;
		}
	}
	if (size == KFT_PERF_COMMON_BYTES) {
		s->stage_len = p - s->stage;
		return 0;
	}
	put_common(s, p, id);
	ev->id = id;
	ev->data = p;
	ev->size = size;
	return 1;
}

static int make_event(struct kft_perf_events *s, struct kft_event *ev)
{
	if (!s->place.attr)
		return make_throttle(s, ev);
	return s->place.attr->is_raw_event ? borrow_raw(s, ev) : make_sampled(s, ev);
}

/* The events of one record, in the order in which they are returned. */
enum step {
	STEP_EVENT,
	STEP_KERNEL_STACK,
	STEP_USER_STACK,
	STEP_DONE,
};

static int make_step(struct kft_perf_events *s, struct kft_event *ev)
{
	if (s->step == STEP_EVENT)
		return make_event(s, ev);
	if (!s->place.attr)
		return 0;
	return s->step == STEP_USER_STACK
		       ? make_stack(s, s->p->user_stack_id, true, ev)
		       : make_stack(s, s->p->kernel_stack_id, false, ev);
}

int kft_perf_events_next(struct kft_perf_events *s, struct kft_event *ret)
{
	int r = 0;

	while (s->step != STEP_DONE && r == 0) {
		r = make_step(s, ret);
		if (r != -EAGAIN)
			s->step++;
	}
	if (r > 0)
		ret->ts = s->place.ts;
	return r;
}

void kft_perf_events_init(struct kft_perf_events *s, const struct kft_perf *p)
{
	*s = (struct kft_perf_events){.p = p, .step = STEP_DONE};
}

void kft_perf_events_finish(struct kft_perf_events *s)
{
	free(s->stage);
	s->stage = NULL;
}

void kft_perf_events_clear(struct kft_perf_events *s)
{
	s->stage_len = 0;
}

void kft_perf_events_drop(struct kft_perf_events *s)
{
	s->step = STEP_DONE;
}

int kft_perf_events_take(struct kft_perf_events *s, const uint8_t *rec, size_t size,
			 const struct kft_perf_place *place)
{
	s->rec = rec;
	s->rec_size = size;
	s->place = *place;
	s->sample = (struct kft_perf_sample){};
	s->step = STEP_DONE;
	if (place->attr &&
	    !kft_perf_sample_parse(place->attr, s->p->in.swap, rec, size, &s->sample))
		return -EBADMSG;
	s->step = STEP_EVENT;
	return 0;
}
