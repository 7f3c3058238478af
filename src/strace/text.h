/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/traced_call.h"
#include "output/plain/call_sets.h"

/* Text of arguments of system calls, written as strace(1) writes it. */

/* The largest limit of strings (-s). */
#define KFT_STRACE_STRING_MAX 4096

/* Text of a call's arguments: arrays that make more end with "...". */
#define KFT_STRACE_TEXT_MAX ((size_t)4 << 20)

enum kft_strace_hex { KFT_STRACE_HEX_NONE, KFT_STRACE_HEX_BINARY, KFT_STRACE_HEX_ALL };

struct kft_strace_style {
	size_t string_max; /* bytes; without `verbose` also elements of arrays */
	enum kft_strace_hex hex;
	bool verbose; /* all members of structures, all elements of arrays */
	bool paths; /* the path of each descriptor */
	/*
	 * Writes the path of a descriptor (AT_FDCWD: the working directory), with escapes; false:
	 * there is none. NULL: paths are not known.
	 */
	bool (*path)(void *arg, pid_t tid, int fd, struct kft_strbuf *ret);
	void *arg; /* borrowed; of path */
};

/* A call that is being written. */
struct kft_strace_text {
	struct kft_traced_call *call; /* borrowed, as all below */
	const struct kft_strace_style *style;
	const struct kft_plain_signature *signature;
	struct kft_strbuf *sb;
	struct kft_strbuf *note; /* text after the result: "Timeout" */
	unsigned int at; /* index of the argument */
	unsigned int word; /* bytes of a long of the task */
	uint64_t left; /* bytes of a vector's buffers that are still to be shown */
	bool ended; /* this argument (when it wrote nothing) and those after it are not shown */
	bool skipped; /* this argument is not shown, but those after it are */
	bool comma; /* the comma before the argument is written already */
};

/* Reads exactly len bytes; false: not all of them can be read. */
bool kft_strace_read(const struct kft_strace_text *t, uint64_t address, void *data,
		     size_t len);

/* Reads a long or a pointer of the task. */
bool kft_strace_read_word(const struct kft_strace_text *t, uint64_t address,
			  uint64_t *ret);

/* A long of the task from bytes that were read, or as it is in a register. */
uint64_t kft_strace_word(const struct kft_strace_text *t, const void *data);

static inline uint64_t kft_strace_arg(const struct kft_strace_text *t, unsigned int i)
{
	return i < KFT_TRACED_ARGS ? t->call->args[i] : 0;
}

void kft_strace_address(const struct kft_strace_text *t, uint64_t address);
void kft_strace_hex(const struct kft_strace_text *t, uint64_t value);
/* The id of a user or a group; -1 stands for none. */
void kft_strace_id(const struct kft_strace_text *t, uint32_t id);

void kft_strace_fd(const struct kft_strace_text *t, int fd);
/* A descriptor that paths are relative to, or AT_FDCWD. */
void kft_strace_dir(const struct kft_strace_text *t, int fd);
void kft_strace_set(const struct kft_strace_text *t, const struct kft_arg_type *type,
		    uint64_t value);

/* Type and permissions of a file. */
void kft_strace_mode(const struct kft_strace_text *t, uint32_t mode);

void kft_strace_signal(const struct kft_strace_text *t, uint32_t number);

/* Clock ticks, which are hundredths of a second for programs. */
void kft_strace_ticks(const struct kft_strace_text *t, int64_t ticks);

/* A comment with a local date; nothing for the time 0. */
void kft_strace_date(const struct kft_strace_text *t, int64_t sec, int64_t nsec);

/* Appends text without quotes: unprintable bytes, quotes and angle brackets are escaped. */
void kft_strace_escape(struct kft_strbuf *sb, const char *data, size_t len);

/* The name of a constant; NULL: it has none. */
const char *kft_strace_name(const struct kft_arg_type *type, uint32_t value);

/* Bytes in quotes, cut by the style with "..." behind them. */
void kft_strace_quoted(const struct kft_strace_text *t, const char *data, size_t len,
		       bool is_cut, enum kft_strace_hex hex);

/* len bytes of memory as a string; its address when they cannot be read. */
void kft_strace_bytes(const struct kft_strace_text *t, uint64_t address, uint64_t len);

/* A string that ends with NUL; a path is shown whole. */
void kft_strace_string(const struct kft_strace_text *t, uint64_t address, bool is_path);

/*
 * An array in brackets: one calls `add` for each element that can be read. Elements after those
 * that are shown are "...".
 */
void kft_strace_array(struct kft_strace_text *t, uint64_t address, uint64_t n,
		      size_t size,
		      void (*add)(struct kft_strace_text *t, const void *element));
