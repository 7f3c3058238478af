/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/state.h"

/*
 * Read a file after its INITIAL FORMAT into d and its trace. Malformed parts become
 * damage; the functions fail only when out of memory or when no trace can be made.
 */
int kft_dat_read_v6(struct kft_dat_reader *d, uint64_t pos,
		    struct kft_err *e) __must_check;

/* options: file offset of the first options section; pos: of the first section. */
int kft_dat_read_v7(struct kft_dat_reader *d, uint64_t pos, uint64_t options,
		    struct kft_err *e) __must_check;

/*
 * Recover a version 7 file without the options for its buffers, by walking from section
 * to section: kft_dat_salvage_parts() finds missing parts of the metadata, and
 * kft_dat_salvage_buffers() the buffers without an option. The CPU numbers are guesses
 * then, which becomes a note.
 */
int kft_dat_salvage_parts(struct kft_dat_reader *d, uint64_t pos) __must_check;
int kft_dat_salvage_buffers(struct kft_dat_reader *d, uint64_t pos) __must_check;

/*
 * FORMAT OF THE SECTION HEADER. kft_dat_read_section() is false
 * when the file ends before.
 */
struct kft_dat_section {
	uint16_t id;
	bool compressed;
	uint64_t content; /* file offset after the header */
	uint64_t len;
};
bool kft_dat_read_section(const struct kft_dat_reader *d, uint64_t offset,
			  struct kft_dat_section *ret) __must_check;

/* Adds the events of an unfinished recording from the directory `path`.parts. */
int kft_dat_read_parts(struct kft_dat_reader *d, const char *path) __must_check;

/*
 * Adds the empty buffer of a LIVE option and copies the option's
 * fields to the trace. -ENOMEM.
 */
int kft_dat_add_live_buffer(struct kft_dat_reader *d, uint16_t *ret) __must_check;

/* Parses FILE.parts/tasks: saved_cmdlines, a separator line, saved_tgids. -ENOMEM. */
int kft_dat_use_tasks(struct kft_meta *m, const struct kft_strbuf *sb) __must_check;

/* -ENOTSUP: the file has only the text output of a latency tracer. */
int kft_dat_only_text(struct kft_err *e);
