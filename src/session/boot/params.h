/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/strbuf.h"
#include "model/run_mark.h"

/*
 * Translates a plan into parameters of a kernel's command line. All parameters used exist
 * in both Linux 6.1 and 6.12; all but tracing_thresh are in kernel-parameters.txt.
 *
 * trace_clock is always given, and is local: mono counts in jiffies until fs_initcall,
 * and without the parameter the kernel may change the clock late in the boot and empty
 * the buffer. The local clock has the times of dmesg.
 */
#define KFT_BOOT_WORD	      "kft.boot=" /* ours; a dot keeps the kernel from passing it on */
#define KFT_BOOT_EVENTS	      "initcall:*,module:module_load" /* initcalls and their modules */
#define KFT_BOOT_ROOTS	      "ftrace_graph_filter=" /* only the calls that these make */
#define KFT_BOOT_NO_OVERWRITE "nooverwrite"
#define KFT_BOOT_NO_IRQS      "nofuncgraph-irqs"

#define KFT_BOOT_BUFFER_BYTES (UINT64_C(16) << 20) /* per CPU, if the plan has no size */

#define KFT_BOOT_LIGHT_BYTES (UINT64_C(1) << 20)

/*
 * Appends the parameters, with blanks between. word is the value of kft.boot. roots lists
 * functions with commas between: only the calls that these make are traced; NULL: all
 * calls. -EINVAL for a plan with functions by address.
 */
int kft_boot_params(const struct kft_plan *plan, const char *word, const char *roots,
		    struct kft_strbuf *sb, struct kft_err *e) __must_check;

/*
 * Appends the parameters of a light first look: it records initcalls and, from
 * sched_init() on, the entries of the functions of model/boot_steps.h. No other function
 * is traced.
 */
void kft_boot_light_params(uint64_t buffer_bytes, const char *word,
			   struct kft_strbuf *sb);

/* Whether a word of a command line is a parameter that the functions above may write. */
bool kft_boot_is_param(const char *word);

/*
 * Returns how many bytes of its command line the kernel of a machine reads (machine: a
 * name as in struct utsname). The kernel silently cuts off the rest.
 */
size_t kft_boot_line_max(const char *machine);
