/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_BOOT_PARAMS_H
#define KFT_SESSION_BOOT_PARAMS_H

#include <kft/plan.h>

#include "base/strbuf.h"

/*
 * A plan as parameters of a kernel's command line. Those that Linux 6.1 and 6.12 have are
 * used alone; all but tracing_thresh are in its kernel-parameters.txt.
 *
 * trace_clock is always given, and is local: mono counts in jiffies until fs_initcall, and
 * without the parameter the kernel may change the clock late in the boot and empty the
 * buffer. It counts as dmesg does.
 */
#define KFT_BOOT_WORD	      "kft.boot=" /* ours; a dot keeps the kernel from passing it on */
#define KFT_BOOT_GROUP	      "kft_boot" /* of the events of the triggers' probes */
#define KFT_BOOT_EVENTS	      "initcall:*,module:module_load" /* whose initcall it is */
#define KFT_BOOT_ROOTS	      "ftrace_graph_filter=" /* what these call, and nothing else */
#define KFT_BOOT_NO_OVERWRITE "nooverwrite"
#define KFT_BOOT_NO_IRQS      "nofuncgraph-irqs"

#define KFT_BOOT_BUFFER_BYTES (UINT64_C(16) << 20) /* of a CPU, when the plan has none */

#define KFT_BOOT_LIGHT_BYTES (UINT64_C(1) << 20)

/*
 * Appends the parameters, blanks between. word is the value of kft.boot. roots: only what
 * these functions call, with commas between; NULL: everything. -EINVAL for a plan with
 * addresses for functions.
 */
int kft_boot_params(const struct kft_plan *plan, const char *word, const char *roots,
		    struct kft_strbuf *sb, struct kft_err *e) __must_check;

/*
 * The same for a light first look: initcalls, and when the steps of model/boot_steps.h
 * begin. These are the only functions that are traced, from sched_init() on.
 */
void kft_boot_light_params(uint64_t buffer_bytes, const char *word,
			   struct kft_strbuf *sb);

/* Whether a word of a command line is a parameter of a kind that the above makes. */
bool kft_boot_is_param(const char *word);

/*
 * Bytes that the kernel of a machine (a name as uname has it) takes of its command line.
 * The rest is cut off without a word.
 */
size_t kft_boot_line_max(const char *machine);

#endif
