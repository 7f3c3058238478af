// SPDX-License-Identifier: GPL-2.0-only
/*
 * A backend of its own, which takes the place of the one that records with tracefs: what a
 * mechanism has to have, and that capture/capture.c keeps the promises of capture/backend.h.
 */
#include "t.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "capture/backend.h"
#include "capture/capture.h"

static struct {
	char calls[16]; /* a letter for each, in their order */
	char refuses; /* which of them fails */
} seen;

static int say(char letter, struct kft_err *e)
{
	size_t n = strlen(seen.calls);

	assert_true(n + 1 < sizeof(seen.calls));
	seen.calls[n] = letter;
	return seen.refuses == letter ? kft_err_set(e, -EIO, "refuses %c", letter) : 0;
}

static int accepts(const struct kft_plan *plan, struct kft_err *e)
{
	return plan->n_events ? 0 : kft_err_set(e, -EOPNOTSUPP, "events only");
}

static int open_example(const struct kft_backend_opts *opts, struct kft_backend **ret,
			struct kft_err *e)
{
	int r = say('o', e);

	if (r < 0)
		return r;
	*ret = calloc(1, sizeof(**ret));
	assert_non_null(*ret);
	(*ret)->ops = &kft_tracefs_backend;
	return 0;
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	return say('a', e);
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	return say('s', e);
}

static void tick(struct kft_backend *b)
{
}

static int pause_example(struct kft_backend *b, bool paused, struct kft_err *e)
{
	return say(paused ? 'p' : 'r', e);
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	return say('e', e);
}

static int close_example(struct kft_backend *b, struct kft_err *e)
{
	free(b);
	return say('c', e);
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	ret->events = 7;
}

static int no_fd(const struct kft_backend *b)
{
	return -1;
}

const struct kft_backend_ops kft_tracefs_backend = {
	.name = "example",
	.accepts = accepts,
	.open = open_example,
	.arm = arm,
	.start = start,
	.tick = tick,
	.pause = pause_example,
	.stop = stop,
	.close = close_example,
	.progress = progress,
	.failed_fd = no_fd,
	.work_dirfd = no_fd,
	.session_dirfd = no_fd,
};

/* All steps, up to the one that fails; what was opened is closed in any case. */
static const char *live(char refuses, bool has_events)
{
	struct kft_plan plan = {.n_events = has_events};
	const struct kft_capture_opts opts = {.sink_dirfd = -1};
	struct kft_progress p = {};
	struct kft_capture *c;

	memset(&seen, 0, sizeof(seen));
	seen.refuses = refuses;
	if (kft_capture_create(NULL, &plan, NULL, &opts, &c, NULL) < 0)
		return seen.calls;
	int r = kft_capture_arm(c, NULL);
	if (r == 0)
		r = kft_capture_start(c, NULL);
	if (r == 0)
		r = kft_capture_wait(c, NULL, 0, 0, NULL);
	if (r == 0)
		r = kft_capture_pause(c, true, NULL);
	if (r == 0)
		r = kft_capture_pause(c, false, NULL);
	if (r == 0)
		r = kft_capture_stop(c, NULL);
	assert_int_equal(r < 0, refuses != '\0');
	kft_capture_progress(c, &p);
	assert_int_equal(p.events, 7);
	assert_int_equal(kft_capture_stop(c, NULL), -EINVAL);
	assert_int_equal(kft_capture_close(c, NULL), 0);
	return seen.calls;
}

static void the_steps_come_in_order(void **state)
{
	assert_string_equal(live('\0', true), "oasprec");
}

static void a_step_that_fails_is_the_last_one(void **state)
{
	assert_string_equal(live('o', true), "o");
	assert_string_equal(live('a', true), "oac");
	assert_string_equal(live('s', true), "oasc");
	assert_string_equal(live('e', true), "oasprec");
}

static void a_plan_that_it_does_not_take_is_not_opened(void **state)
{
	assert_string_equal(live('\0', false), "");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_steps_come_in_order),
	cmocka_unit_test(a_step_that_fails_is_the_last_one),
	cmocka_unit_test(a_plan_that_it_does_not_take_is_not_opened),
};

T_MAIN(tests)
