/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_PERF_DATA_H
#define KFT_TESTS_PERF_DATA_H

/*
 * Builds perf.data files in memory, straight from perf's description of the format: a
 * tracepoint kft_test:beat (id T_PERF_ID, a u32 field n) and cpu-clock with call chains.
 */
#include "base/strbuf.h"
#include "model/trace.h"
#include "t.h"

#define T_PERF_ID 500
/* Identifiers in samples of the tracepoint and of cpu-clock. */
#define T_PERF_BEAT  10
#define T_PERF_CLOCK 20

struct t_perf {
	bool big;
	bool pipe;
	bool old; /* the magic of 2010 */
	bool counts_lost; /* read_format with LOST */
	size_t cut_texts; /* of tracing data only so many bytes; 0: all */
	struct kft_strbuf bytes;
	size_t start; /* of the records */
};

/* Writes everything before the records. The caller has set only the flags of t. */
void t_perf_begin(struct t_perf *t);

/* A beat, one with more bytes behind n, and a sample of the clock with n addresses. */
void t_perf_beat_with(struct t_perf *t, uint32_t cpu, uint64_t ts, uint32_t n,
		      const void *more, size_t len);
void t_perf_beat(struct t_perf *t, uint32_t cpu, uint64_t ts, uint32_t n);
void t_perf_clock(struct t_perf *t, uint32_t cpu, uint64_t ts, const uint64_t *chain,
		  size_t n);

/* Any other record of the kernel; it ends with the task, the time and the CPU. */
void t_perf_record(struct t_perf *t, uint32_t type, const void *body, size_t len,
		   uint32_t cpu, uint64_t ts);
void t_perf_round(struct t_perf *t);

/* Adds the sections that follow the records of a file; adds nothing to a pipe. */
void t_perf_end(struct t_perf *t);

/*
 * Replaces all records so far by one stream of zstd in records of type 81 (or 83, `second`).
 * Each holds `step` bytes of input, which need not be whole records. Call it before
 * t_perf_end().
 */
void t_perf_compress(struct t_perf *t, size_t step, bool second);

/* Numbers for bodies of records, in the file's byte order. */
void t_perf_put(const struct t_perf *t, struct kft_strbuf *sb, uint64_t v,
		unsigned int bytes);

/* The first len bytes, opened. */
int t_perf_open(const struct t_perf *t, size_t len, struct kft_trace **ret,
		struct kft_err *e);

#endif
