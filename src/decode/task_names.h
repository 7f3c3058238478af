/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_TASK_NAMES_H
#define KFT_DECODE_TASK_NAMES_H

#include "base/strbuf.h"
#include "model/task.h"

/*
 * Names of tasks with the time from which they hold, as kft's own recordings have them:
 * records of this size, little endian whatever the trace is: u64 time in units of the
 * buffer's clock, u32 pid, u32 flags (1: a thread of the kernel's own, 2: a new name of the same
 * task), 16 bytes of name, filled up with NULs.
 */
#define KFT_TASK_NAME_BYTES 32
/* 64 MB of them; processes that are born later have no names of their own. */
#define KFT_TASK_NAMES_MAX	 (2U << 20)
#define KFT_TASK_NAMES_MAX_BYTES ((size_t)KFT_TASK_NAMES_MAX * KFT_TASK_NAME_BYTES)

void kft_task_name_encode(struct kft_strbuf *sb, const struct kft_task_name *name);

/* All of text into the table; a record that is cut is left out. -ENOMEM. */
int kft_task_names_parse(const char *text, size_t len,
			 struct kft_task_table *t) __must_check;

/*
 * Appends to ret what of text is needed from a time on: of each pid what holds then, and all
 * later ones. -ENOMEM.
 */
int kft_task_names_since(const char *text, size_t len, uint64_t since_ns,
			 struct kft_strbuf *ret) __must_check;

#endif
