// SPDX-License-Identifier: GPL-2.0-only
/*
 * NMIs on x86, each sent by a CPU to the next one. 64-bit ARM has none here: its kernels use
 * none by default.
 */
#include <linux/cpumask.h>

#include "load.h"

#ifdef CONFIG_X86
#include <asm/apic.h>
#include <asm/nmi.h>

/*
 * Claims each NMI that comes in these seconds: none is of anyone else, and those that are not
 * claimed are reported as errors of the hardware.
 */
static int on_nmi(unsigned int type, struct pt_regs *regs)
{
	LOAD_CALLS(nmi);
	return NMI_HANDLED;
}

bool nmi_start(void)
{
	return register_nmi_handler(NMI_LOCAL, on_nmi, 0, "ktrace_load") == 0;
}

void nmi_stop(void)
{
	unregister_nmi_handler(NMI_LOCAL, "ktrace_load");
}

void nmi_send(void)
{
	unsigned int cpu = cpumask_next(raw_smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	if (cpu != raw_smp_processor_id())
		apic->send_IPI(cpu, NMI_VECTOR);
}
#else
bool nmi_start(void)
{
	return false;
}

void nmi_stop(void)
{
}

void nmi_send(void)
{
}
#endif
