// SPDX-License-Identifier: LGPL-2.1-or-later
/* Helpers for backends that record without a process. */
#include "capture/detached.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"

void kft_probes_group(const char *run_name, char ret[KFT_PROBE_GROUP_MAX])
{
	uint32_t hash = (uint32_t)kft_hash_bytes(run_name, strlen(run_name));

	(void)snprintf(ret, KFT_PROBE_GROUP_MAX, "kft_%08" PRIx32, hash);
}

void kft_cpu_counts_add(struct kft_cpu_counts *sum, const struct kft_cpu_counts *one)
{
	sum->entries += one->entries;
	sum->overrun += one->overrun;
	sum->commit_overrun += one->commit_overrun;
	sum->dropped += one->dropped;
	sum->read += one->read;
	sum->bytes += one->bytes;
	if (one->entries && (!sum->oldest || one->oldest < sum->oldest))
		sum->oldest = one->oldest;
	sum->now = KFT_MAX(sum->now, one->now);
}
