/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * The result of an analysis: some single values and some tables. Each value has a kind,
 * so that every output (text, JSON, ...) can show every result.
 *
 * Zeroed is empty. Running out of memory is sticky: check kft_result_ok() at the end.
 * Keys are for programs and never change; titles are for people.
 */
enum kft_value_kind {
	KFT_VALUE_NONE, /* unknown or not applicable */
	KFT_VALUE_TEXT,
	KFT_VALUE_TASK, /* text: the name of a task */
	KFT_VALUE_FUNCTION, /* text: the name of a function, or its address */
	KFT_VALUE_BOOL,
	KFT_VALUE_COUNT, /* a number of things */
	KFT_VALUE_LOST, /* a number of things that are missing: people see it marked */
	KFT_VALUE_BYTES,
	KFT_VALUE_CPU,
	KFT_VALUE_PID,
	KFT_VALUE_ID, /* any other number that identifies a thing */
	KFT_VALUE_INTEGER, /* signed: number is an int64_t */
	KFT_VALUE_TIME, /* ns on the trace's clock */
	KFT_VALUE_TICKS, /* time stamp of a clock that does not count ns */
	KFT_VALUE_DURATION, /* ns */
	KFT_VALUE_RATE, /* in thousandths per second */
	KFT_VALUE_RATIO, /* in millionths: 1000000 is 100 % */
};

struct kft_value {
	enum kft_value_kind kind;
	uint32_t len; /* of text */
	union {
		uint64_t number;
		/* Owned by the result's arena or static; may hold any bytes. */
		const char *text;
	};
};

static inline bool kft_value_is_text(const struct kft_value *v)
{
	return v->kind == KFT_VALUE_TEXT || v->kind == KFT_VALUE_TASK ||
	       v->kind == KFT_VALUE_FUNCTION;
}

struct kft_result_column {
	const char *key;
	const char *title;
	bool is_text; /* left-aligned in output for people */
	bool is_optional; /* hidden from people when all values are empty or 0 */
	bool for_programs; /* hidden from people */
	bool marks_most; /* the greatest value that people see is marked */
	bool is_detail; /* hidden from people first, on terminals that are too narrow */
};

struct kft_result_field {
	const char *key; /* borrowed, as the title: static */
	const char *title;
	bool is_optional; /* hidden from people when it is empty, 0 or false */
	struct kft_value value;
};

struct kft_result_table {
	struct kft_result *result; /* the result that has this table */
	const char *key; /* borrowed: static */
	const char *title; /* NULL: the columns need no title */
	const struct kft_result_column *columns; /* borrowed: static */
	size_t n_columns;
	/* Hidden from people if its optional numeric columns would all be hidden. */
	bool is_optional;
	bool is_record; /* has one row, which programs get as one object */
	size_t top; /* rows shown to people unless they ask for all; 0: all */
	KFT_VEC(struct kft_value) values; /* row by row */
	/*
	 * Makes a row when an output needs it, for tables that would need much memory:
	 * values is empty then, and make fills in the n_columns values of a row.
	 */
	void (*make)(const struct kft_result_table *t, size_t row, struct kft_value *ret);
	const void *arg; /* of make; borrowed */
	size_t n_made; /* number of rows */
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

/*
 * Adds a value like kft_result_add(); people see it only if it is not empty, 0 or false.
 */
void kft_result_add_optional(struct kft_result *r, const char *key, const char *title,
			     struct kft_value value);

/* Adds a table; NULL (which the functions below accept) when out of memory. */
struct kft_result_table *kft_result_add_table(struct kft_result *r, const char *key,
					      const struct kft_result_column *columns,
					      size_t n_columns);

#define KFT_RESULT_COLUMNS_MAX 32

size_t kft_result_rows(const struct kft_result_table *t);

/*
 * Returns the values of a row: those in the table, or values written to made, the
 * caller's array of KFT_RESULT_COLUMNS_MAX.
 */
const struct kft_value *kft_result_row(const struct kft_result_table *t, size_t row,
				       struct kft_value *made);

/* Appends a value to the row that is being filled. */
void kft_result_put(struct kft_result_table *t, struct kft_value value);

/* Constructors of values. Text is copied into the arena. */
struct kft_value kft_value_text(struct kft_result *r, const char *text);
struct kft_value kft_value_textn(struct kft_result *r, const char *text, size_t len);
struct kft_value kft_value_task(struct kft_result *r, const char *comm);
struct kft_value kft_value_function(struct kft_result *r, const char *name);

static inline struct kft_value kft_value_number(enum kft_value_kind kind, uint64_t number)
{
	return (struct kft_value){.kind = kind, .number = number};
}

static inline struct kft_value kft_value_none(void)
{
	return (struct kft_value){.kind = KFT_VALUE_NONE};
}

static inline struct kft_value kft_value_count(uint64_t n)
{
	return kft_value_number(KFT_VALUE_COUNT, n);
}

static inline struct kft_value kft_value_lost(uint64_t n)
{
	return kft_value_number(KFT_VALUE_LOST, n);
}

static inline struct kft_value kft_value_bool(bool v)
{
	return kft_value_number(KFT_VALUE_BOOL, v);
}

static inline struct kft_value kft_value_duration(uint64_t ns)
{
	return kft_value_number(KFT_VALUE_DURATION, ns);
}

/* A negative pid means none: an interrupt, or not recorded. */
static inline struct kft_value kft_value_pid(int64_t pid)
{
	return pid < 0 ? kft_value_none() : kft_value_number(KFT_VALUE_PID, pid);
}

static inline struct kft_value kft_value_cpu(int64_t cpu)
{
	return cpu < 0 ? kft_value_none() : kft_value_number(KFT_VALUE_CPU, cpu);
}

/* A text that outlives the result, such as a literal: it is not copied. */
static inline struct kft_value kft_value_word(const char *text)
{
	return (struct kft_value){
		.kind = KFT_VALUE_TEXT, .text = text, .len = (uint32_t)strlen(text)};
}
