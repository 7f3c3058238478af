/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_ANALYSIS_WHY_H
#define KFT_ANALYSIS_WHY_H

#include "analysis/why_find.h"
#include "analysis/why_path.h"
#include "model/result.h"

/*
 * Why an interval took as long as it did: found (why_find.h), read with what was before it
 * (why_facts.h), cut into what its time was spent on (why_path.h), and put into words here.
 * Names of tasks and symbols of the trace are loaded before.
 */

/* Time spent on one thing. */
struct kft_why_row {
	struct kft_why_segment like; /* the longest of them */
	uint64_t total_ns;
	uint64_t count; /* of pieces that are not next to each other */
};

/* What intervals that are no exception spend their time on, each cause on the average. */
struct kft_why_usual {
	bool is_known;
	uint64_t ns[KFT_WHY_CAUSES];
};

struct kft_why {
	struct kft_trace *trace; /* borrowed */
	struct kft_interval interval; /* kind NULL: a stretch of time */
	uint32_t rank; /* 0: the longest */
	bool of_task; /* its time is that of a task, else of a CPU or a device */
	uint64_t count; /* of such intervals */
	uint64_t median_ns; /* 0: there are too few */
	struct kft_why_facts facts;
	struct kft_why_path path;
	KFT_VEC(struct kft_why_row) rows; /* the longest first */
	uint64_t by_cause[KFT_WHY_CAUSES];
	struct kft_why_usual usual;
	struct kft_interval left_out; /* as in kft_why_found */
	enum kft_why_cause lead; /* what the sentence is about */
	size_t lead_row; /* index into rows */
	uint64_t lead_ns; /* of all rows whose tasks have its name */
	bool lead_is_shared; /* by several tasks */
};

/* Whether two segments are one row: the same thing, on whatever CPU. */
bool kft_why_is_row(const struct kft_why_segment *a, const struct kft_why_segment *b);

int kft_why_find_usual(struct kft_trace *t, const struct kft_why_found *found,
		       struct kft_why_usual *ret, struct kft_err *e) __must_check;

/* One interval of those found. -E2BIG: too many events. -ENOMEM. */
int kft_why_explain(struct kft_trace *t, const struct kft_why_found *found, size_t rank,
		    const struct kft_why_usual *usual, struct kft_why *ret,
		    struct kft_err *e) __must_check;

/* As kft_why_find() where nothing is said: without ticks, where the longest tells nothing. */
int kft_why_find_any(struct kft_trace *t, const struct kft_why_ask *ask,
		     struct kft_why_found *ret, struct kft_err *e) __must_check;

/*
 * As kft_why_find() for a task of which nothing else is said. A wait for what may never come is
 * taken all the same, where it is many times as long as all else and was for work of others;
 * one for anything else is left out, and named.
 */
int kft_why_find_of_task(struct kft_trace *t, const struct kft_why_ask *ask,
			 struct kft_why_found *ret, struct kft_err *e) __must_check;

/* A stretch of time: of a task, or with pid -1 of a CPU. */
int kft_why_explain_time(struct kft_trace *t, const struct kft_why_interval *stretch,
			 struct kft_why *ret, struct kft_err *e) __must_check;
void kft_why_finish(struct kft_why *w);

/*
 * Words (why_words.c, why_sentence.c, why_remarks.c). All that comes from the trace is
 * escaped.
 */
void kft_why_add_task(const struct kft_why *w, int32_t pid, uint64_t ts,
		      struct kft_strbuf *sb);
/* The name of the task that had a pid at ts: the same in all of the answer. */
const char *kft_why_comm(const struct kft_why *w, int32_t pid, uint64_t ts);
void kft_why_add_what(const struct kft_why *w, struct kft_strbuf *sb);
/* What a row's time was spent on, and for whom it was waited. */
void kft_why_add_row(const struct kft_why *w, const struct kft_why_row *row,
		     struct kft_strbuf *sb);
void kft_why_add_chain(const struct kft_why *w, const struct kft_why_row *row,
		       struct kft_strbuf *sb);
void kft_why_add_sentence(const struct kft_why *w, struct kft_strbuf *sb);
/* Why a task reclaims memory: of an interval of this kind and key. */
const char *kft_why_reclaim_reason(uint64_t key);
/* A command that records more, or nothing. */
void kft_why_add_next(const struct kft_why *w, struct kft_strbuf *sb);
/* What else is to be said: each a sentence and a newline. */
void kft_why_add_remarks(const struct kft_why *w, struct kft_strbuf *sb);

/* Adds the answer to a result: why_result.c. */
void kft_why_result(const struct kft_why *w, struct kft_result *ret);

/* What the intervals found were spent on most, grouped by that: why_all.c. */
int kft_why_all(struct kft_trace *t, const struct kft_why_found *found,
		struct kft_result *ret, struct kft_err *e) __must_check;

#endif
