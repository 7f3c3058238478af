// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of KPTrace's records. */
#include "file/kpt/records.h"

#include <string.h>

const struct kft_kpt_record *kft_kpt_find(const char *code, size_t len)
{
	size_t i = 0;

	while (i + 1 < kft_kpt_n_records &&
	       (strlen(kft_kpt_records[i].code) != len ||
		memcmp(kft_kpt_records[i].code, code, len) != 0))
		i++;
	return &kft_kpt_records[i];
}

uint16_t kft_kpt_id(const struct kft_kpt_record *r)
{
	/* Both codes for marks have one class. */
	if (r->special == KFT_KPT_MARK)
		r = kft_kpt_find("K", 1);
	return (uint16_t)(KFT_KPT_FIRST_ID + (r - kft_kpt_records));
}

const char *const kft_kpt_call_prefixes[] = {"sys_",	     "SyS_",	     "__x64_sys_",
					     "__arm64_sys_", "__s390x_sys_", "__se_sys_",
					     "compat_sys_",  "do_",	     NULL};

const char *const kft_kpt_softirqs[KFT_KPT_VECTORS] = {
	"tasklet_hi_action", "run_timer_softirq",     "net_tx_action",
	"net_rx_action",     "blk_done_softirq",      "irq_poll_softirq",
	"tasklet_action",    "run_rebalance_domains", "hrtimer_run_softirq",
	"rcu_core_si",
};

int kft_kpt_vector(const char *function, size_t len)
{
	for (int i = 0; i < KFT_KPT_VECTORS; i++)
		if (strlen(kft_kpt_softirqs[i]) == len &&
		    memcmp(kft_kpt_softirqs[i], function, len) == 0)
			return i;
	return -1;
}
