/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_RESULT_H
#define KFT_MODEL_RESULT_H

#include "base/arena.h"
#include "base/vec.h"

/*
 * The answer of an analysis: some single values and some tables, whose values say what
 * they are, so that every output (text, JSON, ...) can show every answer.
 *
 * Zeroed is empty. Running out of memory is sticky: check kft_result_ok() at the end.
 * Keys are for programs and never change; titles are for people.
 */
enum kft_value_kind {
	KFT_VALUE_NONE, /* not known, or makes no sense here */
	KFT_VALUE_TEXT,
	KFT_VALUE_BOOL,
	KFT_VALUE_COUNT, /* how many of something */
	KFT_VALUE_ID, /* a number that is a name: a CPU, a pid */
	KFT_VALUE_INTEGER, /* with a sign: an int64_t as number */
	KFT_VALUE_TIME, /* ns on the trace's clock */
	KFT_VALUE_TICKS, /* the same for a clock that does not count ns */
	KFT_VALUE_DURATION, /* ns */
	KFT_VALUE_RATE, /* in thousandths per second */
};

struct kft_value {
	enum kft_value_kind kind;
	uint64_t number;
	const char *text; /* owned by the result's arena or static; may hold any bytes */
	size_t len;
};

struct kft_result_column {
	const char *key;
	const char *title;
	bool is_text; /* left aligned, where people see it */
	bool is_optional; /* people need not see it when all is empty or 0 */
};

struct kft_result_field {
	const char *key; /* borrowed, as the title: static */
	const char *title;
	bool is_optional; /* people need not see it when it is empty, 0 or false */
	struct kft_value value;
};

struct kft_result_table {
	struct kft_result *result; /* that it is part of */
	const char *key; /* borrowed: static */
	const char *title; /* of the table, or NULL when its columns say enough */
	const struct kft_result_column *columns; /* borrowed: static */
	size_t n_columns;
	bool is_optional; /* not shown to people who would see no optional number in it */
	size_t top; /* rows that people see unless they ask for all; 0: all */
	KFT_VEC(struct kft_value) values; /* row by row */
};

struct kft_result {
	struct kft_arena arena;
	KFT_VEC(struct kft_result_field) fields;
	KFT_VEC(struct kft_result_table *) tables; /* in the arena */
	bool failed;
};

void kft_result_finish(struct kft_result *r);

static inline bool kft_result_ok(const struct kft_result *r)
{
	return !r->failed;
}

void kft_result_add(struct kft_result *r, const char *key, const char *title,
		    struct kft_value value);

/* The same for what matters to people only when there is something to say. */
void kft_result_add_optional(struct kft_result *r, const char *key, const char *title,
			     struct kft_value value);

/* A new table; NULL (which the functions below accept) when out of memory. */
struct kft_result_table *kft_result_add_table(struct kft_result *r, const char *key,
					      const struct kft_result_column *columns,
					      size_t n_columns);

/* The next value of the row that is being filled. */
void kft_result_put(struct kft_result_table *t, struct kft_value value);

/* Values. Text is copied into the arena. */
struct kft_value kft_value_text(struct kft_result *r, const char *text);
struct kft_value kft_value_textn(struct kft_result *r, const char *text, size_t len);
struct kft_value kft_value_number(enum kft_value_kind kind, uint64_t number);

#endif
