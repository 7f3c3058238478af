/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>

/*
 * Constants of the stream format, a recording as a stream of bytes
 * (docs/formats/stream.md).
 */
#define KFT_STREAM_MAGIC       "\x17kft-stream 1\n"
#define KFT_STREAM_MAGIC_BYTES 14

/*
 * Block header, little endian: u32 kind, u32 CPU (0 where it has no meaning), u64 length.
 */
#define KFT_STREAM_HEADER_BYTES 16

enum kft_stream_kind {
	KFT_STREAM_META = 1, /* a trace.dat without events, the first block */
	KFT_STREAM_PAGE = 2, /* a page of the CPU, without its unwritten end */
	KFT_STREAM_LOST = 3, /* a loss record */
	KFT_STREAM_NAMES = 4, /* task names with their times */
	/* saved_cmdlines and saved_tgids; replaces the previous TASKS. */
	KFT_STREAM_TASKS = 5,
	/* Each CPU was read until it was empty since the previous PASS. */
	KFT_STREAM_PASS = 6,
	/* Like META, with the complete metadata; the last block. */
	KFT_STREAM_END = 7,
};
