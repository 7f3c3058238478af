/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/io/input.h"
#include "file/perf/attr.h"
#include "file/perf/blocks.h"
#include "file/perf/maps.h"
#include "model/trace.h"

#define KFT_PERF_NO_CPU UINT32_MAX

struct kft_perf_cpu {
	uint32_t cpu;
	uint64_t lost; /* events, counted by LOST records */
	/*
	 * Samples counted as lost by their events; the excess over
	 * lost was lost at the end.
	 */
	uint64_t lost_samples;
	struct kft_perf_blocks blocks;
};

/* State of a perf.data file's reader; lives as long as its trace (kft_trace.reader). */
struct kft_perf {
	struct kft_trace *trace; /* borrowed: the trace that owns this */
	const char *path; /* escaped, for messages; owned by the trace's arena */
	struct kft_dat_input in; /* the file; its fd is owned */
	bool is_pipe;

	/*
	 * Range of the records in data, in bytes; offsets of
	 * blocks are relative to start.
	 */
	struct kft_dat_input data; /* equal to in, or the uncompressed copy */
	uint64_t start;
	uint64_t end;
	int spool_fd; /* owned; -1: data is the file */

	struct kft_perf_attrs attrs;
	struct kft_blob hostname; /* of the traced machine; owned by the meta's arena */
	struct kft_blob release;
	struct kft_blob arch;
	KFT_VEC(struct kft_perf_cpu *) cpus; /* owned; sorted by CPU after the scan */
	struct kft_map cpu_by_id; /* id of samples -> CPU */
	struct kft_perf_maps maps;
	bool has_throttle;
	/* LOST_SAMPLES records repeat the losses that LOST records reported. */
	bool counts_lost;
	/* Ids of the made-up classes; 0: the file has no such events. */
	uint16_t throttle_id;
	uint16_t unthrottle_id;
	uint16_t kernel_stack_id;
	uint16_t user_stack_id;
};

/*
 * The CPU and time of a record; KFT_PERF_NO_CPU and 0 when the record does not have them.
 */
struct kft_perf_place {
	uint32_t cpu;
	uint64_t ts;
	struct kft_perf_attr *attr; /* attr of a sample; NULL: unknown id */
};

/* The CPU under which samples without a CPU are shown. */
#define KFT_PERF_CPU_OF_UNKNOWN 0

static inline struct kft_perf_place
kft_perf_place_of_sample(const struct kft_perf *p, const uint8_t *rec, size_t size)
{
	struct kft_perf_attr *a = kft_perf_attrs_of(&p->attrs, rec, size);
	struct kft_perf_place place = {.cpu = KFT_PERF_CPU_OF_UNKNOWN, .attr = a};

	if (unlikely(!a))
		return place;
	if (likely(a->at_cpu))
		place.cpu = kft_load_u32(rec + a->at_cpu, p->in.swap);
	if (likely(a->at_time))
		place.ts = kft_load_u64(rec + a->at_time, p->in.swap);
	if (unlikely(place.cpu >= KFT_PERF_MAX_CPUS))
		place.cpu = KFT_PERF_CPU_OF_UNKNOWN;
	return place;
}

/* rec is a whole record: size bytes, equal to the size in its header. */
struct kft_perf_place kft_perf_place(const struct kft_perf *p, const uint8_t *rec,
				     size_t size);

/* Whether a LOST_SAMPLES record counts samples that a BPF filter dropped on purpose. */
static inline bool kft_perf_is_filtered(const uint8_t *rec, bool swap)
{
	return kft_load_u16(rec + 4, swap) & KFT_PERF_MISC_LOST_BY_BPF;
}

/* Whether records of this type are shown as events or losses. */
static inline bool kft_perf_is_shown(uint32_t type)
{
	return type == KFT_PERF_RECORD_SAMPLE || type == KFT_PERF_RECORD_LOST ||
	       type == KFT_PERF_RECORD_LOST_SAMPLES || type == KFT_PERF_RECORD_THROTTLE ||
	       type == KFT_PERF_RECORD_UNTHROTTLE;
}

/*
 * Bytes of data that follow the record and are not counted in its size. size is the
 * number of bytes in rec, fewer than the record has when the file is truncated.
 */
uint64_t kft_perf_trailing(uint32_t type, const uint8_t *rec, size_t size, bool swap);

/* Marks the trace as damaged; the first cause is kept. Returns code. */
__printf_fmt(4, 5) int kft_perf_damage(struct kft_perf *p, int code, uint64_t offset,
				       const char *fmt, ...);
