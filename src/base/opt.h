/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"
#include "base/vec.h"

/*
 * Command line options from a table. The table is the only source: parsing, --help,
 * completion and the test that compares it with the manual page work from it.
 *
 * A table is an array of struct kft_opt that ends with {}. Syntax is GNU's: -a -b as -ab,
 * -o FILE as -oFILE, --out FILE as --out=FILE, operands anywhere, "--" ends options. Long
 * names cannot be abbreviated: a script that did so would break when an option is added.
 */
enum kft_opt_kind {
	KFT_OPT_FLAG, /* bool: true when given */
	KFT_OPT_STRING, /* const char *: the last value; borrowed from argv */
	KFT_OPT_STRINGS, /* struct kft_opt_strings: all values */
	KFT_OPT_U64, /* uint64_t */
	KFT_OPT_SIZE, /* uint64_t bytes: "4096", "64k", "1M" */
	KFT_OPT_DURATION, /* uint64_t ns: "5", "2.5s", "10ms"; a bare number is seconds */
	KFT_OPT_ENUM, /* int: index into words, 0 without an argument */
	KFT_OPT_CALLBACK, /* the result is up to parse() */
};

/* Borrowed from argv; the array is owned: kft_vec_finish(). */
struct kft_opt_strings {
	const char **data;
	size_t len;
	size_t cap;
};

struct kft_opt {
	char letter; /* 0: the option has only a long name */
	const char *name; /* NULL: the option has only a letter */
	/* Name of the argument in help; NULL: takes none. "[NAME]": only as --name=NAME. */
	const char *arg;
	const char *help; /* help text without capital and full stop; NULL: not shown */
	enum kft_opt_kind kind;
	/* borrowed; points to the type given by kind; written when the option is given */
	void *value;
	const char *const *words; /* for ENUM, ends with NULL */
	/* For CALLBACK: arg is borrowed from argv; 0 or -errno with e set. */
	int (*parse)(const struct kft_opt *opt, const char *arg, struct kft_err *e);
};

static inline bool kft_opt_is_end(const struct kft_opt *opt)
{
	return !opt->letter && !opt->name;
}

enum kft_opt_flags {
	/* The first operand ends the options, as in "kft record ls -l". */
	KFT_OPT_STOP_AT_OPERAND = 1 << 0,
};

/*
 * Parses argv[0..argc), which starts after the program's name and verb. Operands are
 * moved to the front of argv in their order, and *ret_operands is their number; the rest
 * of argv is undefined then. Returns KFT_OPT_HELP at --help, which is an option of every
 * table (and -h, unless the table defines it); later arguments are not parsed then.
 * -EINVAL for a wrong command line, -ENOMEM.
 */
#define KFT_OPT_HELP 1
int kft_opt_parse(const struct kft_opt *opts, unsigned int flags, int argc, char **argv,
		  int *ret_operands, struct kft_err *e) __must_check;

/*
 * The option for "-x" or "--name" (without "=..."); NULL when the table lacks it. --help
 * is found too, as a flag without a value.
 */
const struct kft_opt *kft_opt_find(const struct kft_opt *opts, const char *word,
				   size_t len);

/* Appends the options and --help with their help texts, aligned and wrapped at width. */
void kft_opt_help(const struct kft_opt *opts, size_t width, struct kft_strbuf *sb);

/*
 * Appends ASCII text wrapped at width columns and indented. column is the current column,
 * 0 at the start of a line. Newlines and the blanks after them are kept.
 */
void kft_strbuf_add_wrapped(struct kft_strbuf *sb, const char *text, size_t column,
			    size_t indent, size_t width);
