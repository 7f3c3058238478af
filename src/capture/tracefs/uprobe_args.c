// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the arguments of probes in programs as the kernel wants them. */
#include "capture/tracefs/uprobe_args.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "decode/registers.h"

#define NAME_MAX_BYTES 32
#define TYPE_MAX_BYTES 32

static int refuse(struct kft_err *e, const char *text)
{
	kft_err_set(e, -EINVAL, "not an argument of a program's function: '%.100s'",
		    text);
	kft_err_hint(e,
		     "write $arg1, $arg2 ..., NAME=$arg1, $arg1:string, or with %%return "
		     "$retval");
	return -EINVAL;
}

/* What fetches it: a register, or $retval. */
static int find_source(const char *word, bool at_return, uint16_t machine,
		       const char **ret, struct kft_err *e)
{
	unsigned int number;
	char rest;

	if (strcmp(word, "$retval") == 0 && at_return) {
		*ret = "$retval";
		return 0;
	}
	if (sscanf(word, "$arg%u%c", &number, &rest) != 1)
		return refuse(e, word);
	if (at_return)
		return kft_err_set(e, -EINVAL,
				   "'%.40s' is not known when the function returns: only "
				   "$retval is",
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
	char name[NAME_MAX_BYTES] = "";
	char word[NAME_MAX_BYTES] = "";
	char type[TYPE_MAX_BYTES] = "";
	const char *source;
	int end = -1;

	/* Either "NAME=WORD" or "WORD", then perhaps ":TYPE". */
	if (sscanf(text, "%31[A-Za-z0-9_]=%n", name, &end) != 1 || end < 0) {
		name[0] = '\0';
		end = 0;
	}
	int used = 0;
	int n = sscanf(text + end, "%31[$a-z0-9]%n:%31[a-z0-9@/]%n", word, &used, type,
		       &used);
	if (n < 1 || text[end + used])
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
