/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_BUFFER_H
#define KFT_TRACEFS_BUFFER_H

#include "tracefs/control/place.h"

/*
 * How big an instance's buffers are. New instances of the kernel have 1.4 MB for each CPU,
 * which busy CPUs fill in 15 ms.
 */

/*
 * What kft takes for each CPU when nobody says: 32 MB, which a CPU that does nothing but
 * system calls fills in a third of a second; less where all CPUs together would take more
 * than 1/64 of the memory or 2 GB, but never less than the kernel's own. (Measured: a
 * million events a second for 10 s on 2 CPUs with 9 other programs running loses nothing
 * with 32 MB and up to 3 % with 16 MB.)
 */
uint64_t kft_buffer_default_bytes(const struct kft_host *host);

/*
 * Makes the buffer of each CPU at least so big, 0 for the default. -ENOMEM when the
 * machine has not got that much free, which is asked before the kernel is: it would try
 * for minutes. Those that are kept over a reboot stay as they are.
 */
int kft_buffer_set(const struct kft_place *p, uint64_t bytes,
		   struct kft_err *e) __must_check;

#endif
