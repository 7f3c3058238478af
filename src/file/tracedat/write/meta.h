/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "file/tracedat/write/encode.h"
#include "model/meta.h"

/*
 * Append parts of the metadata to sb in a file's syntax. A version 7 file has each
 * in a section of its own, a version 6 file has them one after the other in the
 * order of these declarations.
 */
void kft_encode_header_info(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);
void kft_encode_ftrace_events(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);
void kft_encode_event_formats(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);
void kft_encode_kallsyms(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);
void kft_encode_printk(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);
void kft_encode_cmdlines(struct kft_strbuf *sb, const struct kft_meta *m, bool swap);

/* Whether the size is a power of two within the limits of format.h. */
bool kft_page_size_is_valid(uint32_t bytes) __must_check;

/* -EINVAL or -EFBIG when the metadata could not be read again. */
int kft_tracedat_check_meta(const struct kft_meta *m, struct kft_err *e) __must_check;
