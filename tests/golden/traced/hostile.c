// SPDX-License-Identifier: GPL-2.0-only
/* Programs that are hard to follow; the first argument says which. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t gate;
static volatile int is_over;
static char *page;

static void start(pthread_t *t, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	if (pthread_create(t, &attr, run, arg)) {
		perror("pthread_create");
		exit(1);
	}
}

static void *wait_at_gate(void *arg)
{
	pthread_barrier_wait(&gate);
	return NULL;
}

static int threads(int n)
{
	pthread_t *t = calloc(n, sizeof(*t));

	pthread_barrier_init(&gate, NULL, n);
	for (int i = 0; i < n; i++)
		start(&t[i], wait_at_gate, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	puts("joined");
	return 0;
}

static void *call(void *arg)
{
	for (;;)
		(void)getppid();
	return NULL;
}

static void *execute(void *arg)
{
	execl("/proc/self/exe", "hostile", "exec", arg, NULL);
	_exit(1);
}

static int exec_in_thread(int left)
{
	char text[16];
	pthread_t t;

	if (!left) {
		puts("done");
		return 0;
	}
	snprintf(text, sizeof(text), "%d", left - 1);
	for (int i = 0; i < 4; i++)
		start(&t, call, NULL);
	start(&t, execute, text);
	for (;;)
		pause();
}

/* Changes the page between a string, one without an end, nothing that can be read, and nothing. */
static void *change(void *arg)
{
	for (unsigned int i = 0; !is_over; i++) {
		mprotect(page, 4096, i % 3 ? PROT_READ | PROT_WRITE : PROT_NONE);
		if (i % 5 == 0)
			mmap(page, 4096, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		if (i % 3)
			memset(page, i % 7 ? '\033' : 'x', 4096 - i % 2);
	}
	return NULL;
}

static int changes(void)
{
	struct iovec v = {NULL, 64};
	pthread_t t;

	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	v.iov_base = page;
	start(&t, change, NULL);
	for (int i = 0; i < 500; i++) {
		(void)syscall(SYS_openat, -1, page, 0);
		(void)syscall(SYS_writev, -1, &v, 1);
		(void)syscall(SYS_writev, -1, page, 100);
		(void)syscall(SYS_execve, "/no/such/file", page, page);
	}
	is_over = 1;
	pthread_join(t, NULL);
	puts("done");
	return 0;
}

static int killed(void)
{
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();

		if (!pid) {
			pthread_t t;

			for (int k = 0; k < 3; k++)
				start(&t, call, NULL);
			if (i % 4 == 0)
				execl("/proc/self/exe", "hostile", "call", NULL);
			call(NULL);
		}
		for (int k = 0; k < i * 5; k++)
			(void)getppid();
		kill(pid, i % 3 ? SIGKILL : SIGTERM);
		if (waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	puts("done");
	return 0;
}

static int endless(void)
{
	size_t size = 64 << 20;
	char **p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	for (size_t i = 0; i < size / sizeof(*p); i++)
		p[i] = (char *)p;
	(void)syscall(SYS_writev, 1, p, 1ul << 40);
	(void)syscall(SYS_poll, p, 1u << 31, 0);
	(void)syscall(SYS_execve, "/no/such/file", p, p);
	(void)syscall(SYS_setgroups, 60000, p);
	(void)syscall(SYS_sendmmsg, 1, p, 1 << 20, 0);
	return 0;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "threads"))
		return threads(n);
	if (!strcmp(argv[1], "exec"))
		return exec_in_thread(n);
	if (!strcmp(argv[1], "changes"))
		return changes();
	if (!strcmp(argv[1], "killed"))
		return killed();
	if (!strcmp(argv[1], "endless"))
		return endless();
	if (!strcmp(argv[1], "call"))
		call(NULL);
	if (!strcmp(argv[1], "id"))
		printf("%u\n", (unsigned int)geteuid());
	return 0;
}
