// SPDX-License-Identifier: LGPL-2.1-or-later
/* Checks and drops capabilities of a thread. */
#include "capture/caps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/err.h"

#define WORDS _LINUX_CAPABILITY_U32S_3

/* Added in Linux 5.8, with the same number on every architecture that kft supports. */
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif

/* Plain system calls, because libcap would be a dependency for two calls only. */
static int get_caps(struct __user_cap_data_struct data[WORDS])
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};

	return syscall(SYS_capget, &head, data) < 0 ? -errno : 0;
}

static int set_caps(const struct __user_cap_data_struct data[WORDS])
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};

	return syscall(SYS_capset, &head, data) < 0 ? -errno : 0;
}

/*
 * True if the caller, with its present effective capabilities, may create and remove files in
 * a directory. An error counts as no. This is a plain system call because the C library
 * emulates AT_EACCESS on kernels before 5.8 and assumes there that root may do everything.
 */
static bool can_write(int dirfd)
{
	return syscall(SYS_faccessat2, dirfd, ".", W_OK | X_OK, AT_EACCESS) == 0;
}

static bool can_write_all(const int *dirfds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!can_write(dirfds[i]))
			return false;
	return true;
}

int kft_caps_drop(uint64_t keep, const int *dirfds, size_t n, struct kft_err *e)
{
	struct __user_cap_data_struct old[WORDS];
	struct __user_cap_data_struct data[WORDS];
	int r = get_caps(old);

	if (r == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		r = -errno;
	/* Only the effective set is cleared for the check; the permitted set can restore it. */
	for (size_t i = 0; i < WORDS; i++)
		data[i] = (struct __user_cap_data_struct){.permitted = old[i].permitted};
	if (r == 0)
		r = set_caps(data);
	if (r < 0)
		return kft_err_sys(e, r, "cannot give up privileges");

	if (!can_write_all(dirfds, n))
		keep |= UINT64_C(1) << CAP_DAC_OVERRIDE;
	for (size_t i = 0; i < WORDS; i++) {
		data[i].permitted = old[i].permitted & (uint32_t)(keep >> 32 * i);
		data[i].effective = data[i].permitted;
	}
	r = set_caps(data);
	return r < 0 ? kft_err_sys(e, r, "cannot give up privileges") : 0;
}

bool kft_caps_have(unsigned int cap)
{
	struct __user_cap_data_struct data[WORDS];

	return cap < 32 * WORDS && get_caps(data) == 0 &&
	       (data[cap / 32].effective >> cap % 32 & 1);
}
