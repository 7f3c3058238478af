// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compiles a perf_event_attr into the offsets of the parts of its samples. */
#include "file/perf/attr.h"

#include <errno.h>
#include <stdio.h>

/* Names of the sample parts that kft does not show, by bit number of sample_type. */
static const struct {
	unsigned int bit;
	const char *what;
} hidden[] = {
	{4, "counter values"},	{11, "branches"},  {12, "user registers"},
	{13, "user stack"},	{14, "weight"},	   {15, "data source"},
	{17, "transaction"},	{18, "registers"}, {19, "physical address"},
	{20, "aux data"},	{21, "cgroup"},	   {22, "data page size"},
	{23, "code page size"}, {24, "weight"},
};

void kft_perf_attrs_finish(struct kft_perf_attrs *as)
{
	kft_vec_finish(&as->list);
	kft_map_finish(&as->by_id);
}

/*
 * Bit 0 of a bit field is the lowest bit of a byte on little-endian machines and the
 * highest on big-endian ones.
 */
static bool flag(const struct kft_perf_attrs *as, const uint8_t *field, unsigned int bit)
{
	unsigned int in_byte = as->big_endian ? 7 - bit % 8 : bit % 8;

	return field[bit / 8] >> in_byte & 1;
}

/* The parts stand in the order of PERF_RECORD_SAMPLE in perf_event_open(2). */
static void compile_sample(struct kft_perf_attr *a)
{
	const struct {
		uint64_t bit;
		uint16_t *at;
	} parts[] = {
		{KFT_PERF_SAMPLE_IDENTIFIER, &a->at_identity},
		{KFT_PERF_SAMPLE_IP, &a->at_ip},
		{KFT_PERF_SAMPLE_TID, &a->at_tid},
		{KFT_PERF_SAMPLE_TIME, &a->at_time},
		{KFT_PERF_SAMPLE_ADDR, &a->at_addr},
		{KFT_PERF_SAMPLE_ID, &a->at_identity},
		{KFT_PERF_SAMPLE_STREAM_ID, NULL},
		{KFT_PERF_SAMPLE_CPU, &a->at_cpu},
		{KFT_PERF_SAMPLE_PERIOD, &a->at_period},
	};
	uint16_t at = KFT_PERF_RECORD_HEADER_BYTES;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(a->sample_type & parts[i].bit))
			continue;
		/*
		 * IDENTIFIER comes first and has the same value as
		 * ID, so its offset is kept.
		 */
		if (parts[i].at && !*parts[i].at)
			*parts[i].at = at;
		at += sizeof(uint64_t);
	}
	a->fixed_end = at;
}

/*
 * struct sample_id of perf_event_open(2); offsets are counted back from the record's end.
 */
static void compile_other(struct kft_perf_attr *a)
{
	const struct {
		uint64_t bit;
		uint16_t *back;
	} parts[] = {
		{KFT_PERF_SAMPLE_IDENTIFIER, NULL},
		{KFT_PERF_SAMPLE_CPU, &a->back_cpu},
		{KFT_PERF_SAMPLE_STREAM_ID, NULL},
		{KFT_PERF_SAMPLE_ID, NULL},
		{KFT_PERF_SAMPLE_TIME, &a->back_time},
		{KFT_PERF_SAMPLE_TID, NULL},
	};
	uint16_t back = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		if (!(a->sample_type & parts[i].bit))
			continue;
		back += sizeof(uint64_t);
		if (parts[i].back)
			*parts[i].back = back;
	}
	a->back_bytes = back;
}

static struct kft_perf_near near_of(const struct kft_perf_attrs *as, uint64_t id,
				    size_t i)
{
	const struct kft_perf_attr *a = &as->list.data[i];

	return (struct kft_perf_near){
		.id = id,
		.index = i,
		.at_time = a->at_time,
		.at_cpu = a->at_cpu,
		.at_raw = a->is_plain ? a->fixed_end : 0,
		.is_known = true,
	};
}

