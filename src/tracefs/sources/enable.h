/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_ENABLE_H
#define KFT_TRACEFS_ENABLE_H

#include "tracefs/sources/events.h"
#include "tracefs/sources/probe_events.h"

/* The events and probes of a plan, for a place that an attached or detached session has. */
struct kft_enable {
	struct kft_event_choices choices; /* empty once enabled */
	struct kft_probe_events probes;
};

/* Finds the events. First of all: a pattern that matches nothing is found before anything is made. */
int kft_enable_resolve(struct kft_host *host, const struct kft_plan *plan,
		       struct kft_enable *ret, struct kft_err *e) __must_check;

/* Enables tasks, events, probes and stacks; recording is off. notify may be NULL. */
int kft_enable_all(struct kft_enable *en, const struct kft_plan *plan,
		   const struct kft_place *p, const struct kft_notify *notify,
		   struct kft_err *e) __must_check;

void kft_enable_finish(struct kft_enable *en);

#endif
