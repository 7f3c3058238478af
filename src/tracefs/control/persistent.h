/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "base/macro.h"

/*
 * Persistent instances: their memory survives a reboot (trace_instance=NAME@MEMORY on the
 * kernel's command line, since Linux 6.12). The kernel makes them, and they can neither
 * be removed nor resized. Events from before a crash stay until the instance records
 * again.
 */
bool kft_instance_is_kept(int instance_fd);

/*
 * Resets a persistent instance to the state of a new one: nothing recorded, enabled or
 * filtered. 0 or -errno.
 */
int kft_instance_rest(int instance_fd) __must_check;
