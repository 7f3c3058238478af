/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/macro.h"

/*
 * The states of a session. An attached session (kft record, a program with the API) lives and
 * dies with its process. A detached session (KFT runs, kft record --detach) lives in the kernel
 * and in /run/kft/NAME.
 *
 *	loaded -> primed -> recording <-> paused
 *	                        |           |
 *	                        +-----------+--> complete -> saved
 *
 * A session may stop before it has recorded anything. A complete detached session can be primed
 * again and is a new run then.
 */
enum kft_state {
	KFT_STATE_LOADED, /* nothing is in the kernel, or nothing is enabled there */
	KFT_STATE_PRIMED, /* everything is set up, nothing is recorded */
	KFT_STATE_RECORDING,
	KFT_STATE_PAUSED, /* set up, but recording is off until it is resumed */
	KFT_STATE_COMPLETE, /* recording has stopped */
	KFT_STATE_SAVED, /* all records are drained, the kernel's state is restored */
	KFT_STATE_FAILED, /* a step failed halfway: the session can only be closed */
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

/* The state's name for messages and answers, for example "primed". Static. */
const char *kft_state_name(enum kft_state s);

/*
 * Returns the state after a step, or -EINVAL with a message if the step is not allowed in
 * state s. A step from the state that it leads to is allowed and changes nothing. name is the
 * session's; NULL: it has none.
 */
int kft_state_after(enum kft_state s, enum kft_step step, const char *name,
		    struct kft_err *e) __must_check;

/* True for a session that is set up in the kernel and has not stopped. */
static inline bool kft_state_is_under_way(enum kft_state s)
{
	return s == KFT_STATE_PRIMED || s == KFT_STATE_RECORDING || s == KFT_STATE_PAUSED;
}

static inline bool kft_state_is_complete(enum kft_state s)
{
	return s == KFT_STATE_COMPLETE || s == KFT_STATE_SAVED;
}
