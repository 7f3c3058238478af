/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_RUN_INFO_H
#define KFT_MODEL_RUN_INFO_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "model/meta.h"

/*
 * What is known of the KFT run that a trace is of: what the header of KFT's log says. It
 * is kept in the trace as lines of text (kft_meta.run, docs/formats/trace-dat.md).
 */
enum kft_run_filter {
	KFT_RUN_FILTER_TIME, /* mintime, maxtime */
	KFT_RUN_FILTER_NOINTS,
	KFT_RUN_FILTER_ONLYINTS,
	KFT_RUN_FILTER_FUNCTIONS, /* funclist, exclude */
	KFT_RUN_FILTER_TASKS, /* pid, comm */
	KFT_RUN_FILTER_COUNT,
};

/* Longer than any function's name with what KFT says around it. */
#define KFT_RUN_WORDS_MAX 600

struct kft_run_info {
	bool is_known; /* false: nobody kept it, and what is here was guessed */
	uint64_t id;
	uint64_t start_ns; /* on the clock of the trace's records, as the next one */
	uint64_t stop_ns;
	char started[KFT_RUN_WORDS_MAX]; /* by what: "entry to function do_fork" */
	char stopped[KFT_RUN_WORDS_MAX];
	/* Calls that kft left out for each filter; the kernel counts none of its own. */
	bool has_filter[KFT_RUN_FILTER_COUNT];
	bool in_kernel[KFT_RUN_FILTER_COUNT]; /* it leaves out some of them, or all */
	uint64_t filtered[KFT_RUN_FILTER_COUNT];
	uint64_t not_found; /* exits of calls that were entered before the start */
	/* What the filters ask for; 0: nothing. */
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t n_functions; /* names and patterns in the list */
	uint64_t n_excluded;
	uint64_t n_tasks; /* pids and commands */
	/* Of a watch on stacks: how often it looked, and found one; 0: there was none. */
	uint64_t looks;
	uint64_t stacks;
	uint64_t longest_look_ns; /* between two looks */
	/*
	 * Of a boot: how long the same system calls took while it was traced and without,
	 * when it was saved. 0: not measured.
	 */
	uint64_t traced_ns;
	uint64_t untraced_ns;
};

/* Appends the lines. */
void kft_run_info_format(const struct kft_run_info *info, struct kft_strbuf *sb);

/* When the run recorded: once, or again and again (autorepeat). */
struct kft_run_window {
	uint64_t start_ns; /* on the clock of the trace's records, as the next one */
	uint64_t stop_ns;
};

struct kft_run_windows {
	KFT_VEC(struct kft_run_window) list; /* ascending */
};

/* Appends a window's line, behind those of windows before it. */
void kft_run_window_format(const struct kft_run_window *w, struct kft_strbuf *sb);

/* The windows of a trace; none for one that is not of a run. -EINVAL, -ENOMEM. */
int kft_run_windows_parse(const struct kft_blob *text,
			  struct kft_run_windows *ret) __must_check;
void kft_run_windows_finish(struct kft_run_windows *w);

/* Whether a call was entered in a window, or opened it, and left after its end. */
bool kft_run_windows_cut(const struct kft_run_windows *w, uint64_t entry_ns,
			 uint64_t exit_ns);

/* -EINVAL for what are no such lines; lines of words that are not known are skipped. */
int kft_run_info_parse(const struct kft_blob *text,
		       struct kft_run_info *ret) __must_check;

#endif
