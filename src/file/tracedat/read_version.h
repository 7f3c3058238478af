/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_TRACEDAT_READ_VERSION_H
#define KFT_FILE_TRACEDAT_READ_VERSION_H

#include "file/tracedat/read_state.h"

/*
 * The rest of a file, read into d and its trace from behind INITIAL FORMAT on. What is
 * broken is damage; only running out of memory and what no trace can be made of fail.
 */
int kft_dat_read_v6(struct kft_dat_reader *d, uint64_t pos,
		    struct kft_err *e) __must_check;

/* options: file offset of the first options section; pos: of the first section. */
int kft_dat_read_v7(struct kft_dat_reader *d, uint64_t pos, uint64_t options,
		    struct kft_err *e) __must_check;

/*
 * Version 7 when the options that tell of buffers are lost: finds sections by walking
 * from one to the next, missing parts of the metadata and buffers that no option named.
 * CPU numbers are a guess then, which is noted.
 */
int kft_dat_salvage_parts(struct kft_dat_reader *d, uint64_t pos) __must_check;
int kft_dat_salvage_buffers(struct kft_dat_reader *d, uint64_t pos) __must_check;

/* FORMAT OF THE SECTION HEADER. False when the file ends before. */
struct kft_dat_section {
	uint16_t id;
	bool compressed;
	uint64_t content; /* file offset behind the header */
	uint64_t len;
};
bool kft_dat_read_section(const struct kft_dat_reader *d, uint64_t offset,
			  struct kft_dat_section *ret) __must_check;

/* Events of an unfinished recording: the files in the directory `path`.parts. */
int kft_dat_read_parts(struct kft_dat_reader *d, const char *path) __must_check;

/* The buffer of a LIVE option, empty, and what the option says of the trace. -ENOMEM. */
int kft_dat_add_live_buffer(struct kft_dat_reader *d, uint16_t *ret) __must_check;

/* saved_cmdlines, a line between, saved_tgids, as FILE.parts/tasks has them. -ENOMEM. */
int kft_dat_use_tasks(struct kft_meta *m, const struct kft_strbuf *sb) __must_check;

/* -ENOTSUP: the file has only what a latency tracer printed. */
int kft_dat_only_text(struct kft_err *e);

#endif
