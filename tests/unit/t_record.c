// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "capture/session_state.h"
#include "fake.h"

static int setup(void **state)
{
	int r = fake_setup(state);

	fake_mkdir(*state, "run");
	return r;
}

static void everything_is_kept(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	const struct kft_session_state in = {
		.id = 7,
		.state = KFT_STATE_SAVED,
		.started = KFT_CAUSE_TRIGGER,
		.stopped = KFT_CAUSE_OTHER,
		.start_ns = 1,
		.stop_ns = UINT64_MAX,
		.lowest_stack_bytes = 3,
		.watch = {.looks = 12, .stacks = 13, .longest_ns = 14, .last_ns = 15},
		.options = {.buffer_bytes = 4,
			    .is_recording = true,
			    .overwrite = true,
			    .keep_ns = 11,
			    .max_bytes = 16,
			    .max_events = 17},
		.events = 9,
		.lost = 10,
		.entries = true,
		.drained_bytes = 18,
		.drained = true,
		.count_at = 6,
		.setup = {.tracer = KFT_TRACER_ENTRIES,
			  .top = true,
			  .thresh_us = 5,
			  .skips_irqs = true,
			  .functions_filtered = true,
			  .tasks_filtered = true},
	};
	struct kft_session_state out;

	memset(&out, 0, sizeof(out));
	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	assert_false(kft_session_state_exists(&d));
	assert_int_equal(kft_session_state_read(&d, &out, NULL), -ENOENT);
	assert_int_equal(kft_session_state_write(&d, &in, NULL), 0);
	assert_true(kft_session_state_exists(&d));
	assert_int_equal(kft_session_state_read(&d, &out, NULL), 0);
	assert_int_equal(out.id, 7);
	assert_int_equal(out.state, KFT_STATE_SAVED);
	assert_int_equal(out.started, KFT_CAUSE_TRIGGER);
	assert_int_equal(out.stopped, KFT_CAUSE_OTHER);
	assert_int_equal(out.start_ns, 1);
	assert_true(out.stop_ns == UINT64_MAX);
	assert_int_equal(out.lowest_stack_bytes, 3);
	assert_memory_equal(&out.watch, &in.watch, sizeof(in.watch));
	assert_memory_equal(&out.options, &in.options, sizeof(in.options));
	assert_int_equal(out.events, 9);
	assert_int_equal(out.lost, 10);
	assert_int_equal(out.setup.tracer, KFT_TRACER_ENTRIES);
	assert_true(out.setup.top && out.setup.skips_irqs);
	assert_true(out.setup.functions_filtered && out.setup.tasks_filtered);
	assert_int_equal(out.setup.thresh_us, 5);
	assert_true(out.drained);
	assert_int_equal(out.count_at, 6);
	assert_int_equal(out.options.max_bytes, 16);
	assert_int_equal(out.options.max_events, 17);
	assert_int_equal(out.drained_bytes, 18);
	kft_rundir_close(&d);
}

static void other_texts_are_refused(void **state)
{
	struct fake *f = *state;
	struct kft_rundir d;
	struct kft_session_state out;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	static const char *const texts[] = {"", "id\n", "id 1\n", "id x\nstate 0\n",
					    "\n\n"};

	assert_int_equal(kft_rundir_open(f->host, "a", true, &d, NULL), 0);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(
			kft_rundir_write(&d, "state", texts[i], strlen(texts[i]), NULL),
			0);
		assert_int_equal(kft_session_state_read(&d, &out, NULL), -EINVAL);
	}
	/* A valid file with one more line is refused. */
	assert_int_equal(kft_session_state_write(&d, &(struct kft_session_state){}, NULL),
			 0);
	assert_int_equal(kft_session_state_read(&d, &out, NULL), 0);
	assert_int_equal(kft_rundir_read(&d, "state", &text, NULL), 0);
	kft_strbuf_adds(&text, "more 1\n");
	assert_int_equal(kft_rundir_write(&d, "state", text.buf, text.len, NULL), 0);
	assert_int_equal(kft_session_state_read(&d, &out, NULL), -EINVAL);
	kft_rundir_close(&d);
}

#define WITH_RUN(test) cmocka_unit_test_setup_teardown(test, setup, fake_teardown)

static const struct CMUnitTest tests[] = {
	WITH_RUN(everything_is_kept),
	WITH_RUN(other_texts_are_refused),
};

T_MAIN(tests)
