/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_STATE_H
#define KFT_CAPTURE_STATE_H

#include <kft/error.h>

#include "base/macro.h"

/*
 * The states of a session, whoever drives it: an attached one (kft record, a program), which
 * lives and dies with its process, or a detached one (KFT runs, kft record --detach), which
 * lives in the kernel and in /run/kft/NAME.
 *
 *	loaded -> primed -> recording <-> paused
 *	                        |           |
 *	                        +-----------+--> complete -> saved
 *
 * A session may stop before it has recorded anything. A detached one can be primed again
 * when it is complete, and is a new run then.
 */
enum kft_state {
	KFT_STATE_LOADED, /* nothing is in the kernel, or nothing is enabled there */
	KFT_STATE_PRIMED, /* everything is set up, nothing is recorded */
	KFT_STATE_RECORDING,
	KFT_STATE_PAUSED, /* set up, but it records nothing for a time */
	KFT_STATE_COMPLETE, /* it records no more */
	KFT_STATE_SAVED, /* all records are out of the kernel, which is as before */
	KFT_STATE_FAILED, /* a step failed half way: it can only be closed */
	KFT_STATE_COUNT,
};

enum kft_step {
	KFT_STEP_PRIME,
	KFT_STEP_START,
	KFT_STEP_PAUSE,
	KFT_STEP_RESUME,
	KFT_STEP_STOP,
	KFT_STEP_SAVE,
	KFT_STEP_COUNT,
};

/* "primed": in messages and answers. Static. */
const char *kft_state_name(enum kft_state s);

/*
 * The state after a step, or -EINVAL with a message (name: the session's, NULL: it has none)
 * when the step does not fit. A step from the state that it leads to changes nothing.
 */
int kft_state_after(enum kft_state s, enum kft_step step, const char *name,
		    struct kft_err *e) __must_check;

/* It is set up in the kernel and not at its end. */
static inline bool kft_state_is_under_way(enum kft_state s)
{
	return s == KFT_STATE_PRIMED || s == KFT_STATE_RECORDING || s == KFT_STATE_PAUSED;
}

static inline bool kft_state_is_complete(enum kft_state s)
{
	return s == KFT_STATE_COMPLETE || s == KFT_STATE_SAVED;
}

#endif
