/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KTRACE_LOAD_H
#define KTRACE_LOAD_H

#include <kft/ktrace.h>

/* The functions of the ids are the contexts that the calls are made from. */
#define LOAD_FUNCS(F)  F(process) F(softirq) F(hardirq) F(nmi)
#define LOAD_EVENTS(E) E(VALUES)
KTRACE_IDS(LOAD_FUNCS, LOAD_EVENTS)

enum { CALL_LOG2, CALL_LOG4, CALL_SCOPE, CALL_PRINTF, CALL_RECORD, CALLS };

/* Calls by CPU, context and kind; each is written by its own context of its own CPU only. */
extern unsigned int load_counts[NR_CPUS][KTRACE_N_FUNCS][CALLS];

bool nmi_start(void);
void nmi_stop(void);
void nmi_send(void);

#define LOAD_COUNT(context, call) \
	(load_counts[raw_smp_processor_id()][KT_FUNC_##context][call]++)

/* One of each, with values that say which they are. Its context stays on its CPU meanwhile. */
#define LOAD_CALLS(context)                                                     \
	do {                                                                    \
		ktrace_scope(KT_FUNC_##context);                                \
		unsigned int n = LOAD_COUNT(context, CALL_LOG2);                \
                                                                                \
		ktrace_log2(KT_FUNC_##context, KT_FUNC_ENTRY, n, ~(u64)n);      \
		ktrace_log4(KT_FUNC_##context, KT_VALUES, n, n + 1, ~n,         \
			    raw_smp_processor_id());                            \
		kpprintf("%s %u of %d\n", #context, n, raw_smp_processor_id()); \
		kptrace_write_record(#context);                                 \
		LOAD_COUNT(context, CALL_LOG4);                                 \
		LOAD_COUNT(context, CALL_PRINTF);                               \
		LOAD_COUNT(context, CALL_RECORD);                               \
		LOAD_COUNT(context, CALL_SCOPE);                                \
	} while (0)

#endif
