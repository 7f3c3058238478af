/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DOCTOR_MEANS_H
#define KFT_DOCTOR_MEANS_H

#include <kft/plan.h>

#include "base/vec.h"
#include "doctor/doctor.h"

/*
 * How a plan is carried out: for each thing that it asks for what does it, what that costs, and
 * the mechanism whose row in doctor's table says whether this kernel can, and what is lost
 * where it cannot.
 */
struct kft_means {
	const char *source; /* "event", "calls", "start", ...: static, for programs */
	char *what; /* in the words of the plan; owned */
	const char *by; /* static */
	const char *cost; /* static */
	const char *mechanism; /* static: the id of its row; NULL: kft does it itself */
};

struct kft_means_list {
	KFT_VEC(struct kft_means) items;
};

/* -ENOMEM. The list is to be finished in any case. */
int kft_means_of_plan(const struct kft_plan *plan,
		      struct kft_means_list *ret) __must_check;
void kft_means_finish(struct kft_means_list *list);

/*
 * The rows of doctor's table that the lists need, and those that have to be tried before, in
 * the table's order: to be tried with kft_doctor_run(). *ret is the caller's to free.
 */
int kft_means_mechanisms(const struct kft_means_list *list, struct kft_mechanism **ret,
			 size_t *ret_n) __must_check;

#endif
