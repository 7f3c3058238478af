// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <pthread.h>

#include "capture/interrupt.h"

static bool is_blocked(int sig)
{
	sigset_t now;

	assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
	return sigismember(&now, sig);
}

static void signals_wait_in_the_descriptor(void **state)
{
	struct kft_interrupt i;

	assert_int_equal(kft_interrupt_open(&i, NULL), 0);
	assert_int_equal(kft_interrupt_take(&i), 0);
	assert_int_equal(raise(SIGTERM), 0);
	assert_int_equal(raise(SIGINT), 0);
	int first = kft_interrupt_take(&i);
	int second = kft_interrupt_take(&i);
	assert_int_equal(first + second, SIGTERM + SIGINT);
	assert_int_equal(kft_interrupt_take(&i), 0);
	kft_interrupt_close(&i);
}

/* Were it not taken, closing would kill this test. */
static void late_ones_are_swallowed(void **state)
{
	struct kft_interrupt i;

	assert_int_equal(kft_interrupt_open(&i, NULL), 0);
	assert_int_equal(raise(SIGINT), 0);
	kft_interrupt_close(&i);
	assert_false(is_blocked(SIGINT));
	kft_interrupt_close(&i);
}

static void ignored_ones_stay_ignored(void **state)
{
	struct kft_interrupt i;

	assert_true(signal(SIGHUP, SIG_IGN) != SIG_ERR);
	assert_int_equal(kft_interrupt_open(&i, NULL), 0);
	assert_true(is_blocked(SIGINT));
	assert_false(is_blocked(SIGHUP));
	assert_int_equal(raise(SIGHUP), 0);
	assert_int_equal(kft_interrupt_take(&i), 0);
	kft_interrupt_close(&i);
	assert_true(signal(SIGHUP, SIG_DFL) != SIG_ERR);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(signals_wait_in_the_descriptor),
	cmocka_unit_test(late_ones_are_swallowed),
	cmocka_unit_test(ignored_ones_stay_ignored),
};

T_MAIN(tests)
