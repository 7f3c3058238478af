/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_SHARE_H
#define KFT_CAPTURE_SHARE_H

#include "capture/backend.h"

/* The part of a plan that one backend carries out. */
struct kft_share {
	const struct kft_backend_ops *ops;
	unsigned int sources; /* KFT_SOURCE_BIT() of those that it took */
	/* The plan with these sources only; it owns nothing. */
	struct kft_plan plan;
};

/*
 * The shares of a plan in the order of their life: the last one leads. It finds the plan's
 * start and stop, and its part of the trace is the main one. The others are opened, armed and
 * started before it and stopped after it, so that they record a little more and not less.
 */
struct kft_shares {
	struct kft_share items[KFT_BACKENDS_MAX];
	size_t n;
};

/*
 * Gives each source of the plan to the first backend of kft_backends that takes it. A source that
 * none takes fails with the reasons of all. Without looking at the kernel. The plan is borrowed.
 */
int kft_shares_of_plan(const struct kft_plan *plan, struct kft_shares *ret,
		       struct kft_err *e) __must_check;

#endif
