/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_KFTLOG_READ_H
#define KFT_FILE_KFTLOG_READ_H

#include <kft/error.h>

#include "base/lines.h"
#include "model/call.h"

/*
 * KFT's log as text (docs/formats/kft-log.md), of any age: with "no exit" or -1, with
 * addresses or names, with a CPU behind the pid, with arguments. Calls come in the order of
 * the log, which is that of their entries. Several logs can stand one behind the other.
 *
 * Lines between the rows that are no rows are passed over and counted.
 */
struct kft_log {
	struct kft_lines lines;
	bool in_rows;
	unsigned int run; /* which of several logs the last call is from, from 1 */
	bool has_expected; /* the header says how many rows there are */
	uint64_t expected; /* in all logs whose header says so */
	uint64_t rows; /* so far */
	uint64_t bad_lines;
	uint64_t first_bad; /* its line number */
};

/* fd is borrowed and may be a pipe. -ENOMEM. */
int kft_log_init(struct kft_log *log, int fd) __must_check;
void kft_log_finish(struct kft_log *log);

/*
 * 1 with the next call, its names put into names; 0 at the end, -errno. Until the first
 * call, log->run is 0: a text without it is no log.
 */
int kft_log_next(struct kft_log *log, struct kft_intern *names,
		 struct kft_call *ret) __must_check;

#endif
