/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/sources/events.h"
#include "tracefs/sources/probe_events.h"

/* The events and probes of a plan, for an attached or a detached session. */
struct kft_enable {
	struct kft_event_choices choices; /* empty once enabled */
	struct kft_probe_events probes;
};

/*
 * Finds the events. Call it first, so that a pattern that matches nothing fails before
 * anything is made.
 */
int kft_enable_resolve(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_enable *ret, struct kft_err *e) __must_check;

/*
 * Limits the events to the plan's tasks and enables events, probes and stacks, while
 * recording is off. notify may be NULL.
 */
int kft_enable_all(struct kft_enable *en, const struct kft_plan *plan,
		   const struct kft_tracefs_dir *p, const struct kft_notify *notify,
		   struct kft_err *e) __must_check;

void kft_enable_finish(struct kft_enable *en);
