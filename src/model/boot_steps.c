// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists functions that the kernel calls while it boots. */
#include "model/boot_steps.h"

/*
 * In the order of Linux 6.1 and 6.12. Each name costs a boot some 70 million
 * instructions: the kernel looks up the names of all its functions for each name on its
 * command line. With 39 names the boot of Debian's 6.12 took twice as long, with these
 * few the time is not noticeable.
 */
const char *const kft_boot_steps[] = {
	"calibrate_delay", /* calibrates the delay loop */
	/* Called after it; most of the remaining start_kernel() follows. */
	"pid_idr_init",
	"smp_init",
	"free_initmem",
	"run_init_process",
};
const size_t kft_boot_steps_count = ARRAY_SIZE(kft_boot_steps);
