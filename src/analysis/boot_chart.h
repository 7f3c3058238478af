/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_BOOT_CHART_H
#define KFT_ANALYSIS_BOOT_CHART_H

#include "analysis/boot_processes.h"
#include "analysis/boot_report.h"
#include "model/chart.h"

/*
 * What a chart of a boot draws: where its time went (analysis/boot_report.h), drivers' probes,
 * and the processes as they start, with CPU and I/O over time.
 */
struct kft_boot_probe {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t func; /* address */
};

struct kft_boot_chart {
	uint64_t begin_ns; /* of the trace */
	uint64_t end_ns;
	bool has_report; /* there were initcalls or calls */
	struct kft_boot_report report;
	uint32_t cpus; /* that were seen busy */
	uint64_t cpu[KFT_BOOT_BINS]; /* time that CPUs ran tasks */
	uint64_t io[KFT_BOOT_BINS]; /* time that requests of block devices took */
	struct kft_boot_processes processes; /* in the order of their starts */
	KFT_VEC(struct kft_boot_probe) probes;
};

void kft_boot_chart_finish(struct kft_boot_chart *c);

/*
 * -ENODATA for a trace with nothing of this, -ENOMEM, -E2BIG with more processes or probes
 * than anybody looks at. symbols is borrowed for the call.
 */
int kft_boot_chart_run(struct kft_trace *t, const struct kft_symbol_table *symbols,
		       struct kft_boot_chart *ret) __must_check;

/* As rows to be drawn, from load to initcalls. The trace's tasks have been loaded. */
void kft_boot_chart_rows(struct kft_trace *t, const struct kft_symbol_table *symbols,
			 const struct kft_boot_chart *b, struct kft_chart *ret);

/* Rows of the processes that used the most CPU, below, in the order of their starts. */
void kft_boot_chart_processes(struct kft_trace *t, const struct kft_boot_chart *b,
			      struct kft_chart *ret);

/* How long a part of the time is. */
static inline uint64_t kft_boot_chart_bin_ns(const struct kft_boot_chart *c)
{
	return KFT_MAX((c->end_ns - c->begin_ns) / KFT_BOOT_BINS, UINT64_C(1));
}

#endif
