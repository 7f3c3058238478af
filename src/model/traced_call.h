/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * A system call of a followed task: numbers, times, and all memory of the task that its text
 * needs. An engine fills it in (src/ptrace; an engine that observes would too) and a printer
 * (src/strace) turns it into text; they share nothing else. One that is zeroed is empty.
 */
#define KFT_TRACED_ARGS 6

/* The most bytes that are read for one call: a call with huge vectors is cut there. */
#define KFT_TRACED_BYTES_MAX ((size_t)1 << 20)

enum kft_traced_abi {
	KFT_TRACED_NATIVE,
	KFT_TRACED_32, /* a 32-bit program on a 64-bit kernel */
	KFT_N_TRACED_ABIS,
};

/* Memory of the task at one moment; its bytes begin at `at` in kft_traced_call.bytes. */
struct kft_traced_piece {
	uint64_t address;
	size_t len;
	size_t wanted; /* more than len: the bytes after len cannot be read */
	size_t at;
	bool at_exit;
};

/*
 * Reads memory of a stopped task when the text needs it; the call keeps the bytes as pieces. An engine
 * that does not stop its tasks has no source: it adds all pieces before the call is printed.
 */
struct kft_traced_source {
	/* Reads up to len bytes of a task; a short count or -errno where memory ends. */
	ssize_t (*read)(void *arg, pid_t tid, uint64_t address, void *data, size_t len);
	void *arg; /* borrowed */
};

struct kft_traced_call {
	pid_t tid;
	enum kft_traced_abi abi;
	int64_t number;
	uint64_t args[KFT_TRACED_ARGS];
	uint64_t stack; /* the stack pointer at the entry */
	uint64_t entered_ns; /* CLOCK_MONOTONIC */
	uint64_t left_ns;
	uint64_t
		cpu_ns; /* time of the task in the kernel during the call, if it is measured */
	int64_t result; /* -errno when is_error */
	bool is_error;
	bool at_exit; /* the result is known: memory is that after the call */
	int64_t resumes; /* restart_syscall: the number of the call that goes on; -1: not known */
	const struct kft_traced_source *source; /* borrowed; NULL: only the pieces */
	KFT_VEC(struct kft_traced_piece) pieces;
	struct kft_strbuf bytes;
};

/* Empties the record for the task's next call and keeps its allocations. */
void kft_traced_call_begin(struct kft_traced_call *c);
void kft_traced_call_finish(struct kft_traced_call *c);

/*
 * Copies memory of the task at this moment (entry or exit). Returns the number of bytes, which is
 * less than len where memory ends, was not recorded, or the call has KFT_TRACED_BYTES_MAX.
 */
size_t kft_traced_read(struct kft_traced_call *c, uint64_t address, void *data,
		       size_t len);

/*
 * Does the same with the memory as it was at the entry, which has to have been read then; for
 * arguments that the call replaces.
 */
size_t kft_traced_read_entry(struct kft_traced_call *c, uint64_t address, void *data,
			     size_t len);
