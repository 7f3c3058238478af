/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_STREAM_H
#define KFT_FILE_TRACEDAT_STREAM_H

#include <stdint.h>

/* A recording as a stream of bytes: names of what docs/formats/stream.md describes. */
#define KFT_STREAM_MAGIC       "\x17kft-stream 1\n"
#define KFT_STREAM_MAGIC_BYTES 14

/* Numbers are little endian: u32 kind, u32 CPU (0 where it says nothing), u64 length. */
#define KFT_STREAM_HEADER_BYTES 16

enum kft_stream_kind {
	KFT_STREAM_META = 1, /* a trace.dat without events, at the beginning */
	KFT_STREAM_PAGE = 2, /* of the CPU, as far as it is written */
	KFT_STREAM_LOST = 3, /* a loss record */
	KFT_STREAM_NAMES = 4, /* names of tasks with their times */
	KFT_STREAM_TASKS =
		5, /* saved_cmdlines and saved_tgids, newer than those before */
	KFT_STREAM_PASS =
		6, /* each CPU was read until it was empty since the one before */
	KFT_STREAM_END = 7, /* as META, with all that became known; nothing follows */
};

#endif
