// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plants a fault that makes a task named "victim" slow, for tests/live/why.py. Prints lines
 * "planted NANOSECONDS", the least time that the victim loses by the fault; "victim PID"; and
 * "within FROM..TO", the time range of the loss, if that is not one interval.
 * usage: why_faults FAULT [DIRECTORY]
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000ULL

static const char *directory = "/var/tmp";

static uint64_t now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

static void name(const char *text)
{
	(void)prctl(PR_SET_NAME, text);
}

static void spin(uint64_t ns)
{
	uint64_t end = now() + ns;

	while (now() < end)
		;
}

/* Time of a CPU that this thread has had. */
static uint64_t used(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

/* Work that takes as much of a CPU's time, however long that takes. */
static void work(uint64_t ns)
{
	uint64_t end = used() + ns;

	while (used() < end)
		;
}

static void rest(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000ULL), (long)(ns % 1000000000ULL)};

	(void)nanosleep(&t, NULL);
}

static void planted(uint64_t ns)
{
	printf("planted %llu\nvictim %d\n", (unsigned long long)ns, (int)getpid());
	fflush(stdout);
}

static void planted_within(uint64_t ns, uint64_t begin, uint64_t end)
{
	printf("within %.9f..%.9f\n", begin / 1e9, end / 1e9);
	planted(ns);
}

/* Real-time priority keeps other tasks of this machine from delaying this one. */
static void go_before_others(void)
{
	struct sched_param p = {.sched_priority = 1};

	(void)sched_setscheduler(0, SCHED_FIFO, &p);
}

static void bind_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		exit(77);
}

static void *start(void *(*fn)(void *), void *arg)
{
	pthread_t *thread = malloc(sizeof(*thread));

	if (!thread || pthread_create(thread, NULL, fn, arg))
		exit(1);
	return thread;
}

static void join(void *thread)
{
	(void)pthread_join(*(pthread_t *)thread, NULL);
	free(thread);
}

/* A task of a higher priority has the CPU that the victim wants. */
static void *starving_hog(void *arg)
{
	struct sched_param p = {.sched_priority = 50};

	name("hog");
	bind_to(0);
	rest(30 * MS);
	if (sched_setscheduler(0, SCHED_FIFO, &p) < 0)
		exit(77);
	spin(40 * MS);
	return NULL;
}

static void starve(void)
{
	void *hog = start(starving_hog, NULL);
	uint64_t begin = now();
	uint64_t worst = 0;
	uint64_t worst_begin = 0;

	name("victim");
	bind_to(0);
	go_before_others();
	for (uint64_t since = begin; since < begin + 150 * MS;) {
		rest(MS);
		uint64_t until = now();
		if (until - since > worst) {
			worst = until - since;
			worst_begin = since;
		}
		since = until;
	}
	join(hog);
	planted_within(30 * MS, worst_begin, worst_begin + worst);
}

/* The owner of a mutex sleeps. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *own(void *locked)
{
	name("owner");
	pthread_mutex_lock(&mutex);
	if (write(*(int *)locked, "", 1) != 1)
		exit(1);
	rest(50 * MS);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void lock(void)
{
	int locked[2];
	char c;

	if (pipe2(locked, O_CLOEXEC))
		exit(1);
	void *owner = start(own, &locked[1]);
	name("victim");
	if (read(locked[0], &c, 1) != 1)
		exit(1);
	uint64_t begin = now();
	pthread_mutex_lock(&mutex);
	uint64_t waited = now() - begin;
	pthread_mutex_unlock(&mutex);
	join(owner);
	planted(waited > 10 * MS ? 10 * MS : 0);
}

/* The last of three processes over pipes is slow. */
static void relay(const char *comm, int in, int out, uint64_t work_ns)
{
	char c;

	name(comm);
	while (read(in, &c, 1) == 1) {
		work(work_ns);
		if (write(out, &c, 1) != 1)
			exit(1);
	}
	exit(0);
}

