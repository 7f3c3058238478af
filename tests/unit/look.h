/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_LOOK_H
#define KFT_TESTS_LOOK_H

#include "base/macro.h"

/*
 * The result of reading a trace that is made of the sample's pages (sample.h). Reading asserts
 * that n counts up from 0 on each CPU and that nothing is damaged.
 */
#define LOOK_CPUS 2

struct look {
	uint64_t id; /* trace_id */
	bool unfinished;
	size_t buffers;
	uint32_t events[LOOK_CPUS]; /* of the main buffer */
	uint32_t further[LOOK_CPUS]; /* of the second one */
	size_t losses;
};

struct look look_at(const char *path);

#endif
