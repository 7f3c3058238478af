/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdatomic.h>

#include "decode/ring.h"
#include "file/io/decompress.h"
#include "file/io/input.h"
#include "file/tracedat/format.h"
#include "file/tracedat/read/maps.h"
#include "file/tracedat/read/stamps.h"
#include "model/trace.h"

/* Range of a part's content in the file. Zeroed: the file does not have the part. */
struct kft_dat_extent {
	const char *what; /* for messages; static */
	uint64_t offset; /* of the content in the file, in bytes */
	uint64_t len; /* bytes in the file */
	bool compressed; /* "COMPRESSION FORMAT OF THE FILE SECTIONS" */
};

/* Parts of the metadata: sections in version 7; in version 6 they come in this order. */
enum kft_dat_part {
	KFT_DAT_HEADER_INFO,
	KFT_DAT_FTRACE_EVENTS,
	KFT_DAT_EVENT_FORMATS,
	KFT_DAT_KALLSYMS,
	KFT_DAT_PRINTK,
	KFT_DAT_CMDLINES,
	KFT_DAT_N_PARTS,
};

/* Range of one CPU's data as given in the file; not checked yet. */
struct kft_dat_cpu {
	uint32_t cpu;
	uint64_t offset;
	uint64_t size;
};

/* A BUFFER option. */
struct kft_dat_buffer {
	uint64_t offset; /* file offset of its section (v7) or options (v6) */
	const char *name; /* owned by the trace's arena */
	const char *clock; /* NULL: the trace's */
	uint32_t page_size;
	bool has_text; /* BUFFER_TEXT: the output of a latency tracer instead of pages */
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
 * State of a trace.dat file's reader, which lives as long as its trace
 * (kft_trace.reader); also the shared state of the reader's layers while the file is
 * opened. Streams point to it.
 */
struct kft_dat_reader {
	struct kft_trace *trace; /* borrowed: the trace that owns this */
	const char *path; /* escaped, for messages; owned by the trace's arena */
	struct kft_dat_input in;
	unsigned int version; /* 6 or 7 */
	struct kft_dat_decompressor dec;
	struct kft_ring_layout layout;
	struct kft_dat_stamps stamps;
	struct kft_dat_extent parts[KFT_DAT_N_PARTS];
	KFT_VEC(struct kft_dat_buffer) buffers;
	struct kft_dat_live live;
	/* Symbols that are added to kallsyms; see decode/module_symbols.h. */
	struct kft_blob modules;
	/* Name of the instance that the next CPUSTAT options belong to. */
	const char *stat_buffer;
	bool has_clock_text; /* v6: text of trace_clock follows the table of CPUs */
	size_t n_options;
	size_t n_streams;
	uint64_t meta_bytes; /* loaded so far, see KFT_TRACEDAT_MAX_SECTION_BYTES */
	uint64_t data_bytes; /* bytes of all CPUs' pages so far, at most twice the file */
	atomic_size_t stream_bytes; /* memory of all streams */
	/*
	 * State of a stream that is read while it is recorded
	 * (stream/live.c); NULL: a file.
	 */
	struct kft_stream_live *growing;
	/* Owned; NULL: chunks are decompressed when they are read. */
	struct kft_pool *ahead;
	struct kft_dat_maps maps;
};

/*
 * Marks the trace as damaged; the first cause is kept, as "'FILE': PART at byte
 * OFFSET: ...". Returns code.
 */
__printf_fmt(5, 6) int kft_dat_damage(struct kft_dat_reader *d, int code,
				      const char *what, uint64_t offset, const char *fmt,
				      ...);

/*
 * Sets *clock to the clock named in a text (see kft_clock_parse());
 * unchanged for other texts.
 */
void kft_dat_use_clock(struct kft_clock *clock, const char *text, size_t len);

/*
 * Loads a part into memory that lives as long as the trace; a NUL follows it. When the
 * file is truncated, that is damage, and the bytes before the end are returned. Returns 0
 * also for an empty part; -ENOMEM, -EFBIG, -EBADMSG, which are damage as well.
 */
int kft_dat_load(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		 struct kft_cursor *ret) __must_check;

/* Sets damage at the cursor's position in a part that was loaded. */
int kft_dat_damage_at(struct kft_dat_reader *d, const struct kft_dat_extent *x,
		      const struct kft_cursor *c, const char *problem);
