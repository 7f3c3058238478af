/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_ATTR_H
#define KFT_FILE_PERF_ATTR_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/map.h"
#include "base/vec.h"
#include "file/perf/format.h"

/*
 * An event that perf opened (struct perf_event_attr), compiled: where what is in its
 * samples. Offsets are from the record's start; 0: the samples do not have it.
 */
struct kft_perf_attr {
	uint32_t type; /* enum kft_perf_attr_type or of a PMU */
	uint64_t config; /* of a tracepoint: its id */
	uint64_t sample_type;
	uint64_t read_format;
	bool id_all; /* other records end with who, when and where, too */
	bool is_raw_event; /* a tracepoint's samples have the kernel's record */
	bool is_plain; /* and it stands at fixed_end, CPU and time are there */
	int32_t clockid; /* -1: perf's own clock */
	const char *name; /* as perf calls it; NULL: not in the file */

	uint16_t at_identity; /* IDENTIFIER or ID */
	uint16_t at_ip;
	uint16_t at_tid; /* u32 pid (tgid), u32 tid (pid) */
	uint16_t at_time;
	uint16_t at_addr;
	uint16_t at_cpu;
	uint16_t at_period;
	uint16_t fixed_end; /* of what stands at fixed places */
	/* The same in what ends other records, counted back from their end. */
	uint16_t back_time;
	uint16_t back_cpu;
	uint16_t back_bytes; /* of all that ends them */

	uint16_t id; /* of the class its samples are shown as */
	uint64_t samples; /* in the file; filled in while it is scanned */
};

/*
 * What is needed of the samples that most files consist of, which have the kernel's record
 * of a tracepoint. Ids of one recording follow each other, as the kernel counts them up.
 */
struct kft_perf_near {
	uint64_t id;
	uint32_t index; /* of the attr */
	uint16_t at_time;
	uint16_t at_cpu;
	uint16_t at_raw; /* u32 size, the record; 0: its samples are not plain */
	bool is_known; /* else nobody has it */
};
#define KFT_PERF_NEAR_IDS 1024

struct kft_perf_attrs {
	KFT_VEC(struct kft_perf_attr) list;
	struct kft_map by_id; /* id in samples -> index into list */
	/* By id % KFT_PERF_NEAR_IDS, most of by_id: the one added last of several. */
	struct kft_perf_near near[KFT_PERF_NEAR_IDS];
	struct kft_perf_near first; /* of all samples when they have no id; id 0 */
	bool swap; /* of the file */
	bool big_endian;
	/* The same for all, as perf sees to: else samples cannot be told apart. */
	uint16_t at_identity;
	bool has_identifier;
};

void kft_perf_attrs_finish(struct kft_perf_attrs *as);

/*
 * Adds what data holds, an attr of len bytes in the file's byte order; a later one may
 * be longer than kft knows. -EINVAL when it is none, -EFBIG, -ENOMEM.
 */
int kft_perf_attrs_add(struct kft_perf_attrs *as, const uint8_t *data,
		       size_t len) __must_check;

/* Samples with this id are of the attr at index i. -EFBIG, -ENOMEM. */
int kft_perf_attrs_add_id(struct kft_perf_attrs *as, uint64_t id, size_t i) __must_check;

/* NULL: nobody has this id. */
static inline struct kft_perf_attr *kft_perf_attrs_by_id(const struct kft_perf_attrs *as,
							 uint64_t id)
{
	const struct kft_perf_near *near = &as->near[id % KFT_PERF_NEAR_IDS];

	if (likely(near->id == id && near->is_known))
		return &as->list.data[near->index];
	const uint64_t *i = kft_map_get(&as->by_id, id);
	return i ? &as->list.data[*i] : NULL;
}

/* Who a sample of size bytes is of; NULL when nobody knows, or it is cut. */
static inline struct kft_perf_attr *kft_perf_attrs_of(const struct kft_perf_attrs *as,
						      const uint8_t *rec, size_t size)
{
	struct kft_perf_attr *a = NULL;

	if (likely(as->at_identity && size >= as->at_identity + sizeof(uint64_t)))
		a = kft_perf_attrs_by_id(as,
					 kft_load_u64(rec + as->at_identity, as->swap));
	/* The only one is also that of samples without a known id. */
	if (unlikely(!a) && as->list.len == 1)
		a = as->list.data;
	return a && size >= a->fixed_end ? a : NULL;
}

/*
 * Where what is in a plain sample of size bytes; NULL: it is none, or kft_perf_attrs_of()
 * has to find out. swap: that of as, for who knows it as a constant.
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

/* The attr that says how a record that is no sample ends; NULL: it says nothing. */
const struct kft_perf_attr *kft_perf_attrs_of_other(const struct kft_perf_attrs *as,
						    const uint8_t *rec, size_t size);

/* What comes behind the fixed part of a sample; borrowed from it. */
struct kft_perf_sample {
	const uint8_t *chain; /* u64 addresses */
	uint32_t chain_len;
	const uint8_t *raw;
	uint32_t raw_size;
};

/* rec has at least fixed_end bytes. False when a length in it runs past its end. */
bool kft_perf_sample_parse(const struct kft_perf_attr *a, bool swap, const uint8_t *rec,
			   size_t size, struct kft_perf_sample *ret) __must_check;

/* What its samples have and kft does not show, as words; "" for nothing. */
const char *kft_perf_attr_hidden(const struct kft_perf_attr *a, char *buf, size_t size);

#endif
