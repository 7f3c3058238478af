/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/event.h"

struct kft_filter;
struct kft_filters;

/*
 * The steps of a compiled filter, for a translation into another form (live/condition.c). They
 * have one value, the result of the last test: that of the filter is the last one.
 */
enum kft_filter_compare {
	KFT_FILTER_EQUAL,
	KFT_FILTER_NOT_EQUAL,
	KFT_FILTER_LESS,
	KFT_FILTER_LESS_EQUAL,
	KFT_FILTER_GREATER,
	KFT_FILTER_GREATER_EQUAL,
	KFT_FILTER_HAS_BIT,
	KFT_FILTER_GLOB,
};

enum kft_filter_op {
	KFT_FILTER_TEST_NUMBER, /* sets the value to the result of a comparison */
	KFT_FILTER_TEST_STRING,
	KFT_FILTER_TEST_CPU,
	KFT_FILTER_NEGATE, /* negates the value */
	KFT_FILTER_SKIP_IF, /* jumps to `to` if the value is true */
	KFT_FILTER_SKIP_UNLESS,
};

struct kft_filter_step {
	enum kft_filter_op op;
	enum kft_filter_compare compare;
	const struct kft_field *field; /* borrowed from the class */
	uint64_t number;
	const char *text; /* owned by the filter */
	size_t len;
	size_t to; /* index of a later step, or the number of steps */
};

const struct kft_filter_step *kft_filter_steps(const struct kft_filter *f, size_t *ret_n);
/* Another filter of the same event, one of which has to match; NULL: none. */
const struct kft_filter *kft_filter_next(const struct kft_filter *f);
/* The first filter of an event that has to pass one; NULL: it needs none. */
const struct kft_filter *kft_filters_of(const struct kft_filters *fs, uint16_t id);

/* Whether a text passes a test of a string. */
bool kft_filter_step_match(const struct kft_filter_step *s, const char *str, size_t len);
/*
 * Matches one character, which is no *, of a glob. Returns the rest of the pattern; NULL when it
 * does not match.
 */
const char *kft_filter_glob_one(const char *p, const char *end, char c);
