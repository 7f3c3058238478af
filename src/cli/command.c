// SPDX-License-Identifier: GPL-2.0-only
/* Starts and ends the command that a verb runs. */
#include "cli/command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

/* Most programs have ended after this time, without a message. */
#define PATIENCE_MS 1000
/* Interval of polling on a kernel without pidfds. */
#define LOOK_MS 100

int cli_command_fork(struct cli *c, char *const argv[], struct kft_command *ret)
{
	(void)signal(SIGPIPE, c->sigpipe);
	(void)signal(SIGXFSZ, c->sigxfsz);
	int r = kft_command_fork(argv, ret, &c->err);

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	return r;
}

/* Waits for the command's end, a signal or the timeout; true for a signal. */
static bool wait_for_either(struct kft_command *c, const struct kft_interrupt *i, int ms)
{
	bool look = c->pid_fd < 0;
	struct pollfd fds[] = {
		{.fd = c->pid_fd, .events = POLLIN},
		{.fd = i->fd, .events = POLLIN},
	};

	while (!kft_command_ended(c)) {
		int n = poll(fds, ARRAY_SIZE(fds), look ? LOOK_MS : ms);

		if (kft_interrupt_take(i))
			return true;
		if (look && ms >= 0)
			ms -= LOOK_MS;
		if (n == 0 && (!look || ms < 0))
			break;
	}
	return false;
}

void cli_command_end(struct kft_command *c, const struct kft_interrupt *i)
{
	/* A command that was not released ends by itself. */
	if (c->pid > 0 && c->go_fd < 0 && i->fd >= 0 && !kft_command_ended(c)) {
		(void)kill(c->pid, SIGTERM);
		bool kill_it = wait_for_either(c, i, PATIENCE_MS);

		if (!kill_it && !kft_command_ended(c)) {
			cli_print_note("waiting for the command, which ignores "
				       "SIGTERM; another signal to kft kills it");
			kill_it = wait_for_either(c, i, -1);
		}
		if (kill_it)
			(void)kill(c->pid, SIGKILL);
	}
	kft_command_end(c, false);
}

int cli_command_failure(bool has_command, bool was_refused, int err)
{
	if (!has_command)
		return CLI_FAILED;
	if (!was_refused)
		return CLI_RECORD_FAILED;
	return err == -ENOENT ? CLI_NOT_FOUND : CLI_NOT_EXECUTABLE;
}
