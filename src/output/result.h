/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/result.h"

/*
 * Prints the result of an analysis (model/result.h) by appending to sb.
 *
 * To add an output, write result_NAME.c with the function that kft_result_write_fn
 * describes, and add a line to KFT_OUTPUTS.
 */
struct kft_output_how {
	bool all; /* text: show all rows, not only the top of each table */
	const char *all_option; /* text: the option for that; NULL: --all */
	bool colour; /* text: bold titles, marked worst values and losses */
	size_t width; /* text: columns of the terminal; 0: lines of any length */
	/* Called after some rows: may write sb out and empty it. NULL: never called. */
	void (*drain)(void *arg);
	void *arg;
};

typedef void kft_result_write_fn(const struct kft_result *r,
				 const struct kft_output_how *how, struct kft_strbuf *sb);

/* clang-format off */
#define KFT_OUTPUTS(X) \
	X(text) \
	X(json) \
	X(csv)
/* clang-format on */

#define KFT_OUTPUT_DECLARE(name) kft_result_write_fn kft_result_##name;
#define KFT_OUTPUT_ID(name)	 KFT_OUTPUT_##name,

/*
 * text: for people, single values as lines, tables aligned.
 * json: one object and a newline, a member for each single value, an array of objects for
 *	each table (docs/formats/json.md).
 * csv: rows of comma separated values, a block for each table (docs/formats/csv.md).
 */
KFT_OUTPUTS(KFT_OUTPUT_DECLARE)

enum kft_output_id { KFT_OUTPUTS(KFT_OUTPUT_ID) };

extern kft_result_write_fn *const kft_outputs[];
extern const char *const kft_output_names[]; /* the same order; ends with NULL */

/* Prints one table of a result as text. */
void kft_result_table_text(const struct kft_result_table *t,
			   const struct kft_output_how *how, struct kft_strbuf *sb);

static inline void kft_output_drain(const struct kft_output_how *how)
{
	if (how->drain)
		how->drain(how->arg);
}
