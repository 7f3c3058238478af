/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/vec.h"
#include "doctor/doctor.h"

/*
 * Lists how a plan is carried out: for each of its sources the mechanism, its cost,
 * and the row in doctor's table that shows whether this kernel supports it and which
 * features are lost otherwise.
 */
struct kft_means {
	/* type of source, for programs: "event", "calls", "start", ...; static */
	const char *source;
	char *what; /* the source in the words of the plan; owned */
	const char *by; /* static */
	const char *cost; /* static */
	const char *mechanism; /* id of its row; static; NULL: done by kft itself */
};

struct kft_means_list {
	KFT_VEC(struct kft_means) items;
};

/* -ENOMEM. The caller finishes the list in any case. */
int kft_means_of_plan(const struct kft_plan *plan,
		      struct kft_means_list *ret) __must_check;
void kft_means_finish(struct kft_means_list *list);

/*
 * The rows of doctor's table that the list needs, with those that must be tried before
 * them, in the table's order, for kft_doctor_run(). The caller frees *ret.
 */
int kft_means_mechanisms(const struct kft_means_list *list, struct kft_mechanism **ret,
			 size_t *ret_n) __must_check;
