/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_STATE_H
#define KFT_FILE_TRACEDAT_READ_STATE_H

#include <stdatomic.h>

#include "decode/ring.h"
#include "file/tracedat/format.h"
#include "file/tracedat/read_decompress.h"
#include "file/tracedat/read_input.h"
#include "file/tracedat/read_stamps.h"
#include "model/trace.h"

/* Where the content of a part of the file is. Zeroed: the file has none. */
struct kft_dat_extent {
	const char *what; /* for messages; static */
	uint64_t offset; /* in the file */
	uint64_t len; /* bytes in the file */
	bool compressed; /* "COMPRESSION FORMAT OF THE FILE SECTIONS" */
};

/* The parts of the metadata, which version 7 has as sections and 6 in this order. */
enum kft_dat_part {
	KFT_DAT_HEADER_INFO,
	KFT_DAT_FTRACE_EVENTS,
	KFT_DAT_EVENT_FORMATS,
	KFT_DAT_KALLSYMS,
	KFT_DAT_PRINTK,
	KFT_DAT_CMDLINES,
	KFT_DAT_N_PARTS,
};

/* Where one CPU's data is, as the file says; nothing is checked yet. */
struct kft_dat_cpu {
	uint32_t cpu;
	uint64_t offset;
	uint64_t size;
};

/* A BUFFER option. */
struct kft_dat_buffer {
	uint64_t offset; /* v7: its section; v6: its options */
	const char *name; /* owned by the trace's arena */
	const char *clock; /* NULL: the trace's */
	uint32_t page_size;
	bool has_text; /* BUFFER_TEXT: what a latency tracer printed */
	KFT_VEC(struct kft_dat_cpu) cpus;
};

/* A LIVE option: events are in the directory beside the file. */
struct kft_dat_live {
	bool is_live;
	uint32_t page_size;
	uint32_t cpu_count;
	char clock[KFT_CLOCK_NAME_MAX];
};

struct kft_stream_live;

/*
 * What a reader of a trace.dat file keeps while its trace lives (kft_trace.reader), and
 * what its layers tell each other while it is opened. Streams point to it.
 */
struct kft_dat_reader {
	struct kft_trace *trace; /* borrowed: the one that owns this */
	const char *path; /* escaped, for messages; owned by the trace's arena */
	struct kft_dat_input in;
	unsigned int version; /* 6 or 7 */
	struct kft_dat_decompressor dec;
	struct kft_ring_layout layout;
	struct kft_dat_stamps stamps;
	struct kft_dat_extent parts[KFT_DAT_N_PARTS];
	KFT_VEC(struct kft_dat_buffer) buffers;
	struct kft_dat_live live;
	const char *stat_buffer; /* the instance that the next CPUSTAT options are of */
	bool has_clock_text; /* v6: text of trace_clock follows the table of CPUs */
	size_t n_options;
	size_t n_streams;
	uint64_t meta_bytes; /* loaded so far, see KFT_TRACEDAT_MAX_SECTION_BYTES */
	uint64_t data_bytes; /* of pages of all CPUs so far, at most twice the file */
	atomic_size_t stream_bytes; /* of all streams' memory */
	struct kft_stream_live *growing; /* of a stream that goes on (stream_live.c) */
	struct kft_pool *ahead; /* owned; NULL: chunks are unpacked by who reads them */
};

/*
 * The trace is damaged: keeps the first cause, as "'FILE': WHAT at byte OFFSET: ...".
 * Returns code.
 */
__printf_fmt(5, 6) int kft_dat_damage(struct kft_dat_reader *d, int code,
				      const char *what, uint64_t offset, const char *fmt,
				      ...);

/* Takes the clock that a text names (see kft_clock_parse()); keeps *clock otherwise. */
void kft_dat_use_clock(struct kft_clock *clock, const char *text, size_t len);

/*
 * Loads a part into memory that lives as long as the trace; a NUL follows it. What is not
 * there any more because the file was cut is damage, and the rest is given. Returns 0
 * also for an empty part; -ENOMEM, -EFBIG, -EBADMSG, which are damage as well.
 */
int kft_dat_load(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		 struct kft_cursor *ret) __must_check;

/* Damage at the cursor's place in a part that was loaded. */
int kft_dat_damage_at(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		      const struct kft_cursor *c, const char *problem);

#endif
