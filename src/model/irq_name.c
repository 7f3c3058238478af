// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the functions at the edges of interrupts. */
#include "model/irq_name.h"

#include <string.h>

/*
 * Functions of kernel/softirq.c; on x86 the callers of those with _rcu cannot be traced.
 */
static const struct {
	const char *name;
	enum kft_irq_name is;
} names[] = {
	{"irq_enter", KFT_IRQ_NAME_ENTERS},
	{"irq_enter_rcu", KFT_IRQ_NAME_ENTERS},
	{"irq_exit", KFT_IRQ_NAME_LEAVES},
	{"irq_exit_rcu", KFT_IRQ_NAME_LEAVES},
	/*
	 * handle_softirqs() exists since Linux 6.10 (and in stable kernels); before, and
	 * as its caller, __do_softirq().
	 */
	{"handle_softirqs", KFT_IRQ_NAME_SOFTIRQS},
	{"__do_softirq", KFT_IRQ_NAME_SOFTIRQS},
	{"do_softirq", KFT_IRQ_NAME_CALLS_SOFTIRQS},
	{"do_softirq_own_stack", KFT_IRQ_NAME_CALLS_SOFTIRQS},
	{"do_softirq_post_smp_call_flush", KFT_IRQ_NAME_CALLS_SOFTIRQS},
	{"__local_bh_enable_ip", KFT_IRQ_NAME_CALLS_SOFTIRQS},
	{"run_ksoftirqd", KFT_IRQ_NAME_CALLS_SOFTIRQS},
};

enum kft_irq_name kft_irq_name_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, name, len))
			return names[i].is;
	return KFT_IRQ_NAME_NONE;
}
