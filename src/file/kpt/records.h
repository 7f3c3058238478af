/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"

/*
 * The types of records of KPTrace (docs/formats/kpt.md) and the events that they are read
 * as: the kernel's own where the kernel has an event of the same meaning.
 */
#define KFT_KPT_FIELDS	    8
#define KFT_KPT_COMM_BYTES  16
#define KFT_KPT_HEAD_BYTES  8 /* bytes of the common fields that all events have */
#define KFT_KPT_FIRST_ID    100
#define KFT_KPT_FIXED_BYTES 128 /* bytes of a record without its text */

enum kft_kpt_type {
	KFT_KPT_NONE,
	KFT_KPT_INT, /* signed, decimal */
	KFT_KPT_HEX, /* an address or a number, with or without 0x */
	KFT_KPT_TEXT, /* the rest of the line */
	/* A task name, which the line does not have: it is looked up by pid. */
	KFT_KPT_COMM,
	KFT_KPT_ARGS, /* six numbers */
};

struct kft_kpt_field {
	enum kft_kpt_type type;
	const char *name;
};

/* Records that need code of their own to become an event. */
enum kft_kpt_special {
	KFT_KPT_PLAIN,
	KFT_KPT_SWITCH,
	KFT_KPT_WAKE,
	KFT_KPT_IRQ,
	KFT_KPT_IRQ_BACK,
	KFT_KPT_SOFTIRQ,
	KFT_KPT_SOFTIRQ_BACK,
	KFT_KPT_CALL,
	KFT_KPT_CALL_BACK,
	KFT_KPT_MARK,
	KFT_KPT_OTHER, /* code without a row of its own */
};

struct kft_kpt_record {
	const char *code;
	enum kft_kpt_special special;
	const char *system;
	const char *name;
	struct kft_kpt_field fields[KFT_KPT_FIELDS];
};

extern const struct kft_kpt_record kft_kpt_records[];
extern const size_t kft_kpt_n_records;

/* The row of a code; unknown codes have a row of their own, so it is never NULL. */
const struct kft_kpt_record *kft_kpt_find(const char *code, size_t len);

uint16_t kft_kpt_id(const struct kft_kpt_record *r);

/* Offset of a field in bytes from the start of the event. */
uint32_t kft_kpt_offset(const struct kft_kpt_record *r, size_t field);

/* Appends the text of the class in the syntax of decode/format.h. */
void kft_kpt_add_format(const struct kft_kpt_record *r, struct kft_strbuf *sb);

/* Prefixes of the names of functions that are system calls, NULL-terminated. */
extern const char *const kft_kpt_call_prefixes[];

/* Functions that run softirqs, by vector. */
#define KFT_KPT_VECTORS 10
extern const char *const kft_kpt_softirqs[KFT_KPT_VECTORS];
int kft_kpt_vector(const char *function, size_t len); /* -1: not one of them */

/*
 * In a file that kft wrote, a mark with this text and a CPU's number
 * precedes the CPU's records.
 */
#define KFT_KPT_CPU_MARK "kft: cpu "
