// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "capture/command.h"

/* execvp() takes its arguments without const although it never writes to them. */
#define ARGV(...) ((char *const *)(const char *const[]){__VA_ARGS__, NULL})

/* Waits as a session does. */
static void wait_for(struct kft_command *c)
{
	struct pollfd p = {.fd = c->pid_fd, .events = POLLIN};

	while (!kft_command_ended(c))
		(void)poll(&p, 1, c->pid_fd < 0 ? 1 : -1);
}

static void nothing_runs_until_released(void **state)
{
	char path[] = "/tmp/kft-command.XXXXXX";
	char *const *argv = ARGV("rm", path);
	struct kft_command c;
	struct stat st;

	(void)close(mkstemp(path));
	assert_int_equal(kft_command_fork(argv, &c, NULL), 0);
	assert_false(kft_command_ended(&c));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	wait_for(&c);
	assert_int_equal(kft_command_exit_code(&c), 0);
	assert_int_equal(stat(path, &st), -1);
	kft_command_end(&c, false);
}

static void one_never_released_just_goes(void **state)
{
	char *const *argv = ARGV("false");
	struct kft_command c;

	assert_int_equal(kft_command_fork(argv, &c, NULL), 0);
	pid_t pid = c.pid;
	kft_command_end(&c, false);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(kft_command_exit_code(&c), 0);
	kft_command_end(&c, false);
}

static void a_missing_program_is_told_before_anything(void **state)
{
	struct kft_command c;
	struct kft_err e;

	assert_int_equal(kft_command_fork(ARGV("/nonexistent/program"), &c, &e), -ENOENT);
	assert_string_equal(e.msg, "cannot run '/nonexistent/program': "
				   "No such file or directory");
	assert_int_equal(kft_command_fork(ARGV("kft-no-such-program"), &c, &e), -ENOENT);
	assert_int_equal(kft_command_fork(ARGV("/etc/passwd"), &c, &e), -EACCES);
}

static void a_failing_exec_says_why(void **state)
{
	struct kft_command c;
	struct kft_err e;

	/* A directory can be searched, which is all that can be asked before. */
	assert_int_equal(kft_command_fork(ARGV("/tmp"), &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, &e), -EACCES);
	assert_string_equal(e.msg, "cannot run the command: Permission denied");
	kft_command_end(&c, false);
	assert_int_equal(kft_command_exit_code(&c), 127);
}

static void status_and_signal_are_passed_on(void **state)
{
	char *const *seven = ARGV("sh", "-c", "exit 7");
	char *const *killed = ARGV("sh", "-c", "kill -9 $$");
	struct kft_command c;

	assert_int_equal(kft_command_fork(seven, &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	wait_for(&c);
	assert_int_equal(kft_command_exit_code(&c), 7);
	kft_command_end(&c, false);
	assert_int_equal(kft_command_fork(killed, &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	wait_for(&c);
	assert_int_equal(kft_command_exit_code(&c), 128 + SIGKILL);
	kft_command_end(&c, false);
}

static void a_running_one_is_terminated(void **state)
{
	char *const *argv = ARGV("sleep", "100");
	struct kft_command c;

	assert_int_equal(kft_command_fork(argv, &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	kft_command_end(&c, false);
	assert_int_equal(kft_command_exit_code(&c), 128 + SIGTERM);
}

static void or_left_alone(void **state)
{
	char *const *argv = ARGV("sleep", "100");
	struct kft_command c;

	assert_int_equal(kft_command_fork(argv, &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	pid_t pid = c.pid;
	kft_command_end(&c, true);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void it_has_no_descriptor_of_ours(void **state)
{
	int kept = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct kft_command c;
	char script[256] = "for i in";
	size_t len = strlen(script);

	/* That one and the next free numbers, which the command's own pipes get. */
	for (int fd = kept; fd < kept + 8; fd++)
		if (fd == kept || fcntl(fd, F_GETFD) < 0)
			len += snprintf(script + len, sizeof(script) - len, " %d", fd);
	(void)snprintf(script + len, sizeof(script) - len,
		       "; do test -e /proc/self/fd/$i && exit 9; done; exit 0");
	assert_int_equal(kft_command_fork(ARGV("sh", "-c", script), &c, NULL), 0);
	assert_int_equal(kft_command_release(&c, NULL), 0);
	wait_for(&c);
	assert_int_equal(kft_command_exit_code(&c), 0);
	kft_command_end(&c, false);
	(void)close(kept);
}

static void ends_with_its_parent(void **state)
{
	int pipefd[2];
	pid_t grandchild;

	assert_int_equal(pipe(pipefd), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct kft_command c;

		if (kft_command_fork(ARGV("true"), &c, NULL) < 0)
			_exit(1);
		(void)!write(pipefd[1], &c.pid, sizeof(c.pid));
		_exit(0);
	}
	assert_int_equal(read(pipefd[0], &grandchild, sizeof(grandchild)),
			 sizeof(grandchild));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	/* The last writer of the pipe is the grandchild: end of file says that it is gone. */
	(void)close(pipefd[1]);
	char c;
	assert_int_equal(read(pipefd[0], &c, 1), 0);
	(void)close(pipefd[0]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nothing_runs_until_released),
	cmocka_unit_test(one_never_released_just_goes),
	cmocka_unit_test(a_missing_program_is_told_before_anything),
	cmocka_unit_test(a_failing_exec_says_why),
	cmocka_unit_test(status_and_signal_are_passed_on),
	cmocka_unit_test(a_running_one_is_terminated),
	cmocka_unit_test(or_left_alone),
	cmocka_unit_test(it_has_no_descriptor_of_ours),
	cmocka_unit_test(ends_with_its_parent),
};

T_MAIN(tests)
