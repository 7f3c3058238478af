/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_KEPT_H
#define KFT_TRACEFS_KEPT_H

#include <stdbool.h>

#include "base/macro.h"

/*
 * Instances in memory that a reboot leaves alone (trace_instance=NAME@MEMORY of Linux 6.12 on the
 * kernel's command line). The kernel makes them: they can neither be removed nor resized. What was
 * recorded into one before a crash is there until somebody records into it again.
 */
bool kft_instance_is_kept(int instance_fd);

/* As a new instance is: nothing recorded, enabled or filtered. 0 or -errno. */
int kft_instance_rest(int instance_fd) __must_check;

#endif
