/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "file/registry.h"
#include "model/scope.h"

#define CLI_TRACE_DEFAULT "trace.dat"

/* The trace file named by a verb's operands, or the default. */
const char *cli_input_path(int argc, char **argv);

/*
 * Whether an operand can be a trace rather than a word: an existing
 * file, or standard input.
 */
bool cli_input_is(const char *operand);

/* The path's name in messages; for "-", standard input. */
const char *cli_input_name(const char *path);

/*
 * Input that can be read only once: standard input or a FIFO. Its first bytes are
 * read to find the right reader.
 */
struct cli_stream {
	const char *name;
	int fd; /* owned */
	uint8_t head[KFT_FILE_HEAD_BYTES];
	size_t head_len;
	bool is_file; /* a regular file at its start: head is read again with the file */
};

/*
 * Whether path is "-" or not a regular file. Other kinds of files are refused at opening.
 */
bool cli_input_is_stream(const char *path);

int cli_stream_open(const char *path, struct cli_stream *ret,
		    struct kft_err *e) __must_check;
void cli_stream_finish(struct cli_stream *s);

/*
 * Opens the stream as a trace, through a temporary file unless it is_file (base/spool.h).
 */
int cli_stream_trace(struct cli_stream *s, struct kft_trace **ret,
		     struct kft_err *e) __must_check;

/* Opens a path of any kind. The errors of kft_file_open() and of temporary files. */
int cli_input_open(const char *path, struct kft_trace **ret,
		   struct kft_err *e) __must_check;

/* Joins several files to one trace with the name CLI_SEVERAL: see kft_trace_join(). */
#define CLI_SEVERAL "the traces"
int cli_input_join(char **paths, size_t n, struct kft_trace **ret,
		   struct kft_err *e) __must_check;

/* The worst damage of a trace, after reading it; false without damage. */
bool cli_input_damage(struct kft_trace *t, struct kft_err *ret);

/* A note where the kernel's return stacks had no room for n calls. */
void cli_input_note_too_deep(const char *path, uint64_t n);

/*
 * Called after all output: prints the trace's notes, and puts damage into
 * c->err. Returns the exit status.
 */
int cli_input_finish(struct cli *c, const char *path, struct kft_trace *t);

/*
 * Like cli_input_finish(), for verbs that do not count the calls that were deeper than the
 * kernel's return stack: prints a note on those in scope. scope NULL: the whole trace.
 */
int cli_input_finish_part(struct cli *c, const char *path, struct kft_trace *t,
			  const struct kft_scope *scope);
