/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/why/find.h"
#include "analysis/why/path.h"
#include "base/intern.h"
#include "model/result.h"

/*
 * Explains the duration of an interval. why/find.h finds the interval, why/facts.h reads
 * the trace around it, and why/path.h cuts it into segments with one cause each. The
 * functions here add the segments up and describe them in words. The caller loads the
 * names of tasks and the symbols of the trace first.
 */

/* The segments of an interval that have the same cause and details, added up. */
struct kft_why_row {
	struct kft_why_segment like; /* the longest of the segments */
	uint64_t total_ns;
	uint64_t count; /* number of segments */
	/* These are about the programs that had the CPU while a command waited for it. */
	uint32_t n_behind; /* number of programs; 0: the row is no such wait */
	uint32_t most_behind; /* name of the one that had it for most of the time */
	uint64_t most_behind_ns;
};

/* The tasks of one name that a command's time leads to. */
struct kft_why_program {
	uint32_t name; /* number in kft_why_programs.names */
	int32_t pid; /* of its first task */
	bool is_shared; /* other tasks have that name, too */
	uint32_t n_tasks; /* number of those that own time; 0: it is only mentioned */
	uint64_t total_ns;
	uint64_t by_class[KFT_WHY_CLASSES]; /* add up to total_ns */
};

/* The owners of a command's time. The totals add up to its interval. */
struct kft_why_programs {
	struct kft_intern names;
	KFT_VEC(struct kft_why_program) list; /* by number of the name */
};

/* The average time in ns that each cause takes in ordinary intervals of the same kind and key. */
struct kft_why_usual {
	bool is_known;
	uint64_t ns[KFT_WHY_CAUSES];
};

/* Time of tasks of one name that run in one context, such as a system call or user mode. */
struct kft_why_running {
	bool faults; /* in page faults, one after the other */
	enum kft_why_mode mode;
	uint64_t what; /* as in struct kft_why_segment */
	uint32_t comm; /* number in names */
	uint64_t total_ns;
	uint64_t samples; /* in that time */
	uint64_t weight; /* of these samples */
};

/* A function in which they ran, as samples show. */
struct kft_why_function {
	uint32_t running; /* index into runnings */
	uint32_t name; /* number in names */
	uint64_t samples; /* in that function itself */
	uint64_t weight;
	uint64_t ns; /* estimate: its share in the total of the running time */
};

/*
 * The running time of an interval by function. The time of functions and unsplit_ns add up to all
 * the time that tasks ran.
 */
struct kft_why_functions {
	KFT_VEC(struct kft_why_running) runnings;
	KFT_VEC(struct kft_why_function) list; /* sorted, the most time first */
	uint64_t unsplit_ns; /* with too few samples */
	uint64_t samples; /* in all of the running time */
	struct kft_intern names;
};

struct kft_why {
	struct kft_trace *trace; /* borrowed */
	struct kft_interval interval; /* kind NULL: a range of time */
	uint32_t rank; /* index into found->worst; 0: the longest */
	/*
	 * That time is the run of the recorded command: rows and words are about programs,
	 * with pids only where a program has one task.
	 */
	bool is_command;
	bool of_task; /* the time is a task's; otherwise a CPU's or a device's */
	uint64_t count; /* number of whole intervals that match the question */
	uint64_t median_ns; /* 0: too few intervals */
	struct kft_why_facts facts;
	struct kft_why_path path;
	KFT_VEC(struct kft_why_row) rows; /* sorted, the largest total first */
	uint64_t by_cause[KFT_WHY_CAUSES];
	struct kft_why_programs programs; /* of a command */
	struct kft_why_functions functions;
	struct kft_why_usual usual;
	struct kft_interval left_out; /* see struct kft_why_found */
	enum kft_why_cause lead; /* the cause that the sentence names */
	size_t lead_row; /* index into rows */
	/* total of lead_row and of the lead's other rows behind tasks of the same name */
	uint64_t lead_ns;
	bool lead_is_shared; /* several tasks have that name */
};

/*
 * Adds up the segments of w->path: of the same cause and details, on any CPU, and for a command of tasks
 * with the same names (why/rows.c). -ENOMEM. kft_why_finish() frees the rows in any case.
 */
int kft_why_add_up(struct kft_why *w) __must_check;
void kft_why_programs_finish(struct kft_why_programs *p);

/* found->worst.data[rank] is to be explained, and compared with the ordinary intervals. */
struct kft_why_target {
	const struct kft_why_found *found; /* borrowed for the call */
	size_t rank;
	/* Only the times of its causes are needed: they are put into `usual`. */
	bool only_causes;
};

#define KFT_WHY_TARGETS_MAX 3

/*
 * Explains up to KFT_WHY_TARGETS_MAX intervals, and reads the trace around them and around
 * the ordinary intervals once. Fails with -E2BIG (too many events), -ENOMEM, or an error of
 * the trace. The caller calls kft_why_finish() for each of ret[] after success.
 */
int kft_why_explain(struct kft_trace *t, const struct kft_why_target *targets, size_t n,
		    struct kft_why *ret, struct kft_err *e) __must_check;

/* Gets an explanation, which ends with the call. 0, or -errno to stop. */
typedef int kft_why_fn(void *arg, struct kft_why *w);

