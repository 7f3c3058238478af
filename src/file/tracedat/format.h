/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Constants of the trace.dat format, for the writer and the reader. The layout is in
 * docs/formats/trace-dat.md; sections cited there are those of trace-cmd.dat.v6(5)
 * and trace-cmd.dat.v7(5).
 */

/* INITIAL FORMAT: magic, "6\0" or "7\0", u8 big endian, u8 long size, u32 page size. */
#define KFT_TRACEDAT_MAGIC	 "\x17\x08\x44tracing"
#define KFT_TRACEDAT_MAGIC_BYTES 10

/* SECTION HEADER of v7: u16 id, u16 flags, u32 string id, u64 size of the content. */
#define KFT_SECTION_HEADER_BYTES 16
#define KFT_SECTION_COMPRESSED	 1 /* in flags */

enum kft_section_id {
	KFT_SECTION_OPTIONS = 0,
	KFT_SECTION_BUFFER = 3, /* flyrecord data */
	KFT_SECTION_STRINGS = 15,
	KFT_SECTION_HEADER_INFO = 16,
	KFT_SECTION_FTRACE_EVENTS = 17,
	KFT_SECTION_EVENT_FORMATS = 18,
	KFT_SECTION_KALLSYMS = 19,
	KFT_SECTION_PRINTK = 20,
	KFT_SECTION_CMDLINES = 21,
	KFT_SECTION_BUFFER_TEXT = 22, /* the text of a latency tracer */
};

/* Options: u16 id, u32 size, data; the same ids in both versions. */
#define KFT_OPTION_HEADER_BYTES 6

enum kft_option_id {
	KFT_OPTION_DONE = 0, /* v7: u64 offset of the next options section, or 0 */
	KFT_OPTION_DATE = 1,
	KFT_OPTION_CPUSTAT = 2,
	KFT_OPTION_BUFFER = 3,
	KFT_OPTION_TRACECLOCK = 4,
	KFT_OPTION_UNAME = 5,
	KFT_OPTION_HOOK = 6,
	KFT_OPTION_OFFSET = 7,
	KFT_OPTION_CPUCOUNT = 8,
	KFT_OPTION_VERSION = 9,
	KFT_OPTION_PROCMAPS = 10,
	KFT_OPTION_TRACEID = 11,
	KFT_OPTION_TIME_SHIFT = 12,
	KFT_OPTION_GUEST = 13,
	KFT_OPTION_TSC2NSEC = 14,
	KFT_OPTION_STRINGS = 15,
	KFT_OPTION_HEADER_INFO = 16,
	KFT_OPTION_FTRACE_EVENTS = 17,
	KFT_OPTION_EVENT_FORMATS = 18,
	KFT_OPTION_KALLSYMS = 19,
	KFT_OPTION_PRINTK = 20,
	KFT_OPTION_CMDLINES = 21,
	KFT_OPTION_BUFFER_TEXT = 22,
	KFT_OPTION_BTF_FILE = 23,
	KFT_OPTION_LAST_BOOT_INFO = 24,
	KFT_OPTION_MODULES_FILE = 25,

	/*
	 * Options of kft ("kf"), which other readers skip. Numbers in them are little
	 * endian, independent of the byte order of the file.
	 *
	 * LIVE: this file is being recorded or its recorder was killed; events are in the
	 * directory beside it. u32 version (1), u32 page size in bytes, u32 number of
	 * CPUs, name of the trace clock, NUL.
	 * LOST: a sequence of loss records (see below).
	 * TGIDS: text of saved_tgids, NUL. COMMAND: the recorder's command line, NUL.
	 * KERNEL_LINE: the kernel's command line, NUL.
	 * RUN: facts about a KFT run, lines of text, NUL.
	 * NAMES: names of tasks with their times (decode/task_names.h).
	 * WALL: u64 ns since 1970 minus the time stamp as it is shown, modulo 2^64.
	 * DEVICES: text of /proc/partitions, NUL.
	 */
	KFT_OPTION_LIVE = 0x6b66,
	KFT_OPTION_LOST = 0x6b67,
	KFT_OPTION_TGIDS = 0x6b68,
	KFT_OPTION_COMMAND = 0x6b69,
	KFT_OPTION_KERNEL_LINE = 0x6b6a,
	KFT_OPTION_RUN = 0x6b6b,
	KFT_OPTION_NAMES = 0x6b6c,
	KFT_OPTION_WALL = 0x6b6d,
	KFT_OPTION_DEVICES = 0x6b6e,
};

#define KFT_TRACEDAT_LIVE_VERSION 1

/*
 * An unfinished recording FILE has beside it the directory FILE.parts with
 *	cpuN	ring-buffer pages of CPU N; a partial page may end it
 *	BUFFER.cpuN	the same for a further buffer, with the main one's page size
 *	lost	loss records; a partial record may end it
 *	modules	symbols of modules that came since: decode/module_symbols.h
 *	names	names of tasks with their times; a partial record may end it
 *	tasks	saved_cmdlines, the line KFT_PARTS_TGIDS_LINE, saved_tgids
 */
#define KFT_PARTS_SUFFIX     ".parts"
#define KFT_PARTS_CPU_PREFIX "cpu"
#define KFT_PARTS_LOST	     "lost"
#define KFT_PARTS_TASKS	     "tasks"
#define KFT_PARTS_NAMES	     "names"
#define KFT_PARTS_MODULES    "modules"
#define KFT_PARTS_TGIDS_LINE "--tgids--\n"
/* Temporary names of "tasks", "modules" and FILE until they are complete, and the mark of a copy. */
#define KFT_PARTS_TASKS_NEW "tasks.new"
#define KFT_PARTS_NEW	    "new"
#define KFT_PARTS_COPY	    "copy"

/*
 * A loss record, little endian: u32 cpu, u32 0, u64 since, u64 until, u64 count
 * (UINT64_MAX: not counted). Times in units of the trace clock.
 */
#define KFT_LOST_RECORD_BYTES 32

/*
 * Limits for reading and writing; all are far above the numbers that a kernel
 * can produce. A sub-buffer's write counter has 20 bits (RB_WRITE_MASK in the
 * kernel's ring_buffer.c), NR_CPUS is at most 8192, kallsyms of a
 * distribution's kernel is about 15 MB.
 */
#define KFT_TRACEDAT_MIN_PAGE_BYTES    64u
#define KFT_TRACEDAT_MAX_PAGE_BYTES    (1u << 20)
#define KFT_TRACEDAT_MAX_CPUS	       8192u
#define KFT_TRACEDAT_MAX_BUFFERS       1024u
#define KFT_TRACEDAT_MAX_SECTION_BYTES (256u << 20) /* metadata, uncompressed */
#define KFT_TRACEDAT_MAX_OPTION_BYTES  (64u << 20)
#define KFT_TRACEDAT_MAX_OPTIONS       65536u
#define KFT_TRACEDAT_MAX_SECTIONS      65536u
#define KFT_TRACEDAT_MAX_CHUNK_BYTES   (64u << 20) /* of CPU data, uncompressed */
/*
 * Limits against decompression bombs: a CPU's uncompressed events may be this many times
 * their size in the file, ...
 */
#define KFT_TRACEDAT_MAX_RATIO 1000u
/* ... any size up to this one is accepted for a CPU, ... */
#define KFT_TRACEDAT_MIN_UNPACKED (64u << 20)
/* ... and up to this one for all CPUs together. */
#define KFT_TRACEDAT_ANY_RATIO	      (1u << 30)
#define KFT_TRACEDAT_MAX_LOST_RECORDS (1u << 20)
