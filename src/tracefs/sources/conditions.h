/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "tracefs/control/tracefs_dir.h"

enum kft_phase {
	KFT_PHASE_WAITING, /* waits for the start */
	KFT_PHASE_ON,
	KFT_PHASE_OVER, /* the stop has come */
};

/*
 * Carries out the start and the stop of an attached session. Those at functions and
 * events are triggers in the kernel (tracefs/sources/probes.h), which are polled to learn
 * that they fired; times are handled here.
 */
struct kft_conditions {
	const struct kft_tracefs_dir *place; /* borrowed */
	const char *session; /* borrowed: name of the session */
	struct kft_plan plan; /* only the start and the stop; owned */
	bool only_tasks; /* the plan chooses tasks: only these trigger the start */
	enum kft_phase phase;
	uint64_t on_ns; /* when recording was first known to be on, on CLOCK_MONOTONIC */
};

/*
 * Makes the events and triggers that the kernel needs, noted in the place's ledger.
 * Nothing is recorded yet.
 */
int kft_conditions_prepare(struct kft_conditions *c, const struct kft_tracefs_dir *place,
			   const char *session, const struct kft_plan *plan,
			   struct kft_err *e) __must_check;

/* Switches recording on, or begins to wait for the start. */
int kft_conditions_start(struct kft_conditions *c, struct kft_err *e) __must_check;

/* Call often: carries out a start or stop that is due, and returns the phase. */
enum kft_phase kft_conditions_look(struct kft_conditions *c);

void kft_conditions_finish(struct kft_conditions *c);
