/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_INPUT_H
#define KFT_CLI_INPUT_H

#include "cli/verb.h"
#include "file/registry.h"
#include "model/scope.h"

#define CLI_TRACE_DEFAULT "trace.dat"

/* The trace file that a verb's operands name; the default without any. */
const char *cli_input_path(int argc, char **argv);

/* Whether a verb's operand can be that file and not a word: it is there, or standard input. */
bool cli_input_is(const char *operand);

/* How messages call it: "-" is standard input. */
const char *cli_input_name(const char *path);

/*
 * What can be read once only, opened: standard input, a FIFO. Its first bytes are read,
 * so that who wants it can be chosen.
 */
struct cli_stream {
	const char *name;
	int fd; /* owned */
	uint8_t head[KFT_FILE_HEAD_BYTES];
	size_t head_len;
	bool is_file; /* a regular file at its start after all: head is still to be read */
};

/* "-", or no regular file. Other kinds of files are refused when they are opened. */
bool cli_input_is_stream(const char *path);

int cli_stream_open(const char *path, struct cli_stream *ret,
		    struct kft_err *e) __must_check;
void cli_stream_finish(struct cli_stream *s);

/* As a trace, by way of a temporary file unless it is_file (base/spool.h). */
int cli_stream_trace(struct cli_stream *s, struct kft_trace **ret,
		     struct kft_err *e) __must_check;

/* The trace of a path, whatever it is. Errors as kft_file_open(), and of temporary files. */
int cli_input_open(const char *path, struct kft_trace **ret,
		   struct kft_err *e) __must_check;

/* Several files become one trace, called CLI_SEVERAL: see kft_trace_join(). */
#define CLI_SEVERAL "the traces"
int cli_input_join(char **paths, size_t n, struct kft_trace **ret,
		   struct kft_err *e) __must_check;

/* The worst that is wrong with a trace after reading it; false when nothing is. */
bool cli_input_damage(struct kft_trace *t, struct kft_err *ret);

/* A note where the kernel's return stacks had no room for n calls. */
void cli_input_note_too_deep(const char *path, uint64_t n);

/*
 * After all output: prints the trace's notes, and puts what is damaged into c->err.
 * Returns the exit status that this means.
 */
int cli_input_finish(struct cli *c, const char *path, struct kft_trace *t);

/*
 * The same for what counts no such calls itself: notes those in this part of the trace. NULL: in
 * the whole trace.
 */
int cli_input_finish_part(struct cli *c, const char *path, struct kft_trace *t,
			  const struct kft_scope *scope);

#endif
