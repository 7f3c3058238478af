// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "decode/printfmt/names.h"

static bool find(const char *name, uint64_t *ret)
{
	return kft_print_constant(name, strlen(name), ret);
}

static void names_are_found_whole(void **state)
{
	uint64_t v = 77;

	assert_true(find("HSM_ST", &v));
	assert_int_equal(v, 2);
	assert_true(find("HSM_ST_ERR", &v));
	assert_int_equal(v, 4);
	assert_true(find("true", &v));
	assert_int_equal(v, 1);
	assert_true(find("ATAPI_PROT_DMA", &v));
	assert_int_equal(v, 10);
	assert_false(find("HSM_S", &v));
	assert_false(find("HSM_ST_", &v));
	assert_false(find("", &v));
	assert_false(find("zzz", &v));
	assert_true(kft_print_constant("NULLX", 4, &v));
	assert_int_equal(v, 0);
}

/* The table is searched by halves: one name out of order would hide others. */
static void the_first_and_the_last_are_found(void **state)
{
	static const char *const some[] = {"ATAPI_PROT_DMA",
					   "ATA_CMD_CFA_ERASE",
					   "ATA_CMD_ZAC_MGMT_OUT",
					   "ATA_DEV_UNKNOWN",
					   "ATA_PROT_UNKNOWN",
					   "BLOCK_SOFTIRQ",
					   "CMD_ASYNC",
					   "NULL",
					   "RCU_SOFTIRQ",
					   "RPC_TASK_ACTIVE",
					   "TCP_TIME_WAIT",
					   "TIMER_SOFTIRQ",
					   "WB_SYNC_NONE",
					   "XEN_MC_XE_OK",
					   "false",
					   "nvme_admin_identify",
					   "nvme_fabrics_command",
					   "true"};
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		assert_true(find(some[i], &v));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(names_are_found_whole),
	cmocka_unit_test(the_first_and_the_last_are_found),
};

T_MAIN(tests)
