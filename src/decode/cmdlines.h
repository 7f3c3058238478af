/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/task.h"

/*
 * Parses the texts of tracefs' saved_cmdlines ("pid comm") and saved_tgids ("pid tgid")
 * into a task table. A comm may hold any byte but a newline, also blanks; a comm longer
 * than KFT_COMM_MAX (the kernel's have up to 15 bytes) is cut. Bad lines are skipped and
 * counted in *ret_bad. -ENOMEM.
 */
#define KFT_COMM_MAX 255

int kft_cmdlines_parse(const char *text, size_t len, struct kft_task_table *t,
		       size_t *ret_bad) __must_check;
int kft_tgids_parse(const char *text, size_t len, struct kft_task_table *t,
		    size_t *ret_bad) __must_check;

/*
 * Whether all readers accept this comm in saved_cmdlines:
 * tep_parse_saved_cmdlines() of trace-cmd and KernelShark stops at a name that is
 * empty or blank, and loses the names after it.
 */
bool kft_cmdlines_can_say(const char *comm);
