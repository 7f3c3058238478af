/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "base/vec.h"
#include "model/meta.h"

/*
 * Facts about the KFT run of a trace, which become the header of KFT's log. They are
 * stored in the trace as lines of text (kft_meta.run, docs/formats/trace-dat.md).
 */
enum kft_run_filter {
	KFT_RUN_FILTER_TIME, /* mintime, maxtime */
	KFT_RUN_FILTER_NOINTS,
	KFT_RUN_FILTER_ONLYINTS,
	KFT_RUN_FILTER_FUNCTIONS, /* funclist, exclude */
	KFT_RUN_FILTER_TASKS, /* pid, comm */
	KFT_RUN_FILTER_COUNT,
};

/* Bytes of a text, enough for the longest function name and KFT's words around it. */
#define KFT_RUN_WORDS_MAX 600

struct kft_run_info {
	/* False: the trace has no such facts, and the members are guesses. */
	bool is_known;
	uint64_t id;
	uint64_t start_ns; /* on the clock of the trace's records, like stop_ns */
	uint64_t stop_ns;
	/* Cause of the start: "entry to function do_fork". */
	char started[KFT_RUN_WORDS_MAX];
	char stopped[KFT_RUN_WORDS_MAX];
	/*
	 * Number of calls that kft dropped for each filter; the kernel does not
	 * count those that it drops.
	 */
	bool has_filter[KFT_RUN_FILTER_COUNT];
	/* The kernel applies the filter to some or all calls. */
	bool in_kernel[KFT_RUN_FILTER_COUNT];
	uint64_t filtered[KFT_RUN_FILTER_COUNT];
	/* Number of exits of calls that were entered before the start. */
	uint64_t not_found;
	/* Limits of the time filter; 0: none. */
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t n_functions; /* number of names and patterns in funclist */
	uint64_t n_excluded;
	uint64_t n_tasks; /* number of pids and commands */
	/*
	 * For a watch on stacks: how often it looked, and how often it
	 * found a stack; 0: no watch.
	 */
	uint64_t looks;
	uint64_t stacks;
	uint64_t longest_look_ns; /* maximum time between two looks */
	/*
	 * For a boot: durations of the same system calls during the traced boot and
	 * without tracing, when the boot was saved. 0: not measured.
	 */
	uint64_t traced_ns;
	uint64_t untraced_ns;
};

/* Appends the lines for info. */
void kft_run_info_format(const struct kft_run_info *info, struct kft_strbuf *sb);

/* A time in which the run recorded: one, or several with autorepeat. */
struct kft_run_window {
	uint64_t start_ns; /* on the clock of the trace's records, like stop_ns */
	uint64_t stop_ns;
};

struct kft_run_windows {
	KFT_VEC(struct kft_run_window) list; /* ascending */
};

/* Appends the line of a window, after those of earlier windows. */
void kft_run_window_format(const struct kft_run_window *w, struct kft_strbuf *sb);

/* Parses the windows of a trace; none if the trace has no run. -EINVAL, -ENOMEM. */
int kft_run_windows_parse(const struct kft_blob *text,
			  struct kft_run_windows *ret) __must_check;
void kft_run_windows_finish(struct kft_run_windows *w);

/*
 * Whether the end of a window cut the call: it was entered in the window, or opened it,
 * and left after the window's end.
 */
bool kft_run_windows_cut(const struct kft_run_windows *w, uint64_t entry_ns,
			 uint64_t exit_ns);

/* Parses the lines. -EINVAL for malformed ones; lines with unknown words are skipped. */
int kft_run_info_parse(const struct kft_blob *text,
		       struct kft_run_info *ret) __must_check;
