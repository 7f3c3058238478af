/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "model/clock.h"

/*
 * The metadata of a trace as the kernel gave it: text, unparsed. A recorder collects it,
 * a file writer stores it, a file reader returns it, so that a trace can be written again
 * (recover, convert) without loss. Strings and blobs are owned by the arena or borrowed
 * from data that the meta's owner keeps (a mapped file).
 */
struct kft_blob {
	const char *data; /* NULL: the trace does not have it */
	size_t len;
};

struct kft_format_text {
	const char *system; /* "ftrace" for the tracers' own events */
	struct kft_blob text;
};

/* Loss statistics of one CPU, from per_cpu/cpuN/stats at the end of the recording. */
struct kft_cpu_stat {
	uint32_t cpu;
	const char *buffer; /* name of the instance; NULL: the main buffer */
	uint64_t recorded_bytes;
	/* Events overwritten before they were read; KFT_LOST_UNKNOWN: not counted. */
	uint64_t overrun;
	/* How many of them are missing before the CPU's first event in the trace. */
	uint64_t overwritten;
	uint64_t dropped_events; /* events not written: the buffer was full */
	uint64_t commit_overrun; /* events not written: an interrupt nested too deep */
	uint64_t unread; /* events left in the kernel when draining ended */
	uint64_t read_events; /* by any program, as the kernel counts them */
	/* Events read by another program; KFT_LOST_UNKNOWN: not counted. */
	uint64_t taken;
	struct kft_blob text; /* the kernel's text, as trace-cmd stores it */
};

/*
 * The number of "lost" events: events that happened, were requested, and are not in the
 * trace. With keeps_newest, overwritten events were dropped on purpose and are not lost.
 */
uint64_t kft_cpu_stat_lost(const struct kft_cpu_stat *s, bool keeps_newest);

/* A span of time on one CPU in which events are missing. */
struct kft_lost_range {
	uint32_t cpu;
	/*
	 * Units of the buffer's clock; the missing events are not earlier than since ...
	 */
	uint64_t since;
	uint64_t until; /* ... and not later than until */
	uint64_t count; /* KFT_LOST_UNKNOWN: not counted */
};

/*
 * An option of a trace.dat file that stays valid when its events are written again:
 * offsets of time stamps, hooks, memory maps, guests. Bytes as in the file, in the
 * byte order of the trace.
 */
struct kft_persistent_option {
	uint16_t id; /* enum kft_option_id of file/tracedat/format.h */
	struct kft_blob data;
};

struct kft_meta {
	struct kft_arena arena;
	bool big_endian;
	uint32_t long_size; /* 4 or 8 */
	uint32_t page_size; /* bytes of a ring-buffer sub-buffer in the data */
	uint32_t cpu_count;
	bool has_machine_cpus; /* cpu_count is that of the machine, not of the streams */
	struct kft_clock clock;
	struct kft_wall wall; /* of that clock, at the beginning of the recording */
	struct kft_blob header_page; /* events/header_page */
	struct kft_blob header_event; /* events/header_event */
	KFT_VEC(struct kft_format_text) formats; /* ftrace's own and all systems' */
	struct kft_blob kallsyms;
	struct kft_blob printk_formats;
	struct kft_blob cmdlines; /* saved_cmdlines: "pid comm\n" */
	struct kft_blob tgids; /* saved_tgids: "pid tgid\n" */
	struct kft_blob names; /* task names with times: see decode/task_names.h */
	struct kft_blob trace_clock; /* text of trace_clock */
	struct kft_blob uname; /* "Linux host release version machine" */
	struct kft_blob version; /* name of the program that wrote the file */
	struct kft_blob command; /* its command line, blanks quoted */
	/* The kernel's command line; only for a traced boot. */
	struct kft_blob kernel_line;
	struct kft_blob devices; /* names of block devices: see model/block_device.h */
	struct kft_blob run; /* facts about a KFT run: see model/run_info.h */
	KFT_VEC(struct kft_cpu_stat) stats;
	KFT_VEC(struct kft_lost_range) lost;
	KFT_VEC(struct kft_persistent_option) kept_options;
	uint64_t trace_id; /* random; 0: none */
};

void kft_meta_finish(struct kft_meta *m);

/* Sum over all CPUs of kft_cpu_stat_lost(). */
uint64_t kft_meta_lost(const struct kft_meta *m, bool keeps_newest);

/* Sets *blob to a copy of the text in the arena. -ENOMEM. */
int kft_meta_set_blob(struct kft_meta *m, struct kft_blob *blob, const char *data,
		      size_t len) __must_check;
