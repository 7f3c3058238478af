/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/call.h"
#include "model/run_info.h"

/* Writes KFT's log as text (docs/formats/kft-log.md). The text is safe for a terminal. */
struct kft_log_style {
	bool has_cpus; /* show a CPU after each pid: the trace has several CPUs */
};

void kft_log_write_head(const struct kft_log_style *style,
			const struct kft_run_info *info, uint64_t n_calls,
			struct kft_strbuf *sb);

/*
 * Writes a row; entry_ns counts from the start. Calls come in the order of their entries.
 */
void kft_log_write_call(const struct kft_log_style *style, const struct kft_intern *names,
			const struct kft_call *call, struct kft_strbuf *sb);
