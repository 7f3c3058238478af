/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "export/export_impl.h"
#include "file/kpt/records.h"

/* Shared by the files of the export to KPTrace's text. Only they include this. */

/* The record for a class of events, and the event's fields that it contains. */
struct kft_kpt_row {
	const struct kft_kpt_record *record; /* NULL: the event is not exported */
	const struct kft_field *fields[KFT_KPT_FIELDS];
	/*
	 * The record of the function's return, which the same event contains; NULL: none.
	 */
	const struct kft_kpt_record *back;
	const struct kft_field *back_field;
	/* For do_setitimer: interval and value, each as seconds and fraction. */
	bool has_times;
	const struct kft_field *times[4];
};

struct kft_kpt_writer {
	struct kft_export *x;
	int fd; /* of kptrace.kpt */
	const struct kft_field *pid; /* borrowed; NULL: missing */
	struct kft_kpt_row *rows; /* owned, by id */
	uint64_t met[KFT_ID_WORDS]; /* ids with valid rows */
	struct kft_map irqs; /* numbers with names that were written */
	struct kft_map calls; /* maps a number to an address */
	uint64_t softirqs[KFT_KPT_VECTORS]; /* addresses; 0: not seen */
	uint64_t next_made; /* the next artificial address */
	struct kft_strbuf names; /* lines of kptrace.kpm */
	/* lines of kptrace.kpm for functions that the symbols lack */
	struct kft_strbuf functions;
	uint64_t left_out;
};

/* Fills in the row of a class; its record stays NULL if KPTrace has none. */
void kft_kpt_meet(struct kft_kpt_row *row, const struct kft_class *c);

/* An integer of the event; 0 if the field is missing. */
uint64_t kft_kpt_number_of(const struct kft_kpt_writer *w, const struct kft_event *ev,
			   const struct kft_field *f);

/* An integer of the event, from the field with this number in the record; 0 if it is missing. */
uint64_t kft_kpt_field_number(const struct kft_kpt_writer *w, const struct kft_event *ev,
			      size_t field);

/* Appends a string on one line. */
void kft_kpt_field_text(const struct kft_kpt_writer *w, const struct kft_event *ev,
			size_t field, struct kft_strbuf *sb);

/* Appends the arguments after the code of an event with a record. */
void kft_kpt_add_args(struct kft_kpt_writer *w, const struct kft_event *ev,
		      struct kft_strbuf *sb);

/* Addresses of functions: of a system call by its number, and of a softirq's handler. */
uint64_t kft_kpt_call_address(struct kft_kpt_writer *w, uint64_t number);
uint64_t kft_kpt_softirq_address(struct kft_kpt_writer *w, uint64_t vector);

/* Appends the lines of kptrace.kpm, except the kernel's own symbols. */
void kft_kpt_add_symbols(struct kft_kpt_writer *w, struct kft_strbuf *sb);
