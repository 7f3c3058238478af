// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/block_device.h"

static const char partitions[] = "major minor  #blocks  name\n"
				 "\n"
				 " 254        0  268435456 vda\n"
				 " 254        1  268434432 vda1\n"
				 " 259        0 1000204632 nvme0n1\n"
				 "   8       16\n"
				 "   8       32   1 bad\033name";

static void assert_named(const char *text, uint64_t major, uint64_t minor,
			 const char *expected)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta m = {.devices = {text, text ? strlen(text) : 0}};

	kft_add_block_device(&m, major << 20 | minor, ',', &sb);
	assert_string_equal(kft_strbuf_cstr(&sb), expected);
}

static void devices_have_their_names(void **state)
{
	assert_named(partitions, 254, 0, "vda");
	assert_named(partitions, 254, 1, "vda1");
	assert_named(partitions, 259, 0, "nvme0n1");
}

static void a_device_without_a_name_has_its_numbers(void **state)
{
	assert_named(partitions, 8, 0, "8,0");
	assert_named(NULL, 254, 0, "254,0");
	assert_named("", 254, 0, "254,0");
	/* A line that was cut off. */
	assert_named(partitions, 8, 16, "8,16");
}

static void names_are_escaped(void **state)
{
	assert_named(partitions, 8, 32, "bad\\x1bname");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(devices_have_their_names),
	cmocka_unit_test(a_device_without_a_name_has_its_numbers),
	cmocka_unit_test(names_are_escaped),
};

T_MAIN(tests)
