// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/names.h"

static int setup(void **state)
{
	static struct kft_names names;

	kft_names_init(&names);
	*state = &names;
	return 0;
}

static int teardown(void **state)
{
	kft_names_finish(*state);
	return 0;
}

static void assert_text(struct kft_names *n, uint64_t number, const char *text)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_names_text(n, number, &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), text);
}

static void a_text_has_one_number(void **state)
{
	uint64_t frame = kft_names_number(*state, "frame", 5);

	assert_int_not_equal(frame, 0);
	assert_int_equal(kft_names_number(*state, "frames", 5), frame);
	assert_int_not_equal(kft_names_number(*state, "frames", 6), frame);
	assert_text(*state, frame, "frame");
	assert_text(*state, 0, "?");
	assert_text(*state, 99, "?");
}

static void keys_are_named_within_their_space(void **state)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	static const char irqs;
	static const char devices;

	kft_names_give(*state, &irqs, 24, "virtio0", 7);
	kft_names_give(*state, &irqs, 24, "another", 7);
	assert_false(kft_names_given(*state, &devices, 24, &sb));
	assert_false(kft_names_given(*state, &irqs, 25, &sb));
	assert_true(kft_names_given(*state, &irqs, 24, &sb));
	assert_string_equal(kft_strbuf_cstr(&sb), "virtio0");
}

#define with_names(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	with_names(a_text_has_one_number),
	with_names(keys_are_named_within_their_space),
};

T_MAIN(tests)
