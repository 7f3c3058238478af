// SPDX-License-Identifier: LGPL-2.1-or-later
/* The state machine of sessions. */
#include "capture/state.h"

#include <errno.h>

#include "base/err.h"

#define NO -1

/* The state after each step; NO: the step is not allowed. */
/* clang-format off */
static const int after[KFT_STATE_COUNT][KFT_STEP_COUNT] = {
	/*			prime		  start		       pause		 resume		      stop		  save */
	[KFT_STATE_LOADED] =	{KFT_STATE_PRIMED, KFT_STATE_RECORDING, NO,		 NO,		      NO,		  NO},
	[KFT_STATE_PRIMED] =	{KFT_STATE_PRIMED, KFT_STATE_RECORDING, NO,		 NO,		      KFT_STATE_COMPLETE, NO},
	[KFT_STATE_RECORDING] = {NO,		   NO,			KFT_STATE_PAUSED, KFT_STATE_RECORDING, KFT_STATE_COMPLETE, NO},
	[KFT_STATE_PAUSED] =	{NO,		   NO,			KFT_STATE_PAUSED, KFT_STATE_RECORDING, KFT_STATE_COMPLETE, NO},
	[KFT_STATE_COMPLETE] =	{KFT_STATE_PRIMED, NO,			NO,		 NO,		      NO,		  KFT_STATE_SAVED},
	[KFT_STATE_SAVED] =	{KFT_STATE_PRIMED, NO,			NO,		 NO,		      NO,		  KFT_STATE_SAVED},
	[KFT_STATE_FAILED] =	{NO,		   NO,			NO,		 NO,		      NO,		  NO},
};
/* clang-format on */

const char *kft_state_name(enum kft_state s)
{
	static const char *const names[] = {
		[KFT_STATE_LOADED] = "loaded",	     [KFT_STATE_PRIMED] = "primed",
		[KFT_STATE_RECORDING] = "recording", [KFT_STATE_PAUSED] = "paused",
		[KFT_STATE_COMPLETE] = "complete",   [KFT_STATE_SAVED] = "saved",
		[KFT_STATE_FAILED] = "failed",
	};

	return names[s];
}

/* Sets a message with the reason that a step is not allowed, and a hint with one that is. */
static void explain(enum kft_state s, enum kft_step step, const char *name,
		    struct kft_err *e)
{
	static const char *const texts[KFT_STATE_COUNT] = {
		[KFT_STATE_LOADED] = "was not primed",
		[KFT_STATE_PRIMED] = "has not started",
		[KFT_STATE_RECORDING] = "records already",
		[KFT_STATE_PAUSED] = "is paused",
		[KFT_STATE_COMPLETE] = "is complete already",
		[KFT_STATE_SAVED] = "is complete already",
		[KFT_STATE_FAILED] = "has failed",
	};
	const char *text = texts[s];

	if (s == KFT_STATE_RECORDING && step == KFT_STEP_SAVE)
		text = "is not complete";
	(void)kft_err_set(e, -EINVAL, name ? "session '%s' %s" : "the session%s %s",
			  name ? name : "", text);
	if (!name)
		return;
	if (s == KFT_STATE_PAUSED && step == KFT_STEP_START)
		kft_err_hint(e, "'kft resume -n %s' lets it go on", name);
	else if (s == KFT_STATE_RECORDING || s == KFT_STATE_PAUSED)
		kft_err_hint(e, "'kft stop -n %s' ends it", name);
	else if (kft_state_is_complete(s))
		kft_err_hint(e, "'kft save -n %s' writes its events", name);
}

int kft_state_after(enum kft_state s, enum kft_step step, const char *name,
		    struct kft_err *e)
{
	int next = after[s][step];

	if (next != NO)
		return next;
	explain(s, step, name, e);
	return -EINVAL;
}
