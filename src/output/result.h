/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_RESULT_H
#define KFT_OUTPUT_RESULT_H

#include "base/strbuf.h"
#include "model/result.h"

/*
 * The answer of an analysis (model/result.h) in bytes, appended to sb.
 *
 * Adding an output: a file result_NAME.c with the function that kft_result_write_fn
 * describes, and a line in KFT_OUTPUTS.
 */
struct kft_output_how {
	bool all; /* people see all rows, not each table's top */
	size_t width; /* columns of the terminal for text; 0: lines as long as they are */
	/* Called after some rows: may write sb out and empty it. NULL: nobody does. */
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

/* One table of a result, as text has it. */
void kft_result_table_text(const struct kft_result_table *t,
			   const struct kft_output_how *how, struct kft_strbuf *sb);

static inline void kft_output_drain(const struct kft_output_how *how)
{
	if (how->drain)
		how->drain(how->arg);
}

#endif
