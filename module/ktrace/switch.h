/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KTRACE_SWITCH_H
#define KTRACE_SWITCH_H

#include "names.h"

/* Called by the kernel when the first session enables an event, and the last one disables it. */
#define KTRACE_SWITCHES(X)       \
	X(log2, KTRACE_LOG2)     \
	X(log4, KTRACE_LOG4)     \
	X(scope, KTRACE_SCOPE)   \
	X(printf, KTRACE_PRINTF) \
	X(record, KTRACE_RECORD) \
	X(mark, KTRACE_MARK)     \
	X(pause, KTRACE_PAUSE)   \
	X(restart, KTRACE_RESTART)

#define KTRACE_DECLARE_SWITCH(name, kind)  \
	int ktrace_switch_on_##name(void); \
	void ktrace_switch_off_##name(void);
KTRACE_SWITCHES(KTRACE_DECLARE_SWITCH)

#endif
