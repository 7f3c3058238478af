// SPDX-License-Identifier: GPL-2.0-only
/* `kft mark`: writes a marker into the sessions that record. */
#include "cli/verb.h"

#include <errno.h>

#include <kft/mark.h>

#include "base/err.h"

static const char *arg_name;

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "mark this session only", KFT_OPT_STRING, &arg_name},
	{},
};

static int parse_value(const char *text, int64_t *ret, struct kft_err *e)
{
	char *end;

	errno = 0;
	long long n = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return kft_err_set(e, -EINVAL, "not a number: '%s'", text);
	*ret = n;
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	int64_t value = 0;

	if (!argc || !*argv[0]) {
		(void)kft_err_set(&c->err, -EINVAL, "expected the name of a mark");
		return CLI_USAGE;
	}
	if (argc > 1 && parse_value(argv[1], &value, &c->err) < 0)
		return CLI_USAGE;
	if (arg_name && setenv("KFT_SESSION", arg_name, 1) < 0)
		return CLI_FAILED;
	int written = argc > 1 ? kft_mark_value(argv[0], value) : kft_mark(argv[0]);
	if (written)
		return CLI_OK;
	(void)kft_err_set(&c->err, -ENOENT, "no session records%s%s",
			  arg_name ? " that is called " : "", arg_name ? arg_name : "");
	kft_err_hint(&c->err,
		     "'kft record' and 'kft flight start' make one; a program that "
		     "marks needs permission to write to tracefs");
	return CLI_FAILED;
}

const struct cli_verb cli_verb_mark = {
	.name = "mark",
	.group = CLI_GROUP_RECORD,
	.summary = "write a marker into all active recordings",
	.operands = "NAME [VALUE]",
	.about =
		"A moment with a name, or a value that holds from now on, in every session "
		"of kft that records.",
	.opts = opts,
	.max_operands = 2,
	.run = run,
};
