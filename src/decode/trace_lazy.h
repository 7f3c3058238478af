/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/*
 * Symbols and task names of a trace, parsed on first use. Broken lines become one note of
 * the trace. When memory runs out, the table keeps the entries so far, which is noted
 * too: names are then missing, events are not.
 *
 * Only one thread may make the first call; the result may be read by any thread.
 */
const struct kft_symbol_table *kft_trace_symbols(struct kft_trace *t);
const struct kft_task_table *kft_trace_tasks(struct kft_trace *t);

/* Maps an address to its struct kft_blob *, see decode/printfmt/printk.h. */
const struct kft_map *kft_trace_printk(struct kft_trace *t);
