/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "capture/backend.h"

/* The part of a plan that one backend carries out. */
struct kft_share {
	const struct kft_backend_ops *ops;
	unsigned int sources; /* KFT_SOURCE_BIT() of the backend's sources */
	/* The plan with these sources only. It owns nothing; all is borrowed from the plan. */
	struct kft_plan plan;
};

/*
 * The shares of a plan, in the order in which they are opened, armed and started. The last one
 * leads: it detects the plan's start and stop triggers, and its events go to the trace's main
 * buffer. The others start before it and stop after it, so that they record a little longer
 * than the lead, never shorter.
 */
struct kft_shares {
	struct kft_share items[KFT_BACKENDS_MAX];
	size_t n;
};

/*
 * Assigns each source of the plan to the first backend in kft_backends that accepts it. Fails if
 * no backend accepts a source, with the reasons of all of them. A detached session accepts only
 * backends that record without a process. Does not access the kernel. ret borrows from the plan.
 */
int kft_shares_of_plan(const struct kft_plan *plan, bool detached, struct kft_shares *ret,
		       struct kft_err *e) __must_check;
