/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_KPT_RECORDS_H
#define KFT_FILE_KPT_RECORDS_H

#include "base/strbuf.h"

/*
 * The kinds of records of KPTrace (docs/formats/kpt.md) and the events that they are read as:
 * the kernel's own where it has one that says the same.
 */
#define KFT_KPT_FIELDS	    8
#define KFT_KPT_COMM_BYTES  16
#define KFT_KPT_HEAD_BYTES  8 /* of a record: the fields that all events have */
#define KFT_KPT_FIRST_ID    100
#define KFT_KPT_FIXED_BYTES 128 /* of a record: all but its text */

enum kft_kpt_type {
	KFT_KPT_NONE,
	KFT_KPT_INT, /* signed, decimal */
	KFT_KPT_HEX, /* an address or a number, with or without 0x */
	KFT_KPT_TEXT, /* the rest of the line */
	KFT_KPT_COMM, /* a name that the record does not have: see read.c */
	KFT_KPT_ARGS, /* six numbers */
};

struct kft_kpt_field {
	enum kft_kpt_type type;
	const char *name;
};

/* Records that are more than their fields. */
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
	KFT_KPT_OTHER, /* what no row has */
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

/* Never NULL: codes that are not known have a row of their own. */
const struct kft_kpt_record *kft_kpt_find(const char *code, size_t len);

uint16_t kft_kpt_id(const struct kft_kpt_record *r);

/* Where a field is, from the start of the event. */
uint32_t kft_kpt_offset(const struct kft_kpt_record *r, size_t field);

/* The text of its class, as decode/format.h has it. */
void kft_kpt_add_format(const struct kft_kpt_record *r, struct kft_strbuf *sb);

/* What names of functions begin with that are system calls, up to NULL. */
extern const char *const kft_kpt_call_prefixes[];

/* Functions that run softirqs, by vector. */
#define KFT_KPT_VECTORS 10
extern const char *const kft_kpt_softirqs[KFT_KPT_VECTORS];
int kft_kpt_vector(const char *function, size_t len); /* -1: it runs none */

/* Between the CPUs of a file that kft wrote: a text of KPTrace's K, and the number. */
#define KFT_KPT_CPU_MARK "kft: cpu "

#endif
