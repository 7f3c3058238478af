// SPDX-License-Identifier: LGPL-2.1-or-later
/* Advice on functions in KFT's documents that have changed since. */
#include "plan/renamed.h"

#include <stddef.h>
#include <string.h>

#include "base/macro.h"

/*
 * Versions and commits: kernel_clone cad6967ac108 (5.10), syscall wrappers 7303e30ec1d8
 * (4.17), common_interrupt fa5e5c409213 (5.8).
 */
static const struct {
	const char *name;
	const char *advice;
} table[] = {
	{"do_fork", "do_fork is kernel_clone since Linux 5.10"},
	{"_do_fork", "_do_fork is kernel_clone since Linux 5.10"},
	{"sys_read", "the body of sys_read is ksys_read since Linux 4.17"},
	{"sys_write", "the body of sys_write is ksys_write since Linux 4.17"},
	{"sys_open", "the body of sys_open is do_sys_openat2 since Linux 5.6"},
	{"do_sys_open", "the body of do_sys_open is do_sys_openat2 since Linux 5.6"},
	{"do_IRQ", "do_IRQ is common_interrupt since Linux 5.8 on x86"},
	{"timer_interrupt", "the timer's interrupt is a function of the architecture: "
			    "sysvec_apic_timer_interrupt on x86"},
	{"do_page_fault", "do_page_fault is exc_page_fault since Linux 5.8 on x86"},
	{"to_userspace", "to_userspace was added by KFT's patch: run_init_process is the "
			 "last function before user space, while booting"},
	{"start_kernel", "start_kernel runs only while booting: see 'kft boot'"},
	{"mem_init", "mem_init runs only while booting: see 'kft boot'"},
	{"time_init", "time_init runs only while booting: see 'kft boot'"},
};

const char *kft_renamed_advice(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].advice;
	return NULL;
}
