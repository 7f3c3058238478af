/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_KPT_READER_H
#define KFT_FILE_KPT_READER_H

#include "base/map.h"
#include "base/mapped.h"
#include "file/kpt/line.h"
#include "file/kpt/records.h"
#include "model/trace.h"

/* What the parts of the reader share. Only they include this. */

#define KFT_KPT_CPUS_MAX 256

/*
 * The records of one CPU: they do not say which. kft writes one CPU behind the other, each
 * with a mark before it.
 */
struct kft_kpt_part {
	uint32_t cpu;
	size_t begin;
	size_t end;
	uint64_t first_switch; /* number of its first switch in the file */
};

struct kft_kpt {
	struct kft_trace *trace; /* borrowed: it owns this */
	struct kft_mapped *mapped; /* owned; NULL: the text is empty */
	const char *text;
	size_t size;
	/* KPTrace 1 writes arguments of calls in hexadecimal without 0x. */
	bool is_first_version;
	bool has_wakes;
	struct kft_map calls; /* address of the function -> number of the call */
	struct kft_map irq_names; /* -> struct kft_blob *, in the trace's arena */
	KFT_VEC(struct kft_kpt_part) parts;
	/* A bit for each switch: the task that left was woken later, so that it slept. */
	KFT_VEC(uint64_t) slept;
};

/* Finds the parts, names of tasks, calls and who slept. -ENOMEM. */
int kft_kpt_scan(struct kft_kpt *k) __must_check;

/* Symbols and names of kptrace.kpm, which lies beside the file at path. -ENOMEM. */
int kft_kpt_read_symbols(struct kft_kpt *k, const char *path) __must_check;

/* The vector of a softirq by its function; others have numbers of no vector. */
uint64_t kft_kpt_vector_of(const struct kft_kpt *k, uint64_t address);

/* The arguments of a call, from behind its address. */
struct kft_kpt_args {
	uint64_t values[6];
	struct kft_kpt_word text; /* of one that is a string; text NULL: none */
	int text_arg; /* which it is; -1: none */
};
void kft_kpt_read_args(const struct kft_kpt *k, struct kft_kpt_word rest,
		       struct kft_kpt_args *ret);

/* The number of a call by its function's address, or the address itself. -ENOMEM. */
int kft_kpt_meet_call(struct kft_kpt *k, uint64_t address) __must_check;
uint64_t kft_kpt_call(const struct kft_kpt *k, uint64_t address);

#define KFT_KPT_NESTED_MAX   16
#define KFT_KPT_RECORD_BYTES (KFT_KPT_FIXED_BYTES + KFT_KPT_LINE_MAX + 1)

/* What interrupts or softirqs are under way: the record that ends them does not name them. */
struct kft_kpt_nest {
	uint64_t keys[KFT_KPT_NESTED_MAX];
	size_t n;
};

/* What a record's event takes from those before it. */
struct kft_kpt_state {
	uint64_t switches; /* so far, of the whole file */
	struct kft_kpt_nest irqs;
	struct kft_kpt_nest softirqs;
};

/* data: KFT_KPT_RECORD_BYTES, which the event borrows. */
struct kft_event kft_kpt_make(const struct kft_kpt *k, struct kft_kpt_state *s,
			      const struct kft_kpt_line *line, uint32_t cpu,
			      uint8_t *data);

/* Streams for all parts. -ENOMEM. */
int kft_kpt_add_streams(struct kft_kpt *k) __must_check;

#endif
