/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/calls/functions.h"
#include "derive/boot_steps.h"
#include "derive/calls/calls.h"
#include "derive/kinds/initcalls.h"
#include "model/result.h"

/*
 * The report of a boot shows the time in initcalls, functions and gaps. A gap is the time
 * between a function entry and the next one on any CPU: the boot waited, and no function was
 * entered. The original KFT advised its users to look for gaps first. Time after an entry of
 * an idle task, and time in which the tracer patched the kernel's code, is not part of a gap.
 */
struct kft_entry_gap_end {
	uint64_t entry_ns; /* on the clock of the buffer */
	uint32_t func; /* number in kft_boot_report.names */
	int32_t pid; /* KFT_CALL_IN_INTERRUPT: entered in an interrupt */
	int32_t cpu;
};

struct kft_entry_gap {
	struct kft_entry_gap_end
		from; /* this function was running or waiting during the gap */
	struct kft_entry_gap_end to;
};

#define KFT_ENTRY_GAPS_KEPT 10

struct kft_boot_report {
	struct kft_intern names;
	struct kft_initcalls initcalls; /* longest first; unfinished ones last */
	struct kft_boot_step_list steps; /* in the order of their starts */
	uint64_t tracer_ns; /* in initcalls that set up the tracer itself */
	bool has_cost; /* traced_ns and untraced_ns were measured */
	uint64_t traced_ns; /* duration of some system calls while the boot was traced */
	uint64_t untraced_ns; /* duration of the same calls without tracing */
	struct kft_functions functions; /* by total time */
	struct kft_calls_found found;
	uint64_t calls;
	size_t n_entry_gaps;
	struct kft_entry_gap
		entry_gaps[KFT_ENTRY_GAPS_KEPT]; /* longest first, then by time */
};

void kft_boot_report_finish(struct kft_boot_report *r);

/*
 * Fills ret, which kft_boot_report_finish() frees. symbols and scope (NULL: the whole trace)
 * are borrowed for the call. -ENODATA for a trace with neither initcalls nor calls of
 * functions, -ENOMEM.
 */
int kft_boot_report_run(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_report *ret) __must_check;

/* Adds a report to a result. The trace's tasks must be loaded before; symbols as above. */
void kft_boot_report_result(struct kft_trace *t, const struct kft_symbol_table *symbols,
			    const struct kft_boot_report *report, struct kft_result *ret);
