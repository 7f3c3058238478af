// SPDX-License-Identifier: GPL-2.0-only
/* Records a command for a verb that reads the trace. */
#include "cli/record_first.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/input.h"

#define SELF "/proc/self/exe"

static const char *const record[] = {"kft", "record",	       "--for", "why",
				     "-o",  CLI_TRACE_DEFAULT, "--"};

/* The recorder is a process of its own: it passes on signals, users and limits to COMMAND. */
static _Noreturn void become_recorder(const struct cli *c, char **args)
{
	(void)signal(SIGPIPE, c->sigpipe);
	(void)signal(SIGXFSZ, c->sigxfsz);
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGQUIT, SIG_DFL);
	/* Answers leave out tasks called kft, so execute the file's name: SELF would be "exe". */
	char path[PATH_MAX];
	ssize_t len = readlink(SELF, path, sizeof(path) - 1);
	if (len > 0) {
		path[len] = '\0';
		(void)execv(path, args);
	}
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

static size_t count(char **argv)
{
	size_t n = 0;

	while (argv[n])
		n++;
	return n;
}

int cli_record_first(struct cli *c, char **operands, int n_operands, char **argv)
{
	size_t n = count(argv);
	_cleanup_free_ char **args = calloc(ARRAY_SIZE(record) + n + 1, sizeof(*args));

	for (int i = 0; i < n_operands; i++)
		if (access(operands[i], F_OK) == 0) {
			(void)kft_err_set(
				&c->err, -EINVAL,
				"'%s' is a file, but COMMAND is recorded into " CLI_TRACE_DEFAULT,
				operands[i]);
			return CLI_USAGE;
		}
	if (!n || !args) {
		(void)kft_err_set(&c->err, n ? -ENOMEM : -EINVAL,
				  "no COMMAND after '--'");
		return CLI_USAGE;
	}
	for (size_t i = 0; i < ARRAY_SIZE(record); i++)
		args[i] = (char *)record[i];
	memcpy(args + ARRAY_SIZE(record), argv, n * sizeof(*argv));
	int status = run_recorder(c, args);
	if (status < 0)
		return CLI_FAILED;
	/* A command that fails was recorded all the same. */
	return status < CLI_RECORD_FAILED || status > CLI_NOT_FOUND ? CLI_OK : status;
}
