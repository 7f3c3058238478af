// SPDX-License-Identifier: LGPL-2.1-or-later
/* Measures the time to record an event. */
#include "tracefs/sources/event_cost.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/instance.h"

#define CALLS  10000
#define ROUNDS 5
/*
 * A traced system call takes a slower path even if nothing is recorded. Both measurements
 * record the entry, so that their difference is one event and nothing else.
 */
#define ENTRY "events/raw_syscalls/sys_enter/enable"
#define EXIT  "events/raw_syscalls/sys_exit/enable"

static uint64_t time_calls(void)
{
	uint64_t began = kft_now_ns();

	for (int i = 0; i < CALLS; i++)
		(void)syscall(SYS_getppid);
	return kft_now_ns() - began;
}

/* Returns the fastest rounds in ns, because other load only makes a round longer. */
static int time_both(int fd, uint64_t *ret_one, uint64_t *ret_two)
{
	int r = kft_write_at(fd, ENTRY, 0, "1", 1);

	*ret_one = UINT64_MAX;
	*ret_two = UINT64_MAX;
	for (int i = 0; i < ROUNDS && r == 0; i++) {
		*ret_one = KFT_MIN(*ret_one, time_calls());
		r = kft_write_at(fd, EXIT, 0, "1", 1);
		if (r == 0)
			*ret_two = KFT_MIN(*ret_two, time_calls());
		if (r == 0)
			r = kft_write_at(fd, EXIT, 0, "0", 1);
	}
	return r;
}

int kft_event_cost_measure(struct kft_host *host, uint64_t *ret_ns, struct kft_err *e)
{
	struct kft_instance instance;
	uint64_t one = 0;
	uint64_t two = 0;
	char pid[24];
	int r = kft_instance_create(host, NULL, &instance, e);

	if (r < 0)
		return r;
	(void)snprintf(pid, sizeof(pid), "%ld", syscall(SYS_gettid));
	r = kft_control_file_set(instance.fd, "set_event_pid", pid);
	if (r == 0)
		r = time_both(instance.fd, &one, &two);
	if (r < 0)
		kft_err_sys(e, r, "cannot measure the cost of an event");
	int removed = kft_instance_remove(&instance, r < 0 ? NULL : e);
	if (r == 0)
		r = removed;
	if (r == 0)
		*ret_ns = two > one + CALLS ? (two - one) / CALLS : 1;
	return r;
}