/*
 * Explains each of found->worst, in the order of the times at which they begin. Neighbours
 * are read together. Errors are those of kft_why_explain().
 */
int kft_why_explain_each(struct kft_trace *t, const struct kft_why_found *found,
			 const struct kft_why_usual *usual, kft_why_fn *take, void *arg,
			 struct kft_err *e) __must_check;

/*
 * Finds the interval that is the answer to a question, and explains it; the trace is read
 * twice. *ret is valid if found->worst has more than `rank` elements.
 *
 * For a question that names neither a kind nor a time, the answer is chosen:
 *
 * A late tick that cannot be explained is not the answer if there is another one.
 *
 * If the question names a task, a call that waits for an event that may never come (read,
 * poll, futex) is the answer if it took more than four times as long as everything else,
 * and if everything else is shorter than KFT_WHY_NOTICED_NS or most of the wait was work of
 * others. Such a call is otherwise put into left_out.
 *
 * Errors are those of kft_why_explain().
 */
int kft_why_answer(struct kft_trace *t, const struct kft_why_ask *ask, size_t rank,
		   struct kft_why_found *found, struct kft_why *ret,
		   struct kft_err *e) __must_check;

/*
 * Explains the interval of a command's tasks that is furthest from its usual duration. *ret is valid if
 * the result is 1; 0: none took KFT_WHY_NOTICED_NS. Other errors are those of kft_why_explain().
 */
int kft_why_strangest_of(struct kft_trace *t, const struct kft_why_command *command,
			 struct kft_why *ret, struct kft_err *e) __must_check;

/*
 * Explains a range of time of a task, or of a CPU if stretch->pid is -1. Errors and
 * ownership are those of kft_why_explain().
 */
int kft_why_explain_time(struct kft_trace *t, const struct kft_why_interval *stretch,
			 struct kft_why *ret, struct kft_err *e) __must_check;
void kft_why_finish(struct kft_why *w);

/*
 * Explains a range of time of a task by facts that were read before, and splits its own running time
 * only. The facts stay the caller's: it sets ret->facts to zero before kft_why_finish(). -ENOMEM.
 */
int kft_why_explain_task(const struct kft_why_facts *facts,
			 const struct kft_why_interval *stretch,
			 struct kft_why *ret) __must_check;

/*
 * Splits the running time of all tasks, or of the explained one only, by function, if the trace has
 * samples (why/functions.c). Fails with -ENOMEM. kft_why_finish() frees w->functions in any case.
 */
int kft_why_split_running(struct kft_why *w, bool only_own) __must_check;

/* Whether the explained task itself runs in a segment. */
bool kft_why_is_own_run(const struct kft_why *w, const struct kft_why_segment *segment);

/* The running time that a segment is part of; NULL: no task runs, or the trace has no samples. */
const struct kft_why_running *kft_why_running_of(const struct kft_why *w,
						 const struct kft_why_segment *segment);

/* The function that has most of that time; NULL: it has too few samples. */
const struct kft_why_function *
kft_why_top_function(const struct kft_why *w, const struct kft_why_running *running);

/* Text output (why/words.c, why/sentence.c, why/notes.c). Strings from the trace are escaped. */
void kft_why_add_task(const struct kft_why *w, int32_t pid, uint64_t ts,
		      struct kft_strbuf *sb);
/*
 * The name that the task with this pid at ts had for most of the interval; of a task that is still to be
 * created then, as another task may have had the pid before.
 */
const char *kft_why_comm(const struct kft_why *w, int32_t pid, uint64_t ts);
void kft_why_add_what(const struct kft_why *w, struct kft_strbuf *sb);
/* Append the context of a task, such as " in read"; nothing if it is unknown. */
void kft_why_add_mode(const struct kft_why *w, enum kft_why_mode mode, uint64_t what,
		      struct kft_strbuf *sb);
/* Append the reason of a row, and the blocking chain that leads to it. */
void kft_why_add_row(const struct kft_why *w, const struct kft_why_row *row,
		     struct kft_strbuf *sb);
void kft_why_add_chain(const struct kft_why *w, const struct kft_why_row *row,
		       struct kft_strbuf *sb);
void kft_why_add_sentence(const struct kft_why *w, struct kft_strbuf *sb);
/* The reason why a task reclaims memory; key is the key of a reclaim interval. */
const char *kft_why_reclaim_reason(uint64_t key);
/* Appends a command that records missing details, or nothing if there is none. */
void kft_why_add_next(const struct kft_why *w, struct kft_strbuf *sb);
/* Appends remarks, one sentence and a newline each. */
void kft_why_add_remarks(const struct kft_why *w, struct kft_strbuf *sb);

/* Adds the answer to a result (why/result.c). */
void kft_why_result(const struct kft_why *w, struct kft_result *ret);

/* Adds the explanation of the strangest interval of a command's tasks to the answer about the command. */
void kft_why_result_strangest(const struct kft_why *w, struct kft_result *ret);

/* Explains all intervals that were found, at least one, and groups them by reason (why/all.c). */
int kft_why_all(struct kft_trace *t, const struct kft_why_found *found,
		struct kft_result *ret, struct kft_err *e) __must_check;
