/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/boot/processes.h"
#include "analysis/boot/report.h"
#include "model/chart.h"

/*
 * The contents of a boot chart: the boot's report (analysis/boot/report.h), drivers' probes,
 * and the processes in the order of their starts, with the load of CPUs and I/O over time.
 */
struct kft_boot_probe {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t func; /* address of the probe function */
};

struct kft_boot_chart {
	uint64_t begin_ns; /* of the trace */
	uint64_t end_ns;
	bool has_report; /* false: the trace has neither initcalls nor calls */
	struct kft_boot_report report;
	uint32_t cpus; /* highest number of a CPU that ran a task, + 1 */
	uint64_t cpu[KFT_BOOT_BINS]; /* ns in which CPUs ran tasks */
	uint64_t io[KFT_BOOT_BINS]; /* ns that requests of block devices took */
	struct kft_boot_processes processes; /* in the order of their starts */
	KFT_VEC(struct kft_boot_probe) probes;
};

void kft_boot_chart_finish(struct kft_boot_chart *c);

/*
 * Fills ret, which kft_boot_chart_finish() frees. symbols is borrowed for the call. -ENODATA
 * for a trace without initcalls, calls and processes, -E2BIG with too many processes or probes
 * for a readable chart, -ENOMEM.
 */
int kft_boot_chart_run(struct kft_trace *t, const struct kft_symbol_table *symbols,
		       struct kft_boot_chart *ret) __must_check;

/* Adds the rows from the load of CPUs to initcalls. The trace's tasks must be loaded before. */
void kft_boot_chart_rows(struct kft_trace *t, const struct kft_symbol_table *symbols,
			 const struct kft_boot_chart *b, struct kft_chart *ret);

/* Adds rows of the processes that used the most CPU time, in the order of their starts. */
void kft_boot_chart_processes(struct kft_trace *t, const struct kft_boot_chart *b,
			      struct kft_chart *ret);

/* The length of a bin, in ns. */
static inline uint64_t kft_boot_chart_bin_ns(const struct kft_boot_chart *c)
{
	return KFT_MAX((c->end_ns - c->begin_ns) / KFT_BOOT_BINS, UINT64_C(1));
}
