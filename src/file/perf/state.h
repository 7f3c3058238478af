/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_STATE_H
#define KFT_FILE_PERF_STATE_H

#include "file/perf/attr.h"
#include "file/perf/blocks.h"
#include "file/tracedat/read_input.h"
#include "model/trace.h"

#define KFT_PERF_NO_CPU UINT32_MAX

struct kft_perf_cpu {
	uint32_t cpu;
	uint64_t lost; /* that LOST records tell */
	uint64_t lost_samples; /* that events counted; what is more was lost at the end */
	struct kft_perf_blocks blocks;
};

/* What a reader of a perf.data file keeps while its trace lives (kft_trace.reader). */
struct kft_perf {
	struct kft_trace *trace; /* borrowed: the one that owns this */
	const char *path; /* escaped, for messages; owned by the trace's arena */
	struct kft_dat_input in; /* the file; its fd is owned */
	bool is_pipe;

	/* Records: offsets of blocks are from `start` of `data` on. */
	struct kft_dat_input data; /* in, or what it holds uncompressed */
	uint64_t start;
	uint64_t end;
	int spool_fd; /* owned; -1: data is the file */

	struct kft_perf_attrs attrs;
	struct kft_blob hostname; /* of the machine; in the meta's arena */
	struct kft_blob release;
	struct kft_blob arch;
	KFT_VEC(struct kft_perf_cpu *) cpus; /* owned; by CPU once scanned */
	struct kft_map cpu_by_id; /* id of samples -> CPU */
	bool has_throttle;
	bool counts_lost; /* LOST_SAMPLES say again what LOST said */
	uint16_t throttle_id; /* classes of what is made up; 0: none of it */
	uint16_t unthrottle_id;
	uint16_t kernel_stack_id;
	uint16_t user_stack_id;
};

/* Where and when a record belongs; cpu KFT_PERF_NO_CPU and ts 0 when it does not say. */
struct kft_perf_place {
	uint32_t cpu;
	uint64_t ts;
	struct kft_perf_attr *attr; /* of a sample; NULL: nobody knows it */
};

/* Samples that do not say where they were taken are shown together. */
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

/* rec has a header and size bytes, as its header says. */
struct kft_perf_place kft_perf_place(const struct kft_perf *p, const uint8_t *rec,
				     size_t size);

/* A LOST_SAMPLES of samples that nobody wanted. */
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
 * Bytes that follow the record and are not counted in its size. rec may be shorter than
 * it should be, where the file is cut: size is what there is.
 */
uint64_t kft_perf_trailing(uint32_t type, const uint8_t *rec, size_t size, bool swap);

/* The trace is damaged: keeps the first cause. Returns code. */
__printf_fmt(4, 5) int kft_perf_damage(struct kft_perf *p, int code, uint64_t offset,
				       const char *fmt, ...);

#endif
