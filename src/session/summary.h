/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/cut.h"
#include "capture/session_state.h"

/* Summaries of a run for people: one line each, without newline. */

/* "12 calls kept, 3 too short" and so on; rec NULL: of a boot, which watches no stacks. */
void kft_run_counts_text(const struct kft_session_state *rec, const struct kft_cut *cut,
			 struct kft_strbuf *sb);

/* Lists actions of other programs that disturbed the run; appends nothing if there were none. */
void kft_run_others_text(const struct kft_session_state *rec, const struct kft_cut *cut,
			 struct kft_strbuf *sb);
