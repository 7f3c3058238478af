// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of mechanisms, with their use and remedies. */
#include "doctor/mechanisms.h"

#include <errno.h>

const char *kft_doctor_state_name(enum kft_doctor_state state)
{
	static const char *const names[KFT_DOCTOR_N_STATES] = {
		[KFT_DOCTOR_UNKNOWN] = "unknown",
		[KFT_DOCTOR_NO] = "no",
		[KFT_DOCTOR_LIMITED] = "limited",
		[KFT_DOCTOR_YES] = "yes",
	};

	return names[state];
}

const char *kft_doctor_reason_name(enum kft_doctor_reason reason)
{
	static const char *const names[KFT_DOCTOR_N_REASONS] = {
		[KFT_DOCTOR_FINE] = "fine",
		[KFT_DOCTOR_ABSENT] = "absent",
		[KFT_DOCTOR_LOCKDOWN] = "lockdown",
		[KFT_DOCTOR_PRIVILEGE] = "privilege",
		[KFT_DOCTOR_BUSY] = "busy",
		[KFT_DOCTOR_SWITCHED_OFF] = "switched-off",
		[KFT_DOCTOR_NEEDS_OTHER] = "needs-other",
		[KFT_DOCTOR_FAILED] = "failed",
	};

	return names[reason];
}

const char *kft_doctor_remedy(const struct kft_mechanism *p,
			      const struct kft_doctor_result *res)
{
	switch (res->reason) {
	case KFT_DOCTOR_FINE:
		return NULL;
	case KFT_DOCTOR_LOCKDOWN:
		return "boot with lockdown=none, without Secure Boot";
	case KFT_DOCTOR_PRIVILEGE:
		return geteuid() ? "run as root"
				 : "run outside the container, with all capabilities";
	case KFT_DOCTOR_BUSY:
		return "try again when no other program uses it";
	case KFT_DOCTOR_FAILED:
		/*
		 * The mechanism is present, so the kernel's
		 * configuration is not the reason.
		 */
		if (res->code == -EPERM || res->code == -EACCES)
			return "a kernel that allows it to root: lockdown or a security "
			       "module does not";
		break;
	case KFT_DOCTOR_ABSENT:
	case KFT_DOCTOR_SWITCHED_OFF:
	case KFT_DOCTOR_NEEDS_OTHER:
	case KFT_DOCTOR_N_REASONS:
		break;
	}
	return p->needs;
}
