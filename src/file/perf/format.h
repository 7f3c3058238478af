/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_PERF_FORMAT_H
#define KFT_FILE_PERF_FORMAT_H

#include <stdint.h>

/*
 * Names of what is in a perf.data file. The layout is in docs/formats/perf-data.md;
 * sections cited there are those of the kernel's perf.data-file-format.txt and
 * perf_event_open(2).
 */

/* A u64 in the file's byte order. */
#define KFT_PERF_MAGIC_LITTLE "PERFILE2"
#define KFT_PERF_MAGIC_BIG    "2ELIFREP"
/* Before 3.6 (2012): the same bytes in either byte order, sizes tell which one. */
#define KFT_PERF_MAGIC_OLD   "PERFFILE"
#define KFT_PERF_MAGIC_BYTES 8

/* magic, u64 size: of the header; this is all of it in pipe mode. */
#define KFT_PERF_PIPE_HEADER_BYTES 16
/* + u64 attr size, sections (u64 offset, u64 size) of attrs, data, types; u64 features[4] */
#define KFT_PERF_FILE_HEADER_BYTES 104
#define KFT_PERF_FEATURES	   256

enum kft_perf_feature {
	KFT_PERF_FEATURE_TRACING_DATA = 1,
	KFT_PERF_FEATURE_HOSTNAME = 3,
	KFT_PERF_FEATURE_OSRELEASE = 4,
	KFT_PERF_FEATURE_VERSION = 5,
	KFT_PERF_FEATURE_ARCH = 6,
	KFT_PERF_FEATURE_NRCPUS = 7,
	KFT_PERF_FEATURE_CMDLINE = 11,
	KFT_PERF_FEATURE_EVENT_DESC = 12,
	KFT_PERF_FEATURE_CLOCK_DATA =
		29, /* u32 1, u32 clock, u64 time of day, u64 its time */
};

/* struct perf_event_attr up to where kft reads: its first size, PERF_ATTR_SIZE_VER0. */
#define KFT_PERF_ATTR_BYTES_MIN 64
#define KFT_PERF_ATTR_BYTES_MAX 4096

/* Numbers of the bits in its bit field. */
#define KFT_PERF_ATTR_SAMPLE_ID_ALL 18
#define KFT_PERF_ATTR_USE_CLOCKID   25
#define KFT_PERF_ATTR_CLOCKID_AT    92 /* s32, in an attr that is long enough */

enum kft_perf_attr_type {
	KFT_PERF_TYPE_HARDWARE = 0,
	KFT_PERF_TYPE_SOFTWARE = 1,
	KFT_PERF_TYPE_TRACEPOINT = 2,
};

/* perf_event_attr.sample_type: what a sample holds, in the order of PERF_RECORD_SAMPLE. */
enum kft_perf_sample_bit {
	KFT_PERF_SAMPLE_IP = 1u << 0,
	KFT_PERF_SAMPLE_TID = 1u << 1,
	KFT_PERF_SAMPLE_TIME = 1u << 2,
	KFT_PERF_SAMPLE_ADDR = 1u << 3,
	KFT_PERF_SAMPLE_READ = 1u << 4,
	KFT_PERF_SAMPLE_CALLCHAIN = 1u << 5,
	KFT_PERF_SAMPLE_ID = 1u << 6,
	KFT_PERF_SAMPLE_CPU = 1u << 7,
	KFT_PERF_SAMPLE_PERIOD = 1u << 8,
	KFT_PERF_SAMPLE_STREAM_ID = 1u << 9,
	KFT_PERF_SAMPLE_RAW = 1u << 10,
	KFT_PERF_SAMPLE_IDENTIFIER = 1u << 16,
};

/* perf_event_attr.read_format */
enum kft_perf_read_bit {
	KFT_PERF_READ_TIME_ENABLED = 1u << 0,
	KFT_PERF_READ_TIME_RUNNING = 1u << 1,
	KFT_PERF_READ_ID = 1u << 2,
	KFT_PERF_READ_GROUP = 1u << 3,
	KFT_PERF_READ_LOST = 1u << 4,
};

/* struct perf_event_header: u32 type, u16 misc, u16 size with the header */
#define KFT_PERF_RECORD_HEADER_BYTES 8
#define KFT_PERF_RECORD_BYTES_MAX    65535u

enum kft_perf_record {
	KFT_PERF_RECORD_MMAP = 1,
	KFT_PERF_RECORD_LOST = 2,
	KFT_PERF_RECORD_COMM = 3,
	KFT_PERF_RECORD_EXIT = 4,
	KFT_PERF_RECORD_THROTTLE = 5,
	KFT_PERF_RECORD_UNTHROTTLE = 6,
	KFT_PERF_RECORD_FORK = 7,
	KFT_PERF_RECORD_SAMPLE = 9,
	KFT_PERF_RECORD_LOST_SAMPLES = 13,
	KFT_PERF_RECORD_KERNEL_END = 64, /* from here on perf's own */
	KFT_PERF_RECORD_HEADER_ATTR = 64,
	KFT_PERF_RECORD_TRACING_DATA = 66, /* u32 size of what follows the record */
	KFT_PERF_RECORD_FINISHED_ROUND = 68,
	KFT_PERF_RECORD_ID_INDEX = 69,
	KFT_PERF_RECORD_AUXTRACE_INFO = 70, /* u32 kind of what AUXTRACE has */
	KFT_PERF_RECORD_AUXTRACE = 71, /* u64 size, likewise */
	KFT_PERF_RECORD_EVENT_UPDATE = 78,
	KFT_PERF_RECORD_HEADER_FEATURE = 80,
	KFT_PERF_RECORD_COMPRESSED = 81,
	KFT_PERF_RECORD_COMPRESSED2 = 83, /* with a u64 size before the data */
};

/* In misc of LOST_SAMPLES: a filter in BPF took them out. */
#define KFT_PERF_MISC_LOST_BY_BPF (1u << 15)
/* In misc of any record. */
#define KFT_PERF_MISC_CPUMODE	   7u
#define KFT_PERF_MISC_CPUMODE_USER 2u

/* Addresses in a call chain from here on say what the ones behind them are. */
#define KFT_PERF_CONTEXT_MAX  ((uint64_t)-4095)
#define KFT_PERF_CONTEXT_USER ((uint64_t)-512)

/* EVENT_UPDATE: u64 type, u64 id, content */
#define KFT_PERF_UPDATE_NAME 2

/* Limits of what is read; all are far above what perf writes. */
#define KFT_PERF_MAX_CPUS	   8192u
#define KFT_PERF_MAX_ATTRS	   65536u
#define KFT_PERF_MAX_IDS	   (1u << 20)
#define KFT_PERF_MAX_FEATURE_BYTES (64u << 20) /* but for TRACING_DATA, see trace.dat */
#define KFT_PERF_MAX_NAME_BYTES	   200u /* of an event */
#define KFT_PERF_MAX_TASKS	   (1u << 20)
#define KFT_PERF_MAX_TASK_BYTES	   (64u << 20) /* of names of tasks */
/* Stretches of a CPU's records in the file, of all CPUs together: 32 bytes each. */
#define KFT_PERF_MAX_BLOCKS (1u << 20)
/* Records of a part of a file that wait for the others: more, and it is scanned as one. */
#define KFT_PERF_MAX_DEFERRED (1u << 16)
/* What -z saved at most: more is an attack, and would fill the disk. */
#define KFT_PERF_MAX_RATIO    1000u
#define KFT_PERF_MIN_UNPACKED (64u << 20) /* that are fine at any ratio */

#endif
