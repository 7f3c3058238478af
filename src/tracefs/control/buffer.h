/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/control/tracefs_dir.h"

/*
 * The size of an instance's buffers. The kernel gives a new instance 1.4 MB for each CPU,
 * which busy CPUs fill in 15 ms.
 */

/*
 * The default size of each CPU's buffer in bytes: 32 MB, which a CPU that does nothing
 * but system calls fills in a third of a second; less if all CPUs together would take
 * more than 1/64 of the memory or 2 GB, but never less than the kernel's own default.
 * (Measured: a million events a second for 10 s on 2 CPUs with 9 other programs running
 * loses nothing with 32 MB and up to 3 % with 16 MB.)
 */
uint64_t kft_buffer_default_bytes(const struct kft_host *host);

/*
 * Makes the buffer of each CPU at least this large; 0: the default size. -ENOMEM when the
 * machine has less memory available, which is checked first because the kernel would try
 * for minutes. Persistent buffers keep their size.
 */
int kft_buffer_set(const struct kft_tracefs_dir *p, uint64_t bytes,
		   struct kft_err *e) __must_check;
