// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "capture/state.h"

static int walk(const enum kft_step *steps, size_t n)
{
	int s = KFT_STATE_LOADED;

	for (size_t i = 0; i < n && s >= 0; i++)
		s = kft_state_after(s, steps[i], "x", NULL);
	return s;
}

static void ways_through_the_states(void **state)
{
	const enum kft_step whole[] = {
		KFT_STEP_PRIME,	 KFT_STEP_START, KFT_STEP_PAUSE,
		KFT_STEP_RESUME, KFT_STEP_PAUSE, KFT_STEP_STOP,
		KFT_STEP_SAVE,	 KFT_STEP_SAVE,	 KFT_STEP_PRIME,
	};
	const enum kft_state states[] = {
		KFT_STATE_PRIMED,    KFT_STATE_RECORDING, KFT_STATE_PAUSED,
		KFT_STATE_RECORDING, KFT_STATE_PAUSED,	  KFT_STATE_COMPLETE,
		KFT_STATE_SAVED,     KFT_STATE_SAVED,	  KFT_STATE_PRIMED,
	};

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		assert_int_equal(walk(whole, i + 1), states[i]);
	assert_int_equal(walk(&whole[1], 1), KFT_STATE_RECORDING);
}

/* Every pair has an answer: a state, or a message. */
static void steps_that_do_not_fit_say_why(void **state)
{
	size_t refused = 0;

	for (int s = 0; s < KFT_STATE_COUNT; s++) {
		assert_non_null(kft_state_name(s));
		for (int step = 0; step < KFT_STEP_COUNT; step++) {
			struct kft_err e = {};
			int r = kft_state_after(s, step, "x", &e);

			assert_true(r == -EINVAL ||
				    (r >= 0 && r < KFT_STATE_FAILED && !e.code));
			if (r >= 0)
				continue;
			refused++;
			assert_int_equal(strncmp(e.msg, "session 'x' ", 12), 0);
			assert_int_equal(kft_state_after(s, step, NULL, &e), -EINVAL);
			assert_int_equal(strncmp(e.msg, "the session ", 12), 0);
		}
	}
	assert_int_equal(refused, 27);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ways_through_the_states),
	cmocka_unit_test(steps_that_do_not_fit_say_why),
};

T_MAIN(tests)
