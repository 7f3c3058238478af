// SPDX-License-Identifier: LGPL-2.1-or-later
/* Translates arguments of probes in programs into the kernel's syntax. */
#include "tracefs/sources/uprobe_args.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "decode/registers.h"

#define WORD_MAX_BYTES 32
#define LOWER	       "abcdefghijklmnopqrstuvwxyz"
#define UPPER	       "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	       "0123456789"

static int refuse(struct kft_err *e, const char *text)
{
	kft_err_set(e, -EINVAL, "not an argument of a program's function: '%.100s'",
		    text);
	kft_err_hint(e,
		     "write $arg1, $arg2 ..., NAME=$arg1, $arg1:string, or with %%return "
		     "$retval");
	return -EINVAL;
}

/*
 * Takes a word of the characters `of`, and the character `until` after it; false if there
 * is none.
 */
static bool take(const char **p, const char *of, char until,
		 char ret[static WORD_MAX_BYTES])
{
	size_t len = strspn(*p, of);

	if (!len || len >= WORD_MAX_BYTES || (*p)[len] != until)
		return false;
	memcpy(ret, *p, len);
	ret[len] = '\0';
	*p += len + (until != '\0');
	return true;
}

/* Finds the source of an argument: a register, or $retval. */
static int find_source(const char *word, bool at_return, uint16_t machine,
		       const char **ret, struct kft_err *e)
{
	const char *p = word;
	uint32_t number;

	if (strcmp(word, "$retval") == 0 && at_return) {
		*ret = "$retval";
		return 0;
	}
	if (!kft_scan_text(&p, "$arg") || !kft_scan_u32(&p, &number) || *p)
		return refuse(e, word);
	if (at_return)
		return kft_err_set(e, -EINVAL,
				   "'%.40s' is not available when the function returns: "
				   "only $retval is",
				   word);
	*ret = kft_register_of_argument(machine, number);
	if (*ret)
		return 0;
	return kft_err_set(e, -EINVAL,
			   "'%.40s' is in no register of this architecture that is known",
			   word);
}

int kft_uprobe_arg(const char *text, bool at_return, uint16_t machine,
		   struct kft_strbuf *sb, struct kft_err *e)
{
	char name[WORD_MAX_BYTES] = "";
	char word[WORD_MAX_BYTES] = "";
	char type[WORD_MAX_BYTES] = "";
	const char *source;
	const char *p = text;

	/* Either "NAME=WORD" or "WORD", then perhaps ":TYPE". */
	if (!take(&p, UPPER LOWER DIGITS "_", '=', name))
		p = text;
	bool has_type = strchr(p, ':');

	if (!take(&p, "$" LOWER DIGITS, has_type ? ':' : '\0', word) ||
	    (has_type && !take(&p, LOWER DIGITS "@/", '\0', type)))
		return refuse(e, text);
	int r = find_source(word, at_return, machine, &source, e);
	if (r < 0)
		return r;
	bool is_string = strcmp(type, "string") == 0 || strcmp(type, "ustring") == 0;
	kft_strbuf_addf(sb, " %s=%s%s%s:%s", *name ? name : word + 1,
			is_string ? "+0(" : "", source, is_string ? ")" : "",
			*type		    ? type
			: sizeof(long) == 8 ? "x64"
					    : "x32");
	return 0;
}
