/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "capture/notify.h"
#include "tracefs/control/catalog.h"
#include "tracefs/control/tracefs_dir.h"

/*
 * An event that a plan's pattern selects on this kernel. A pattern with a colon is
 * matched against system and event; one without is matched against systems and, if no
 * system matches, against events. Each event is selected once, with the filter of the
 * last pattern that matches it. The tracers' own events (system "ftrace") cannot be
 * enabled and are not listed.
 */
struct kft_event_choice {
	const char *system; /* borrowed from the catalog */
	const char *name;
	size_t pattern; /* index into the plan's events */
};

struct kft_event_choices {
	const struct kft_plan *plan; /* borrowed while in use */
	struct kft_catalog catalog;
	KFT_VEC(struct kft_event_choice) choices;
};

/*
 * Finds the events of the plan's patterns. -ENOENT for a pattern that matches nothing,
 * with the nearest names as its hint.
 */
int kft_event_choices_resolve(struct kft_host *host, const struct kft_plan *plan,
			      struct kft_event_choices *ret,
			      struct kft_err *e) __must_check;

/*
 * Sets the filters and enables the events of an instance. If a pattern selects several
 * events, some may fail, for example because they lack a field of the filter: that is
 * reported, and is an error only if none is left.
 */
int kft_event_choices_enable(const struct kft_event_choices *c,
			     const struct kft_tracefs_dir *p,
			     const struct kft_notify *notify,
			     struct kft_err *e) __must_check;

/* Disables the events; their filters stay. */
int kft_event_choices_disable(const struct kft_event_choices *c,
			      const struct kft_tracefs_dir *p,
			      struct kft_err *e) __must_check;

void kft_event_choices_finish(struct kft_event_choices *c);
