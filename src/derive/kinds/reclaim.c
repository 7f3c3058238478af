// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tasks that have to reclaim memory before they get some. */
#include "derive/kinds/kinds.h"
#include "derive/engine/nested_pairs.h"
#include "derive/kinds/reclaim.h"

static void name_of(struct kft_trace *t, uint64_t key, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, key == KFT_RECLAIM_OF_CGROUP ? "cgroup" : "direct");
}

static const struct kft_kind_event events[] = {
	{"vmscan", "mm_vmscan_direct_reclaim_begin", .role = KFT_KIND_BEGINS,
	 .key = KFT_RECLAIM_DIRECT},
	{"vmscan", "mm_vmscan_direct_reclaim_end", .role = KFT_KIND_ENDS,
	 .key = KFT_RECLAIM_DIRECT},
	{"vmscan", "mm_vmscan_memcg_reclaim_begin", .role = KFT_KIND_BEGINS,
	 .key = KFT_RECLAIM_OF_CGROUP},
	{"vmscan", "mm_vmscan_memcg_reclaim_end", .role = KFT_KIND_ENDS,
	 .key = KFT_RECLAIM_OF_CGROUP},
	{},
};

const struct kft_interval_kind kft_kind_reclaim = {
	.name = "reclaim",
	.about = "making memory free: direct, or for the limit of a cgroup",
	.key = "reclaim",
	.events = events,
	.pairs = {.has_constant_id = true, .by_task = true},
	.key_name = name_of,
	.create = kft_nested_pairs_create,
	.feed = kft_nested_pairs_by_task,
	.flush = kft_nested_pairs_flush,
	.destroy = kft_nested_pairs_destroy,
};
