/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_T_H
#define KFT_TESTS_T_H

/* What every unit test starts with: cmocka and what its header needs before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Runs a table of tests made with cmocka_unit_test(); the program's whole main(). */
#define T_MAIN(tests)                                               \
	int main(void)                                              \
	{                                                           \
		return cmocka_run_group_tests((tests), NULL, NULL); \
	}

#endif
