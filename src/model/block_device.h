/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/meta.h"

/*
 * Names of block devices. Events have a dev_t of 12 and 20 bits only; kft_meta.devices has the text
 * of /proc/partitions at the beginning of the recording: lines "MAJOR MINOR BLOCKS NAME".
 */

/*
 * Appends the name of the device, "vda", or its numbers with the separator between them, "254,0", if the
 * trace has no name for it.
 */
void kft_add_block_device(const struct kft_meta *m, uint64_t dev, char separator,
			  struct kft_strbuf *sb);
