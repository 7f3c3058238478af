// SPDX-License-Identifier: GPL-2.0-only
/* Records a command, or the whole system, for a verb that reads the trace. */
#include "cli/record_first.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/input.h"

#define SELF "/proc/self/exe"

struct cli_first cli_first;

/* The recorder is a process of its own: it passes on signals, users and limits to COMMAND. */
static _Noreturn void become_recorder(const struct cli *c, char **args)
{
	(void)signal(SIGPIPE, c->sigpipe);
	(void)signal(SIGXFSZ, c->sigxfsz);
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGQUIT, SIG_DFL);
	/* Answers leave out tasks that are called like the first word of the recorder's command line. */
	char path[PATH_MAX];
	ssize_t len = readlink(SELF, path, sizeof(path) - 1);
	if (len > 0) {
		path[len] = '\0';
		args[0] = strrchr(path, '/') + 1;
		(void)execv(path, args);
	}
	args[0] = strrchr(SELF, '/') + 1;
	(void)execv(SELF, args);
	_exit(CLI_RECORD_FAILED);
}

/* The terminal's keys are for the recorder: it ends the recording, and the answer follows. */
static int run_recorder(struct cli *c, char **args)
{
	int status = 0;

	(void)signal(SIGINT, SIG_IGN);
	(void)signal(SIGQUIT, SIG_IGN);
	pid_t pid = fork();
	if (pid == 0)
		become_recorder(c, args);
	if (pid < 0)
		return kft_err_sys(&c->err, -errno, "cannot start the recording");
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return kft_err_sys(&c->err, -errno,
					   "cannot wait for the recording");
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGQUIT, SIG_DFL);
	return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_RECORD_FAILED;
}

static int refuse_files(struct cli *c, char **operands, int n)
{
	for (int i = 0; i < n; i++)
		if (access(operands[i], F_OK) == 0)
			return kft_err_set(&c->err, -EINVAL,
					   "'%s' is a file, but " CLI_TRACE_DEFAULT
					   " is recorded and read",
					   operands[i]);
	return 0;
}

static bool add_args(struct kft_opt_strings *args, const char *const *more)
{
	bool ok = true;

	for (; ok && *more; more++)
		ok = kft_vec_push(args, *more);
	return ok;
}

static bool make_args(struct kft_opt_strings *args)
{
	static const char *const record[] = {"kft", "record",	       "--for", "why",
					     "-o",  CLI_TRACE_DEFAULT, NULL};
	static char duration[32];
	const char *const limit[] = {"-d", duration, NULL};
	const char *const all[] = {"-a", NULL};
	const char *const dashes[] = {"--", NULL};
	const char *const *command = (const char *const *)cli_first.command;

	(void)snprintf(duration, sizeof(duration), "%" PRIu64 "ns",
		       cli_first.duration_ns);
	return add_args(args, record) && (!cli_first.all || add_args(args, all)) &&
	       (!cli_first.duration_ns || add_args(args, limit)) &&
	       (!command || (add_args(args, dashes) && add_args(args, command))) &&
	       kft_vec_push(args, NULL);
}

int cli_record_first(struct cli *c, char **operands, int n_operands)
{
	struct kft_opt_strings args = {};

	if (cli_first.command && !cli_first.command[0]) {
		(void)kft_err_set(&c->err, -EINVAL, "no COMMAND after '--'");
		return CLI_USAGE;
	}
	if (!cli_first_is_given() || cli_first.is_live)
		return CLI_OK;
	if (refuse_files(c, operands, n_operands) == 0 && !make_args(&args))
		(void)kft_err_memory(&c->err);
	int status = c->err.code ? CLI_USAGE : run_recorder(c, (char **)args.data);

	kft_vec_finish(&args);
	if (c->err.code == -EINVAL)
		return CLI_USAGE;
	if (status < 0)
		return CLI_FAILED;
	/* A command that fails was recorded all the same; without one, only 0 is a success. */
	if (!cli_first.command)
		return status;
	return status < CLI_RECORD_FAILED || status > CLI_NOT_FOUND ? CLI_OK : status;
}
