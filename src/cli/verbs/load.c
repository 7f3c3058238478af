// SPDX-License-Identifier: GPL-2.0-only
/* `kft load`: loads a KFT configuration into the kernel. */
#include <errno.h>

#include "base/err.h"
#include "cli/record_plan.h"
#include "cli/run_session.h"
#include "session/daemon.h"

static struct {
	const char *name;
	uint64_t buffer_bytes;
} arg = {.name = CLI_RUN_NAME};

static const struct kft_opt opts[] = {
	CLI_RUN_NAME_OPT(arg.name),
	{'b', "buffer-size", "SIZE", "size of the kernel's buffer of each CPU (16M)",
	 KFT_OPT_CALLBACK, &arg.buffer_bytes, .parse = cli_parse_buffer_size},
	{},
};

/* Carries out the clause `prime`. */
static int prime(struct cli *c, struct kft_detached *r)
{
	int n = kft_run_prime(&r->run, &r->plan, &c->err);

	return n == 0 ? 1 : n;
}

static int load(struct cli *c, const char *path)
{
	struct kft_detached r;
	size_t count;
	int n = cli_run_load(c, arg.name, path, 0, arg.buffer_bytes, &r, &count);

	if (n < 0)
		return n;
	if (count > 1) {
		n = kft_err_set(&c->err, -EINVAL,
				"'%s' has %zu runs, and a session is one", path, count);
		kft_err_hint(&c->err,
			     "'kft run' executes all of them, one after another");
	} else if (r.config.runs.data[0].prime) {
		n = prime(c, &r);
	}
	kft_detached_close(&r);
	return n == 1 ? kft_detached_spawn_keeper(arg.name, NULL, &c->err) : n;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (argc != 1) {
		(void)kft_err_set(&c->err, -EINVAL, "expected a configuration");
		return CLI_USAGE;
	}
	return load(c, argv[0]) < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_load = {
	.name = "load",
	.group = CLI_GROUP_KFT,
	.summary = "load a KFT configuration without arming it",
	.operands = "FILE",
	.about =
		"Checks FILE (kft.conf(5)) against this kernel and makes a session of it. "
		"Nothing is changed in the kernel yet, unless FILE says prime.",
	.opts = opts,
	.max_operands = 1,
	.input = "-",
	.run = run,
};
