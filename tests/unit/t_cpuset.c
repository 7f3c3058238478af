// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include <errno.h>

#include "base/cpuset.h"

static void lists_and_ranges(void **state)
{
	struct kft_cpuset set = {};

	assert_int_equal(kft_cpuset_parse(&set, "0,2-3,64"), 0);
	assert_true(set.bits[0] == 0xd);
	assert_true(set.bits[1] == 1);
	assert_true(kft_cpuset_has(&set, 64));
	assert_false(kft_cpuset_has(&set, 1));
	assert_false(kft_cpuset_has(&set, UINT32_MAX));
	assert_int_equal(kft_cpuset_parse(&set, "8191\n"), 0);
	assert_true(kft_cpuset_has(&set, 8191));
}

static void what_is_no_list(void **state)
{
	static const char *const bad[] = {"",	 ",",  "1,",  "a",   "1-",
					  "3-2", "-1", "1 2", "1,,2"};
	struct kft_cpuset set = {};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_int_equal(kft_cpuset_parse(&set, bad[i]), -EINVAL);
	assert_int_equal(kft_cpuset_parse(&set, "8192"), -ERANGE);
	assert_int_equal(kft_cpuset_parse(&set, "0-99999999999999"), -ERANGE);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lists_and_ranges),
	cmocka_unit_test(what_is_no_list),
};

T_MAIN(tests)
