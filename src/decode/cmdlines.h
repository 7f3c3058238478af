/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_CMDLINES_H
#define KFT_DECODE_CMDLINES_H

#include "model/task.h"

/*
 * The texts of tracefs' saved_cmdlines ("pid comm") and saved_tgids ("pid tgid") into a
 * task table. A comm may hold any byte but a line end, blanks too; what is longer than
 * KFT_COMM_MAX (the kernel's 15) is cut. Lines that are none are stepped over and
 * counted in *ret_bad. -ENOMEM.
 */
#define KFT_COMM_MAX 255

int kft_cmdlines_parse(const char *text, size_t len, struct kft_task_table *t,
		       size_t *ret_bad) __must_check;
int kft_tgids_parse(const char *text, size_t len, struct kft_task_table *t,
		    size_t *ret_bad) __must_check;

/*
 * Whether a line of saved_cmdlines tells all readers: tep_parse_saved_cmdlines() of trace-cmd and
 * KernelShark stops at a name that is empty or blank, and knows none of those behind it.
 */
bool kft_cmdlines_can_say(const char *comm);

#endif
