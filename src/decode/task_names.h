/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/task.h"

/*
 * Names of tasks with the time from which each is valid, in kft's own recordings:
 * records of this size, little endian in any trace: u64 time in units of the
 * buffer's clock, u32 pid, u32 flags (1: a kernel thread, 2: a renamed task), 16
 * bytes of name, padded with NULs.
 */
#define KFT_TASK_NAME_BYTES 32
/* Limit of the names: 64 MB. Tasks born after that have no name of their own. */
#define KFT_TASK_NAMES_MAX	 (2U << 20)
#define KFT_TASK_NAMES_MAX_BYTES ((size_t)KFT_TASK_NAMES_MAX * KFT_TASK_NAME_BYTES)

void kft_task_name_encode(struct kft_strbuf *sb, const struct kft_task_name *name);

/* Parses all records of text into the table; an incomplete record is ignored. -ENOMEM. */
int kft_task_names_parse(const char *text, size_t len,
			 struct kft_task_table *t) __must_check;

/*
 * Appends to ret the records that are needed from since_ns on: for each pid the one valid
 * then, and all later ones. -ENOMEM.
 */
int kft_task_names_since(const char *text, size_t len, uint64_t since_ns,
			 struct kft_strbuf *ret) __must_check;
