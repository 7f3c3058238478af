/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Constants of the perf.data format. The layout is in docs/formats/perf-data.md; sections
 * cited there are those of the kernel's perf.data-file-format.txt and perf_event_open(2).
 */

/* The file begins with this u64 in its byte order. */
#define KFT_PERF_MAGIC_LITTLE "PERFILE2"
#define KFT_PERF_MAGIC_BIG    "2ELIFREP"
/*
 * perf before Linux 3.6 (2012) wrote these bytes in either byte order; the header's size
 * shows which order it is.
 */
#define KFT_PERF_MAGIC_OLD   "PERFFILE"
#define KFT_PERF_MAGIC_BYTES 8

/* Header in pipe mode: magic, u64 size of the header. */
#define KFT_PERF_PIPE_HEADER_BYTES 16
/*
 * File header: the same, u64 attr size, sections (u64 offset, u64 size) of attrs,
 * data, types; u64 features[4]
 */
#define KFT_PERF_FILE_HEADER_BYTES 104
#define KFT_PERF_FEATURES	   256

enum kft_perf_feature {
	KFT_PERF_FEATURE_TRACING_DATA = 1,
	KFT_PERF_FEATURE_BUILD_ID = 2, /* BUILD_ID records */
	KFT_PERF_FEATURE_HOSTNAME = 3,
	KFT_PERF_FEATURE_OSRELEASE = 4,
	KFT_PERF_FEATURE_VERSION = 5,
	KFT_PERF_FEATURE_ARCH = 6,
	KFT_PERF_FEATURE_NRCPUS = 7,
	KFT_PERF_FEATURE_CMDLINE = 11,
	KFT_PERF_FEATURE_EVENT_DESC = 12,
	/* u32 version 1, u32 clock, u64 time of day in ns, u64 the clock's time in ns */
	KFT_PERF_FEATURE_CLOCK_DATA = 29,
};

/*
 * Bytes of struct perf_event_attr: its first size, PERF_ATTR_SIZE_VER0, has
 * all fields that kft reads.
 */
#define KFT_PERF_ATTR_BYTES_MIN 64
#define KFT_PERF_ATTR_BYTES_MAX 4096

/* Bit numbers in the bit field of struct perf_event_attr. */
#define KFT_PERF_ATTR_SAMPLE_ID_ALL 18
#define KFT_PERF_ATTR_USE_CLOCKID   25
#define KFT_PERF_ATTR_CLOCKID_AT    92 /* s32; only in attrs that are long enough */

enum kft_perf_attr_type {
	KFT_PERF_TYPE_HARDWARE = 0,
	KFT_PERF_TYPE_SOFTWARE = 1,
	KFT_PERF_TYPE_TRACEPOINT = 2,
};

/*
 * perf_event_attr.sample_type: the parts of a sample, in the order of PERF_RECORD_SAMPLE.
 */
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

/* perf_event_attr.read_format: the fields of a struct read_format. */
enum kft_perf_read_bit {
	KFT_PERF_READ_TIME_ENABLED = 1u << 0,
	KFT_PERF_READ_TIME_RUNNING = 1u << 1,
	KFT_PERF_READ_ID = 1u << 2,
	KFT_PERF_READ_GROUP = 1u << 3,
	KFT_PERF_READ_LOST = 1u << 4,
};

/* struct perf_event_header: u32 type, u16 misc, u16 size including the header */
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
	KFT_PERF_RECORD_MMAP2 = 10,
	KFT_PERF_RECORD_LOST_SAMPLES = 13,
	/* Types from here on are perf's own, not the kernel's. */
	KFT_PERF_RECORD_KERNEL_END = 64,
	KFT_PERF_RECORD_HEADER_ATTR = 64,
	/* u32 size of the data that follows the record */
	KFT_PERF_RECORD_TRACING_DATA = 66,
	KFT_PERF_RECORD_BUILD_ID = 67, /* of a mapped file, by its path */
	KFT_PERF_RECORD_FINISHED_ROUND = 68,
	KFT_PERF_RECORD_ID_INDEX = 69,
	/* u32 type of the hardware trace in AUXTRACE */
	KFT_PERF_RECORD_AUXTRACE_INFO = 70,
	KFT_PERF_RECORD_AUXTRACE = 71, /* u64 size of the data that follows the record */
	KFT_PERF_RECORD_EVENT_UPDATE = 78,
	KFT_PERF_RECORD_HEADER_FEATURE = 80,
	KFT_PERF_RECORD_COMPRESSED = 81,
	KFT_PERF_RECORD_COMPRESSED2 = 83, /* has a u64 size before the data */
};

/* misc of LOST_SAMPLES: a BPF filter dropped the samples. */
#define KFT_PERF_MISC_LOST_BY_BPF (1u << 15)
/* misc of any record: the CPU mode. */
#define KFT_PERF_MISC_CPUMODE	     7u
#define KFT_PERF_MISC_CPUMODE_KERNEL 1u
#define KFT_PERF_MISC_CPUMODE_USER   2u
/* misc of COMM: an exec set the name. Of FORK: perf made it, and the task's MMAPs follow. */
#define KFT_PERF_MISC_EXEC (1u << 13)
/* misc of MMAP2: a build-id stands for the inode. Of BUILD_ID: its length is in the record. */
#define KFT_PERF_MISC_MMAP_BUILD_ID (1u << 14)
#define KFT_PERF_MISC_BUILD_ID_SIZE (1u << 15)

/*
 * Call chain entries from CONTEXT_MAX on are markers for the context
 * of the entries after them.
 */
#define KFT_PERF_CONTEXT_MAX  ((uint64_t)-4095)
#define KFT_PERF_CONTEXT_USER ((uint64_t)-512)

/* EVENT_UPDATE (u64 type, u64 id, content) of this type has a name. */
#define KFT_PERF_UPDATE_NAME 2

/* Limits of the reader; all are far above the numbers that perf writes. */
#define KFT_PERF_MAX_CPUS  8192u
#define KFT_PERF_MAX_ATTRS 65536u
#define KFT_PERF_MAX_IDS   (1u << 20)
/* Except TRACING_DATA, which has the limits of trace.dat. */
#define KFT_PERF_MAX_FEATURE_BYTES (64u << 20)
#define KFT_PERF_MAX_NAME_BYTES	   200u /* of an event */
#define KFT_PERF_MAX_TASKS	   (1u << 20)
/* Records about address spaces: 8 bytes of memory each. */
#define KFT_PERF_MAX_MAP_RECORDS (1u << 22)
#define KFT_PERF_MAX_TASK_BYTES	 (64u << 20) /* of task names together */
/* Blocks of all CPUs together: 32 bytes of memory each. */
#define KFT_PERF_MAX_BLOCKS (1u << 20)
/*
 * Records that one part defers until the parts are joined; with more,
 * the file is scanned as one.
 */
#define KFT_PERF_MAX_DEFERRED (1u << 16)
/* Limits against decompression bombs: -z output may be this many times its input, ... */
#define KFT_PERF_MAX_RATIO 1000u
/* ... and any size up to this one is accepted. */
#define KFT_PERF_MIN_UNPACKED (64u << 20)
