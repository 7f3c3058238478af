/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <signal.h>
#include <stdbool.h>

/*
 * Whether a signal that ends the program is pending. A recorder blocks these signals and
 * reads them from a descriptor, so a long loop between two reads has to check for itself.
 */
static inline bool kft_is_interrupted(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	sigset_t pending;

	if (sigpending(&pending) < 0)
		return false;
	for (unsigned int i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (sigismember(&pending, signals[i]) == 1)
			return true;
	return false;
}
