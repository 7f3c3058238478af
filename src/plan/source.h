/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

/*
 * The parts of a plan that record on their own, so that different mechanisms of the kernel
 * can carry them out. Everything else in a plan (tasks, clock, buffers, start and stop)
 * holds for all of them.
 */
enum kft_source {
	KFT_SOURCE_EVENTS,
	KFT_SOURCE_PROBES,
	KFT_SOURCE_FUNCTIONS,
	KFT_SOURCE_ENTRIES, /* entries of functions beside calls */
	KFT_SOURCE_INTERVALS,
	KFT_SOURCE_SAMPLES,
	KFT_SOURCE_COUNT,
};

#define KFT_SOURCE_BIT(source) (1U << (source))

/* For messages, in the plural. */
const char *kft_source_name(enum kft_source source);

/* The sources that a plan has, as bits. */
unsigned int kft_plan_sources(const struct kft_plan *plan);

/* The plan with these sources only. It owns nothing: the plan has to live as long. */
struct kft_plan kft_plan_part(const struct kft_plan *plan, unsigned int sources);
