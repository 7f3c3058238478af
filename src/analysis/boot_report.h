/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_BOOT_REPORT_H
#define KFT_ANALYSIS_BOOT_REPORT_H

#include "analysis/functions.h"
#include "derive/boot_steps.h"
#include "derive/calls.h"
#include "derive/initcalls.h"
#include "model/result.h"

/*
 * Where the time of a boot went: in which initcalls, in which functions, and in which gaps.
 * A gap is the time between an entry and the next one, whatever CPU or task it was on:
 * nothing was recorded in it, although the boot waited. KFT's own advice was to look for
 * these first. Time after an entry of an idle task, and while the tracer changed the
 * kernel's code, is in no gap.
 */
struct kft_entry_gap_end {
	uint64_t entry_ns; /* on the clock of the buffer */
	uint32_t func; /* in names */
	int32_t pid; /* KFT_CALL_IN_INTERRUPT: an interrupt's */
	int32_t cpu;
};

struct kft_entry_gap {
	struct kft_entry_gap_end
		from; /* the time was spent in here, or in what it waited for */
	struct kft_entry_gap_end to;
};

#define KFT_ENTRY_GAPS_KEPT 10

struct kft_boot_report {
	struct kft_intern names;
	struct kft_initcalls initcalls; /* longest first; without an end last */
	struct kft_boot_step_list steps; /* in the order of their starts */
	uint64_t tracer_ns; /* in initcalls that set the tracer itself up */
	bool has_cost; /* what follows was measured */
	uint64_t traced_ns; /* some system calls while the boot was traced ... */
	uint64_t untraced_ns; /* ... and afterwards */
	struct kft_functions functions; /* by total time */
	struct kft_calls_found found;
	uint64_t calls;
	size_t n_entry_gaps;
	struct kft_entry_gap
		entry_gaps[KFT_ENTRY_GAPS_KEPT]; /* longest first; equal ones by time */
};

void kft_boot_report_finish(struct kft_boot_report *r);

/*
 * -ENODATA for a trace with neither initcalls nor calls of functions, -ENOMEM. symbols is
 * borrowed for the call, scope too (NULL: the whole trace).
 */
int kft_boot_report_run(struct kft_trace *t, const struct kft_scope *scope,
			const struct kft_symbol_table *symbols,
			struct kft_boot_report *ret) __must_check;

/* Adds it to a result. The trace's tasks have been loaded; symbols as above. */
void kft_boot_report_result(struct kft_trace *t, const struct kft_symbol_table *symbols,
			    const struct kft_boot_report *report, struct kft_result *ret);

#endif
