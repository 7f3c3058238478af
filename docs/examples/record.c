// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records what a command and its children do, and says what was lost. Needs the rights to
 * trace, so usually root:
 *
 *	cc record.c $(pkg-config --cflags --libs kft) -o record
 *	./record trace.dat ls /
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <kft/session.h>

/* The command starts when the other end of the pipe is closed: once the kernel records. */
static pid_t fork_command(char **argv, int go[2])
{
	char c;

	if (pipe(go) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		(void)!read(go[0], &c, 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(go[0]);
	return pid;
}

int main(int argc, char **argv)
{
	struct kft_plan plan = {.size = sizeof(plan), .follow_children = true};
	struct kft_session *s = NULL;
	struct kft_progress p = {.size = sizeof(p)};
	struct kft_err e = {0};
	int go[2];

	if (argc < 3)
		return fprintf(stderr, "usage: record FILE COMMAND...\n"), 2;
	struct kft_session_opts opts = {.size = sizeof(opts), .output = argv[1]};
	pid_t pid = fork_command(argv + 2, go);
	int ok = pid > 0 && kft_plan_add_pid(&plan, pid, &e) >= 0 &&
		 kft_plan_add_event(&plan, "sched", NULL, &e) >= 0 &&
		 kft_session_open(&plan, &opts, &s, &e) >= 0 &&
		 kft_session_start(s, &e) >= 0;
	close(go[1]);
	(void)waitpid(pid, NULL, 0);
	ok = ok && kft_session_stop(s, &e) >= 0 && kft_session_progress(s, &p) >= 0;
	if (ok)
		printf("%" PRIu64 " events, %" PRIu64 " lost\n", p.events, p.lost);
	if ((kft_session_close(s, ok ? &e : NULL) < 0 || !ok) && e.code)
		fprintf(stderr, "%s\n%s\n", e.msg, e.hint);
	kft_plan_finish(&plan);
	return !ok;
}