/* data is a struct perf_event_attr, see perf_event_open(2). */
int kft_perf_attrs_add(struct kft_perf_attrs *as, const uint8_t *data, size_t len)
{
	if (len < KFT_PERF_ATTR_BYTES_MIN || len > KFT_PERF_ATTR_BYTES_MAX)
		return -EINVAL;
	if (as->list.len == KFT_PERF_MAX_ATTRS)
		return -EFBIG;
	uint32_t own = kft_load_u32(data + 4, as->swap);
	/* Size 0 stands for the struct's first size, PERF_ATTR_SIZE_VER0. */
	if (own)
		len = KFT_MIN(len, (size_t)own);
	struct kft_perf_attr a = {
		.type = kft_load_u32(data, as->swap),
		.config = kft_load_u64(data + 8, as->swap),
		.sample_type = kft_load_u64(data + 24, as->swap),
		.read_format = kft_load_u64(data + 32, as->swap),
		.id_all = flag(as, data + 40, KFT_PERF_ATTR_SAMPLE_ID_ALL),
		.clockid = -1,
	};
	if (flag(as, data + 40, KFT_PERF_ATTR_USE_CLOCKID) &&
	    len >= KFT_PERF_ATTR_CLOCKID_AT + sizeof(uint32_t))
		a.clockid = kft_load_u32(data + KFT_PERF_ATTR_CLOCKID_AT, as->swap);
	a.is_raw_event = a.type == KFT_PERF_TYPE_TRACEPOINT &&
			 (a.sample_type & KFT_PERF_SAMPLE_RAW);
	compile_sample(&a);
	a.is_plain = a.is_raw_event && a.at_cpu && a.at_time &&
		     !(a.sample_type &
		       (KFT_PERF_SAMPLE_READ | KFT_PERF_SAMPLE_CALLCHAIN));
	compile_other(&a);
	if (!as->list.len) {
		as->at_identity = a.at_identity;
		as->has_identifier = a.sample_type & KFT_PERF_SAMPLE_IDENTIFIER;
	} else if (as->at_identity != a.at_identity) {
		as->at_identity = 0;
	}
	if (!kft_vec_push(&as->list, a))
		return -ENOMEM;
	if (as->list.len == 1)
		as->first = near_of(as, 0, 0);
	return 0;
}

int kft_perf_attrs_add_id(struct kft_perf_attrs *as, uint64_t id, size_t i)
{
	if (as->by_id.len == KFT_PERF_MAX_IDS)
		return -EFBIG;
	if (id == KFT_MAP_NO_KEY)
		return 0;
	uint64_t *place = kft_map_put(&as->by_id, id);
	if (!place)
		return -ENOMEM;
	*place = i;
	as->near[id % KFT_PERF_NEAR_IDS] = near_of(as, id, i);
	return 0;
}

const struct kft_perf_attr *kft_perf_attrs_of_other(const struct kft_perf_attrs *as,
						    const uint8_t *rec, size_t size)
{
	const struct kft_perf_attr *a = as->list.data;

	if (!as->list.len)
		return NULL;
	if (as->has_identifier && size >= 2 * sizeof(uint64_t)) {
		uint64_t id = kft_load_u64(rec + size - sizeof(id), as->swap);
		const struct kft_perf_attr *own = kft_perf_attrs_by_id(as, id);

		/*
		 * Records that perf synthesizes have the id 0, which no attr has; they
		 * end like those of the first attr.
		 */
		a = own ? own : a;
	}
	if (!a->id_all || size < (size_t)KFT_PERF_RECORD_HEADER_BYTES + a->back_bytes)
		return NULL;
	return a;
}

/* Skips a struct read_format, see PERF_SAMPLE_READ in perf_event_open(2). */
static bool skip_read(const struct kft_perf_attr *a, struct kft_cursor *c)
{
	uint64_t f = a->read_format;
	uint64_t times = !!(f & KFT_PERF_READ_TIME_ENABLED) +
			 !!(f & KFT_PERF_READ_TIME_RUNNING);
	uint64_t each = 1 + !!(f & KFT_PERF_READ_ID) + !!(f & KFT_PERF_READ_LOST);
	uint64_t n = 1;

	if (f & KFT_PERF_READ_GROUP) {
		if (!kft_cursor_u64(c, &n) || n > KFT_PERF_RECORD_BYTES_MAX)
			return false;
	}
	return kft_cursor_skip(c, (times + n * each) * sizeof(uint64_t));
}

static bool get_chain(struct kft_cursor *c, struct kft_perf_sample *ret)
{
	uint64_t n;

	if (!kft_cursor_u64(c, &n) || n > KFT_PERF_RECORD_BYTES_MAX)
		return false;
	ret->chain_len = n;
	return kft_cursor_bytes(c, n * sizeof(uint64_t), &ret->chain);
}

bool kft_perf_sample_parse(const struct kft_perf_attr *a, bool swap, const uint8_t *rec,
			   size_t size, struct kft_perf_sample *ret)
{
	struct kft_cursor c = kft_cursor_init(rec, size, swap);

	*ret = (struct kft_perf_sample){};
	c.pos = a->fixed_end;
	if ((a->sample_type & KFT_PERF_SAMPLE_READ) && !skip_read(a, &c))
		return false;
	if ((a->sample_type & KFT_PERF_SAMPLE_CALLCHAIN) && !get_chain(&c, ret))
		return false;
	return !(a->sample_type & KFT_PERF_SAMPLE_RAW) ||
	       (kft_cursor_u32(&c, &ret->raw_size) &&
		kft_cursor_bytes(&c, ret->raw_size, &ret->raw));
}

const char *kft_perf_attr_hidden(const struct kft_perf_attr *a, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(hidden) && len < size; i++)
		if (a->sample_type >> hidden[i].bit & 1)
			len += snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
					hidden[i].what);
	return buf;
}
