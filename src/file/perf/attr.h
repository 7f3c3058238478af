/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/vec.h"
#include "file/perf/format.h"

/*
 * An event that perf opened (struct perf_event_attr) with the offsets of the parts of its
 * samples. Offsets are in bytes from the record's start; 0: the samples lack this part.
 */
struct kft_perf_attr {
	uint32_t type; /* enum kft_perf_attr_type, or the type of a dynamic PMU */
	uint64_t config; /* for a tracepoint: its id */
	uint64_t sample_type;
	uint64_t read_format;
	/*
	 * perf_event_attr.sample_id_all: records other than samples end
	 * with a struct sample_id.
	 */
	bool id_all;
	/* A tracepoint: its samples carry the kernel's own record as raw data. */
	bool is_raw_event;
	/*
	 * is_raw_event, and the raw data stands at fixed_end; CPU and
	 * time have fixed offsets.
	 */
	bool is_plain;
	int32_t clockid; /* number of a POSIX clock; -1: perf's own clock */
	const char *name; /* borrowed from the trace's arena; NULL: not in the file */

	uint16_t at_identity; /* IDENTIFIER or ID */
	uint16_t at_ip;
	uint16_t at_tid; /* u32 pid (tgid), u32 tid (pid) */
	uint16_t at_time;
	uint16_t at_addr;
	uint16_t at_cpu;
	uint16_t at_period;
	uint16_t fixed_end; /* end of the parts with fixed offsets */
	/*
	 * Offsets in the struct sample_id of other records, in bytes
	 * back from the record's end.
	 */
	uint16_t back_time;
	uint16_t back_cpu;
	uint16_t back_bytes; /* bytes of the struct sample_id */

	uint16_t id; /* id of the event class of its samples */
	uint64_t samples; /* number in the file, counted by the scan */
};

/*
 * The fields of an attr that are needed for samples with the kernel's record: most files
 * consist of these. Ids of one recording follow each other, as the kernel counts them up.
 */
struct kft_perf_near {
	uint64_t id;
	uint32_t index; /* index of the attr in list */
	uint16_t at_time;
	uint16_t at_cpu;
	uint16_t at_raw; /* u32 size, then the record; 0: the samples are not plain */
	bool is_known; /* false: the slot is empty */
};
#define KFT_PERF_NEAR_IDS 1024

struct kft_perf_attrs {
	KFT_VEC(struct kft_perf_attr) list;
	struct kft_map by_id; /* id in samples -> index into list */
	/*
	 * Slot id % KFT_PERF_NEAR_IDS of a cache over by_id; a later id
	 * replaces an earlier one.
	 */
	struct kft_perf_near near[KFT_PERF_NEAR_IDS];
	/* The only attr when samples have no id; its id is 0. */
	struct kft_perf_near first;
	bool swap; /* the file's byte order is not the host's */
	bool big_endian;
	/*
	 * perf gives all events the same offset, as the id is needed
	 * before the attr is known.
	 */
	uint16_t at_identity;
	bool has_identifier;
};

void kft_perf_attrs_finish(struct kft_perf_attrs *as);

/*
 * Adds the struct perf_event_attr in data, len bytes in the file's byte order; a later
 * version of the struct may be longer than the known fields. -EINVAL when it is
 * malformed, -EFBIG, -ENOMEM.
 */
int kft_perf_attrs_add(struct kft_perf_attrs *as, const uint8_t *data,
		       size_t len) __must_check;

/* Maps the id to the attr at index i. -EFBIG, -ENOMEM. */
int kft_perf_attrs_add_id(struct kft_perf_attrs *as, uint64_t id, size_t i) __must_check;

/* NULL: no attr has this id. */
static inline struct kft_perf_attr *kft_perf_attrs_by_id(const struct kft_perf_attrs *as,
							 uint64_t id)
{
	const struct kft_perf_near *near = &as->near[id % KFT_PERF_NEAR_IDS];

	if (likely(near->id == id && near->is_known))
		return &as->list.data[near->index];
	const uint64_t *i = kft_map_get(&as->by_id, id);
	return i ? &as->list.data[*i] : NULL;
}

/*
 * The attr of a sample of size bytes; NULL when its id is unknown or
 * the sample is too short.
 */
static inline struct kft_perf_attr *kft_perf_attrs_of(const struct kft_perf_attrs *as,
						      const uint8_t *rec, size_t size)
{
	struct kft_perf_attr *a = NULL;

	if (likely(as->at_identity && size >= as->at_identity + sizeof(uint64_t)))
		a = kft_perf_attrs_by_id(as,
					 kft_load_u64(rec + as->at_identity, as->swap));
	/* With one attr, samples without a known id can only belong to it. */
	if (unlikely(!a) && as->list.len == 1)
		a = as->list.data;
	return a && size >= a->fixed_end ? a : NULL;
}

/*
 * The offsets for a plain sample of size bytes; NULL: the sample is not plain, or only
 * kft_perf_attrs_of() can find its attr. swap equals as->swap; a caller that passes it as
 * a constant gets a specialized copy.
 */
static inline __attribute__((always_inline)) const struct kft_perf_near *
kft_perf_attrs_plain(const struct kft_perf_attrs *as, const uint8_t *rec, size_t size,
		     bool swap)
{
	const struct kft_perf_near *near = &as->first;

	if (likely(as->at_identity)) {
		if (size < as->at_identity + sizeof(uint64_t))
			return NULL;
		uint64_t id = kft_load_u64(rec + as->at_identity, swap);
		near = &as->near[id % KFT_PERF_NEAR_IDS];
		if (near->id != id)
			return NULL;
	} else if (as->list.len != 1) {
		return NULL;
	}
	return near->at_raw && size >= near->at_raw ? near : NULL;
}

/*
 * The attr with the struct sample_id that ends a record other than a sample; NULL: the
 * record does not end with a struct sample_id.
 */
const struct kft_perf_attr *kft_perf_attrs_of_other(const struct kft_perf_attrs *as,
						    const uint8_t *rec, size_t size);

/* The parts of a sample after the fixed ones; pointers are borrowed from the sample. */
struct kft_perf_sample {
	const uint8_t *chain; /* u64 addresses */
	uint32_t chain_len;
	const uint8_t *raw;
	uint32_t raw_size;
};

/* rec has at least fixed_end bytes. False when a length in it runs past its end. */
bool kft_perf_sample_parse(const struct kft_perf_attr *a, bool swap, const uint8_t *rec,
			   size_t size, struct kft_perf_sample *ret) __must_check;

/* Writes the names of the sample parts that kft does not show; "" when all are shown. */
const char *kft_perf_attr_hidden(const struct kft_perf_attr *a, char *buf, size_t size);
