/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_EXPORT_KPT_H
#define KFT_EXPORT_KPT_H

#include "export/writer.h"
#include "file/kpt/records.h"

/* What the parts of the export to KPTrace's text share. Only they include this. */

/* The record of a class of events, and the fields that it takes from them. */
struct kft_kpt_row {
	const struct kft_kpt_record *record; /* NULL: it has none */
	const struct kft_field *fields[KFT_KPT_FIELDS];
	/* The function's return, which the same event says; NULL: it does not. */
	const struct kft_kpt_record *back;
	const struct kft_field *back_field;
	/* do_setitimer: interval and value, seconds and parts of them. */
	bool has_times;
	const struct kft_field *times[4];
};

struct kft_kpt_writer {
	struct kft_export *x;
	int fd; /* of kptrace.kpt */
	const struct kft_field *pid; /* borrowed; NULL: there is none */
	struct kft_kpt_row *rows; /* owned, by id */
	uint64_t met[KFT_ID_WORDS]; /* ids whose rows are filled in */
	struct kft_map irqs; /* numbers whose names were written down */
	struct kft_map calls; /* number -> address */
	uint64_t softirqs[KFT_KPT_VECTORS]; /* addresses; 0: not met */
	uint64_t next_made; /* the next address that is made up */
	struct kft_strbuf names; /* lines of kptrace.kpm */
	struct kft_strbuf functions; /* likewise: those that the symbols do not have */
	uint64_t left_out;
};

/* Fills in the row of a class; without a record KPTrace has none. */
void kft_kpt_meet(struct kft_kpt_row *row, const struct kft_class *c);

/* An integer of the event; 0: it has none. */
uint64_t kft_kpt_number_of(const struct kft_kpt_writer *w, const struct kft_event *ev,
			   const struct kft_field *f);

/* The same, by the number of the record's field. */
uint64_t kft_kpt_field_number(const struct kft_kpt_writer *w, const struct kft_event *ev,
			      size_t field);

/* A string, on one line. */
void kft_kpt_field_text(const struct kft_kpt_writer *w, const struct kft_event *ev,
			size_t field, struct kft_strbuf *sb);

/* What is behind the code of an event that has a record. */
void kft_kpt_add_args(struct kft_kpt_writer *w, const struct kft_event *ev,
		      struct kft_strbuf *sb);

/* Addresses of functions: of a system call by its number, of what runs a softirq. */
uint64_t kft_kpt_call_address(struct kft_kpt_writer *w, uint64_t number);
uint64_t kft_kpt_softirq_address(struct kft_kpt_writer *w, uint64_t vector);

/* The text of kptrace.kpm, without the kernel's own symbols. */
void kft_kpt_add_symbols(struct kft_kpt_writer *w, struct kft_strbuf *sb);

#endif
