/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_RECLAIM_H
#define KFT_DERIVE_RECLAIM_H

/* Reasons why a task reclaims memory: keys of the kind reclaim. */
enum kft_reclaim {
	KFT_RECLAIM_DIRECT, /* little memory is free */
	KFT_RECLAIM_OF_CGROUP, /* a cgroup is at its limit */
};

#endif
