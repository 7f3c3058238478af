/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/lines.h"
#include "model/call.h"

/*
 * KFT's log as text (docs/formats/kft-log.md), of any version: open calls as "no exit" or
 * -1, addresses or names, with or without a CPU after the pid and arguments. Calls come
 * in the order of the log, which is that of their entries. A file can contain several
 * logs in a row.
 *
 * Malformed lines between the rows are skipped and counted.
 */
struct kft_log {
	struct kft_lines lines;
	bool in_rows;
	/*
	 * Number, from 1, of the log that the last call is from; 0 before the first log.
	 */
	unsigned int run;
	bool has_expected; /* a header has the number of rows */
	uint64_t expected; /* sum of the numbers of rows in all headers */
	uint64_t rows; /* number of rows so far */
	uint64_t bad_lines;
	uint64_t first_bad; /* number of the first bad line */
};

/* fd is borrowed and may be a pipe. -ENOMEM. */
int kft_log_init(struct kft_log *log, int fd) __must_check;
void kft_log_finish(struct kft_log *log);

/*
 * 1 with the next call, with its names interned in names; 0 at the end, -errno. When
 * log->run is still 0 at the end, the file has no log.
 */
int kft_log_next(struct kft_log *log, struct kft_intern *names,
		 struct kft_call *ret) __must_check;
