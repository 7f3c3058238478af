/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_CONDITIONS_H
#define KFT_TRACEFS_CONDITIONS_H

#include <kft/plan.h>

#include "tracefs/control/place.h"

enum kft_phase {
	KFT_PHASE_WAITING, /* for the start */
	KFT_PHASE_ON,
	KFT_PHASE_OVER, /* the stop came */
};

/*
 * When an attached session records: its plan's start and stop. The kernel carries out those
 * at functions and events (tracefs/sources/probes.h), and is looked at to learn that it did;
 * times are kept here.
 */
struct kft_conditions {
	const struct kft_place *place; /* borrowed */
	const char *session; /* borrowed: whose triggers these are */
	struct kft_plan plan; /* its triggers only; owned */
	bool only_tasks; /* the plan chooses tasks: conditions are theirs */
	enum kft_phase phase;
	uint64_t on_ns; /* when recording was first known to be on */
};

/* Makes what the kernel needs; the place's ledger notes it. Nothing is recorded yet. */
int kft_conditions_prepare(struct kft_conditions *c, const struct kft_place *place,
			   const char *session, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;

/* Recording is on then, or waits. */
int kft_conditions_start(struct kft_conditions *c, struct kft_err *e) __must_check;

/* To be called often: carries out what is due, and returns the phase. */
enum kft_phase kft_conditions_look(struct kft_conditions *c);

void kft_conditions_finish(struct kft_conditions *c);

#endif