static void chain(void)
{
	int to_second[2];
	int to_third[2];
	int back[2];
	char c = 0;

	if (pipe2(to_second, O_CLOEXEC) || pipe2(to_third, O_CLOEXEC) ||
	    pipe2(back, O_CLOEXEC))
		exit(1);
	pid_t second = fork();
	if (second == 0) {
		(void)close(to_second[1]);
		/* Waits for the third one before it answers. */
		name("second");
		int third_back[2];

		if (pipe2(third_back, O_CLOEXEC))
			exit(1);
		if (fork() == 0) {
			(void)close(to_third[1]);
			(void)close(to_second[0]);
			relay("third", to_third[0], third_back[1], 30 * MS);
		}
		(void)close(to_third[0]);
		while (read(to_second[0], &c, 1) == 1)
			if (write(to_third[1], &c, 1) != 1 ||
			    read(third_back[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
				exit(1);
		exit(0);
	}
	name("victim");
	(void)close(to_third[1]);
	if (write(to_second[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
		exit(1);
	(void)close(to_second[1]);
	planted(30 * MS);
	(void)waitpid(second, NULL, 0);
}

/* A file that is large, and synced. */
static void sync_file(void)
{
	static char block[1 << 20];
	char path[4096];

	name("victim");
	snprintf(path, sizeof(path), "%s/why-faults.%d", directory, (int)getpid());
	int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		exit(77);
	(void)unlink(path);
	for (int i = 0; i < 16; i++)
		if (write(fd, block, sizeof(block)) != sizeof(block))
			exit(77);
	go_before_others();
	uint64_t begin = now();
	uint64_t ran = used();
	if (fsync(fd) < 0)
		exit(77);
	uint64_t took = now() - begin - (used() - ran);
	planted(took / 4);
	(void)close(fd);
}

/* A read into memory that is not there yet. */
static void fault(void)
{
	size_t len = (size_t)64 << 20;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		       0);
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	name("victim");
	if (p == MAP_FAILED || fd < 0)
		exit(1);
	(void)madvise(p, len, MADV_NOHUGEPAGE);
	go_before_others();
	uint64_t begin = used();
	if (read(fd, p, len) != (ssize_t)len)
		exit(1);
	uint64_t took = used() - begin;
	/* The same again, without faults. */
	begin = used();
	if (lseek(fd, 0, SEEK_SET) < 0 || read(fd, p, len) != (ssize_t)len)
		exit(1);
	uint64_t without = used() - begin;
	planted(took > without ? (took - without) / 2 : 0);
}

/* A busy task in a group that may have a tenth of a CPU; the group is the caller's. */
static void throttle(void)
{
	name("victim");
	uint64_t begin = now();
	work(60 * MS);
	planted_within(60 * MS, begin, now());
}

/* Many tasks that may only be on one CPU. */
static void *crowd_work(void *arg)
{
	name("crowd");
	bind_to(0);
	(void)setpriority(PRIO_PROCESS, 0, -20);
	work(60 * MS);
	return NULL;
}

static void crowd(void)
{
	void *threads[6];

	name("victim");
	bind_to(0);
	(void)setpriority(PRIO_PROCESS, 0, -20);
	for (int i = 0; i < 6; i++)
		threads[i] = start(crowd_work, NULL);
	uint64_t begin = now();
	work(60 * MS);
	uint64_t end = now();
	for (int i = 0; i < 6; i++)
		join(threads[i]);
	planted_within(60 * MS, begin, end);
}

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

/* struct sched_attr of sched_setattr(2), which the C library does not have. */
struct deadline {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime;
	uint64_t deadline;
	uint64_t period;
};

/* A task that may have a tenth of a CPU's time, by its deadline. */
static void limit(void)
{
	const struct deadline d = {.size = sizeof(d),
				   .policy = SCHED_DEADLINE,
				   .runtime = 10 * MS,
				   .deadline = 100 * MS,
				   .period = 100 * MS};

	name("victim");
	if (syscall(SYS_sched_setattr, 0, &d, 0) < 0)
		exit(77);
	uint64_t begin = now();
	work(60 * MS);
	planted_within(60 * MS, begin, now());
}

static const struct {
	const char *name;
	void (*run)(void);
} faults[] = {
	{"starve", starve},   {"lock", lock},	{"chain", chain},
	{"fsync", sync_file}, {"fault", fault}, {"throttle", throttle},
	{"crowd", crowd},     {"limit", limit},
};

int main(int argc, char **argv)
{
	if (argc > 2)
		directory = argv[2];
	for (size_t i = 0; argc > 1 && i < sizeof(faults) / sizeof(*faults); i++) {
		if (strcmp(faults[i].name, argv[1]) == 0) {
			faults[i].run();
			return 0;
		}
	}
	return 2;
}
