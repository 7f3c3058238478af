/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_LIVE_H
#define KFT_TESTS_LIVE_H

#include "../unit/t.h"

#include <pthread.h>
#include <semaphore.h>

#include "capture/capture.h"

#include "../unit/test_sink.h"
#include "decode/ring.h"

/*
 * Recording from this machine's kernel. Other users may trace and work on it at the same time,
 * so tests check only the events of their own threads.
 */

/* Exits with 77 and a reason unless the caller can record here. */
void live_need_tracefs(void);

/*
 * Skips the test if mounts cannot be private to a mount namespace: in a chroot into a directory
 * that is no mount point.
 */
void live_need_private_mounts(void);

/* Like T_MAIN() of unit tests. An argument is a glob for the tests to run. */
#define LIVE_MAIN(tests)                                            \
	int main(int argc, char **argv)                             \
	{                                                           \
		if (argc > 1)                                       \
			cmocka_set_test_filter(argv[1]);            \
		live_need_tracefs();                                \
		return cmocka_run_group_tests((tests), NULL, NULL); \
	}

/* A session with its plan and sink, opened step by step by the test. */
struct live {
	struct kft_host *host;
	struct kft_plan plan;
	struct test_sink sink;
	struct kft_capture_opts opts;
	struct kft_capture *session;
	struct kft_err err; /* of the last step */
};

/* Names the session so that no other test's can be confused with it. */
void live_init(struct live *l, const char *name);
void live_finish(struct live *l);

/* Create, arm and start; asserts that they succeed. */
void live_start(struct live *l);
/* Stop and close; asserts the same. */
void live_stop(struct live *l);

/* Whether tracefs has the instance of a session named so. */
bool live_instance_exists(const char *name);
/* The content of one of its files, borrowed until the next call. */
const char *live_instance_read(const char *name, const char *path);

/*
 * A thread with system calls that can be distinguished from all others: it calls getppid() with
 * the number of the call as an argument, which the kernel ignores.
 */
struct hammer {
	uint64_t count; /* calls to make */
	uint64_t per_second; /* 0: as fast as it can */
	int cpu; /* where; -1: anywhere */
	/* Private. */
	pthread_t thread;
	int32_t tid;
	sem_t ready;
	sem_t go;
};

/* Starts the threads, which wait; limits the plan to their calls. Call before live_start(). */
void live_hammers_prepare(struct live *l, struct hammer *h, size_t n);
void live_hammers_run(struct hammer *h, size_t n); /* until all calls are made */

/* One call of a hammer, as it was recorded. */
struct call {
	uint64_t ts;
	uint64_t lost_before; /* events lost before this one, by its page */
	uint64_t number;
	int32_t tid;
	uint32_t cpu;
};

/* Calls `each` for every raw_syscalls:sys_enter in the sink; returns how many there are. */
uint64_t live_calls(const struct live *l, void (*each)(void *arg, const struct call *c),
		    void *arg);

/* All events in the sink, of any kind. */
uint64_t live_events(const struct live *l,
		     void (*each)(void *arg, const struct kft_event *ev), void *arg);

/* The id of an event, from its format. */
unsigned int live_event_id(const char *path);

#endif
