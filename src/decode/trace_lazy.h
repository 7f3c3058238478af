/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_TRACE_LAZY_H
#define KFT_DECODE_TRACE_LAZY_H

#include "model/trace.h"

/*
 * What a trace's texts say, parsed when first asked for. Broken lines become one note
 * of the trace; out of memory leaves the table as far as it got, noted too: names are
 * then missing, events are not.
 *
 * The first call is for one thread alone; what it parsed may be read by any thread.
 */
const struct kft_symbol_table *kft_trace_symbols(struct kft_trace *t);
const struct kft_task_table *kft_trace_tasks(struct kft_trace *t);

/* address -> struct kft_blob *, see decode/printkfmt.h */
const struct kft_map *kft_trace_printk(struct kft_trace *t);

#endif
