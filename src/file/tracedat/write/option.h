/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/format.h"
#include "file/tracedat/write/encode.h"
#include "model/meta.h"

/*
 * Options have the same bytes in both versions of the file; these functions append to sb.
 */
void kft_encode_option(struct kft_strbuf *sb, uint16_t id, const void *data, size_t len,
		       bool swap);
void kft_encode_option_u64(struct kft_strbuf *sb, uint16_t id, uint64_t v, bool swap);

/*
 * Append the options for clock, uname, program, id, statistics per CPU, losses,
 * thread groups and command.
 */
void kft_encode_meta_options(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);

/* KFT_OPTION_LIVE: marks a file that is being recorded. */
void kft_encode_live_option(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);

/* One loss record, KFT_LOST_RECORD_BYTES long. */
void kft_encode_lost(struct kft_strbuf *sb, const struct kft_lost_range *r);

/*
 * Writes tasks in the syntax of FILE.parts/tasks: saved_cmdlines, a
 * separator line, saved_tgids.
 */
void kft_tracedat_add_tasks(struct kft_strbuf *sb, const struct kft_blob *cmdlines,
			    const struct kft_blob *tgids);
