/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/analysis.h"
#include "analysis/why/ask.h"

struct kft_why_found {
	KFT_VEC(struct kft_interval) worst; /* the longest first */
	/* These members describe the kind and key of the last element of worst. */
	uint64_t count; /* whole intervals that match the question */
	uint64_t median_ns;
	KFT_VEC(struct kft_interval) usual; /* a sample from the middle fifth by length */
	struct kft_interval left_out; /* a longer wait, not the answer; kind NULL: none */
	bool has_calls; /* the search saw calls of functions */
};

/*
 * A search reads the trace once. It finds the longest intervals that a question may be
 * about, whatever their meaning, and answers for several sets of meanings.
 */
struct kft_why_search;

#define KFT_WHY_MEANING(meaning) ((1U << (meaning)) & ~1U)
#define KFT_WHY_MEANINGS_FIRST \
	(KFT_WHY_MEANING(KFT_WHY_MEANT) | KFT_WHY_MEANING(KFT_WHY_MEANT_TICK))

/* The question is borrowed until the end. -ENOMEM, or an error of the trace. */
int kft_why_search_create(struct kft_trace *t, const struct kft_why_ask *ask,
			  struct kft_why_search **ret, struct kft_err *e) __must_check;
struct kft_why_search *kft_why_search_destroy(struct kft_why_search *s);
KFT_DEFINE_CLEANUP(struct kft_why_search *, kft_why_search_destroy)

/*
 * Finds the longest intervals that have both ends in the trace and no loss in between. If
 * the question names no kind, only the kind and key count that have the longest interval
 * relative to its median (for a task: the longest interval). If nothing is found and the
 * question has no minimum length, those count, too, that are meant last.
 *
 * Returns 0, also if nothing is found (worst is empty then), or a negative errno. The
 * caller calls kft_why_found_finish() after success.
 */
int kft_why_search_answer(const struct kft_why_search *s, unsigned int meanings,
			  struct kft_why_found *ret, struct kft_err *e) __must_check;
void kft_why_found_finish(struct kft_why_found *f);

/* Searches and answers once, for the meanings that come first. */
int kft_why_find(struct kft_trace *t, const struct kft_why_ask *ask,
		 struct kft_why_found *ret, struct kft_err *e) __must_check;

/*
 * Finds the task that has a name in the time from since to until, or at any time if none
 * has it then. Returns 1; 0 if no task or more than one task has the name; a negative
 * errno on failure.
 */
int kft_why_find_named(struct kft_trace *t, const char *comm, uint64_t since,
		       uint64_t until, int32_t *ret_pid) __must_check;
