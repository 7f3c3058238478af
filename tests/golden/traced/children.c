// SPDX-License-Identifier: GPL-2.0-only
/* Children by fork or vfork: one ends, one is killed, one executes a program. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int is_vfork = argc > 1 && strcmp(argv[1], "vfork") == 0;

	for (int i = 0; i < 3; i++) {
		int status;
		pid_t pid = is_vfork ? vfork() : fork();

		if (pid == 0) {
			if (i == 0)
				_exit(7);
			if (i == 1)
				kill(getpid(), SIGKILL);
			execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
		waitpid(pid, &status, 0);
	}
	return 0;
}
