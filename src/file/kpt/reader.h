/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/map.h"
#include "base/mapped.h"
#include "file/kpt/line.h"
#include "file/kpt/records.h"
#include "model/trace.h"

/* Internal state and functions of the KPTrace reader; only its files include this. */

#define KFT_KPT_CPUS_MAX 256

/*
 * The records of one CPU, a range of bytes. Records do not name their CPU; kft writes the
 * CPUs one after the other, each preceded by a mark.
 */
struct kft_kpt_part {
	uint32_t cpu;
	size_t begin;
	size_t end;
	/* Number of its first switch, counted from the file's start. */
	uint64_t first_switch;
};

struct kft_kpt {
	struct kft_trace *trace; /* borrowed: the trace that owns this */
	struct kft_mapped *mapped; /* owned; NULL: the text is empty */
	const char *text;
	size_t size;
	/* KPTrace 1 writes arguments of calls in hexadecimal without 0x. */
	bool is_first_version;
	bool has_wakes;
	struct kft_map calls; /* address of the function -> number of the system call */
	/* Interrupt -> struct kft_blob *, in the trace's arena. */
	struct kft_map irq_names;
	KFT_VEC(struct kft_kpt_part) parts;
	/*
	 * A bit per switch: the task that was switched out was woken
	 * later, so it was sleeping.
	 */
	KFT_VEC(uint64_t) slept;
};

/* Finds the parts, task names and calls, and fills in slept. -ENOMEM. */
int kft_kpt_scan(struct kft_kpt *k) __must_check;

/*
 * Reads symbols and names from kptrace.kpm, which lies beside the file at path. -ENOMEM.
 */
int kft_kpt_read_symbols(struct kft_kpt *k, const char *path) __must_check;

/*
 * The vector of a softirq by the address of its function; a number above all
 * vectors for another function.
 */
uint64_t kft_kpt_vector_of(const struct kft_kpt *k, uint64_t address);

/* The arguments of a call; a record has them after the function's address. */
struct kft_kpt_args {
	uint64_t values[6];
	struct kft_kpt_word text; /* the argument that is a string; text NULL: none */
	int text_arg; /* index of the string argument; -1: none */
};
void kft_kpt_read_args(const struct kft_kpt *k, struct kft_kpt_word rest,
		       struct kft_kpt_args *ret);

/*
 * kft_kpt_meet_call() adds the function at an address (-ENOMEM); kft_kpt_call() then maps
 * it to the number of its system call, or to the address itself when there is none.
 */
int kft_kpt_meet_call(struct kft_kpt *k, uint64_t address) __must_check;
uint64_t kft_kpt_call(const struct kft_kpt *k, uint64_t address);

#define KFT_KPT_NESTED_MAX   16
#define KFT_KPT_RECORD_BYTES (KFT_KPT_FIXED_BYTES + KFT_KPT_LINE_MAX + 1)

/*
 * Stack of running interrupts or softirqs: a record of an exit does
 * not name the one that ends.
 */
struct kft_kpt_nest {
	uint64_t keys[KFT_KPT_NESTED_MAX];
	size_t n;
};

/* State that is carried from one record of a stream to the next. */
struct kft_kpt_state {
	uint64_t switches; /* number of the next switch, counted from the file's start */
	struct kft_kpt_nest irqs;
	struct kft_kpt_nest softirqs;
};

/* Makes the event of a record. data: KFT_KPT_RECORD_BYTES, which the event borrows. */
struct kft_event kft_kpt_make(const struct kft_kpt *k, struct kft_kpt_state *s,
			      const struct kft_kpt_line *line, uint32_t cpu,
			      uint8_t *data);

/* Adds a stream for each part. -ENOMEM. */
int kft_kpt_add_streams(struct kft_kpt *k) __must_check;
