/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "analysis/cut/cut.h"
#include "analysis/cut/record.h"

/* No window is longer. */
struct kft_cut_limit {
	uint64_t ns; /* the first CPU's buffer was full, or the log had its calls */
	enum kft_run_cause cause;
};

/* The times that a run was on, found while its records are read in their order. */
struct kft_cut_windows {
	const struct kft_plan *plan; /* borrowed */
	struct kft_cut *cut; /* borrowed: has the windows */
	struct kft_cut_limit limit;
	bool is_open; /* within a window, which is the last one */
	bool is_over; /* no other comes */
	bool is_paused;
	struct kft_cut_window resumed; /* the window as it was before the pause */
};

/* The last one; there is one. */
static inline struct kft_cut_window *kft_cut_windows_last(struct kft_cut_windows *w)
{
	return &w->cut->windows.data[w->cut->windows.len - 1];
}

/* After the limit it opens no window. -ENOMEM. */
int kft_cut_windows_open(struct kft_cut_windows *w, uint64_t start_ns,
			 enum kft_run_cause cause) __must_check;

/* Opens a window with a known end, which the limit may bring forward. -ENOMEM. */
int kft_cut_windows_open_given(struct kft_cut_windows *w,
			       struct kft_cut_window given) __must_check;

/* Opens a window at the first record if the start left no record. -ENOMEM. */
int kft_cut_windows_open_without_start(struct kft_cut_windows *w,
				       const struct kft_cut_opts *opts,
				       uint64_t first_ns) __must_check;

void kft_cut_windows_close(struct kft_cut_windows *w, uint64_t stop_ns,
			   enum kft_run_cause cause);

/* A time passes; true: the window's end had come without any mark. */
bool kft_cut_windows_pass(struct kft_cut_windows *w, uint64_t ts);

/* Takes a text of kft into account. -ENOMEM. */
int kft_cut_windows_mark(struct kft_cut_windows *w, uint64_t ts,
			 const struct kft_cut_mark *mark) __must_check;
