// SPDX-License-Identifier: GPL-2.0-only
/* `kft set`: enables or disables event sets in a running session. */
#include "cli/run_session.h"

#include <errno.h>

#include "base/err.h"
#include "tracefs/detached/switched.h"
#include "sets/choose.h"

static const struct kft_opt opts[] = {
	{},
};

static char **changes; /* "+SET" or "-SET", ends with NULL */

static int change_set(struct cli *c, struct kft_detached *d, const char *change)
{
	const char *const set[] = {change + 1};
	struct kft_plan plan = {};
	int r = kft_plan_add_sets(&plan, d->host, set, 1, &cli_run_notify, &c->err);

	if (r == 0)
		r = kft_run_switch(&d->run, &plan, change + 1, change[0] == '+', &c->err);
	kft_plan_finish(&plan);
	return r;
}

static int step(struct cli *c, struct kft_detached *d)
{
	int r = kft_detached_refresh(d, &c->err);

	for (char **change = changes; *change && r == 0; change++)
		r = change_set(c, d, *change);
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_free_ char **words = calloc((size_t)argc + 1, sizeof(*words));

	if (!words) {
		(void)kft_err_memory(&c->err);
		return CLI_FAILED;
	}
	for (int i = 1; i < argc; i++) {
		words[i - 1] = argv[i];
		if ((argv[i][0] == '+' || argv[i][0] == '-') && argv[i][1])
			continue;
		(void)kft_err_set(&c->err, -EINVAL, "expected +SET or -SET, not '%s'",
				  argv[i]);
		return CLI_USAGE;
	}
	if (argc < 2) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "expected a session's name, and +SET or -SET");
		return CLI_USAGE;
	}
	changes = words;
	return cli_run_step(c, argv[0], step);
}

const struct cli_verb cli_verb_set = {
	.name = "set",
	.group = CLI_GROUP_SESSIONS,
	.summary = "enable or disable event sets in a running session",
	.operands = "NAME +SET|-SET...",
	.about =
		"For a flight recorder or a recording of 'kft record --detach'. 'kft sets' "
		"lists the sets. Marks in the trace say when which was switched.",
	.opts = opts,
	.opt_flags = KFT_OPT_STOP_AT_OPERAND,
	.max_operands = -1,
	.run = run,
};
