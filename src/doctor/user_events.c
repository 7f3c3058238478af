// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries user_events. */
#include "doctor/mechanisms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

/*
 * The interface of Documentation/trace/user_events.rst since 6.4, which Debian
 * 12's headers lack. Kernels 6.1 to 6.3 have a different interface, marked as
 * broken, and refuse these requests.
 */
struct user_reg {
	uint32_t size;
	uint8_t enable_bit;
	uint8_t enable_size;
	uint16_t flags;
	uint64_t enable_addr;
	uint64_t name_args;
	uint32_t write_index;
} __attribute__((packed));

struct user_unreg {
	uint32_t size;
	uint8_t disable_bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t disable_addr;
} __attribute__((packed));

#define DIAG_IOCSREG   _IOWR('*', 0, struct user_reg *)
#define DIAG_IOCSUNREG _IOW('*', 2, struct user_unreg *)

void kft_doctor_user_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	/* the kernel writes to it while the event is registered */
	static uint32_t enabled;
	char name[64];
	char path[64];
	char text[64];

	if (!kft_doctor_need_tracefs(env, res))
		return;
	_cleanup_close_ int fd = openat(env->tracefs_fd, "user_events_data",
					O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		kft_doctor_refused_file(env, res, -errno, "user_events_data");
		return;
	}
	snprintf(name, sizeof(name), "%s u32 n", env->group);
	snprintf(text, sizeof(text), "-:user_events/%s", env->group);
	snprintf(path, sizeof(path), "events/user_events/%s", env->group);
	struct user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(enabled),
		.enable_addr = (uintptr_t)&enabled,
		.name_args = (uintptr_t)name,
	};
	struct user_unreg unreg = {
		.size = sizeof(unreg),
		.disable_addr = (uintptr_t)&enabled,
	};

	if (kft_doctor_note_dynamic(env, path, "dynamic_events", text) < 0)
		return;
	if (ioctl(fd, DIAG_IOCSREG, &reg) < 0) {
		kft_doctor_refused(env, res, -errno, "cannot register an event");
		return;
	}
	(void)ioctl(fd, DIAG_IOCSUNREG, &unreg);
	kft_doctor_yes(res, "registered user_events:%s", env->group);
}
