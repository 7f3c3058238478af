/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reasons why a task reclaims memory: keys of the kind reclaim. */
enum kft_reclaim {
	KFT_RECLAIM_DIRECT, /* little memory is free */
	KFT_RECLAIM_OF_CGROUP, /* a cgroup is at its limit */
};
