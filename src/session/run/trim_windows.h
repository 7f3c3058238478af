/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_TRIM_WINDOWS_H
#define KFT_SESSION_RUN_TRIM_WINDOWS_H

#include "session/run/trim.h"
#include "session/run/trim_event.h"

/* No window is longer. */
struct kft_trim_limit {
	uint64_t ns; /* the first CPU's buffer was full, or the log had its calls */
	enum kft_run_cause cause;
};

/* The times that a run was on, found while its records are read in their order. */
struct kft_trim_windows {
	const struct kft_plan *plan; /* borrowed */
	struct kft_trim *trim; /* borrowed: has the windows */
	struct kft_trim_limit limit;
	bool is_open; /* within a window, which is the last one */
	bool is_over; /* no other comes */
	bool is_paused;
	struct kft_trim_window resumed; /* the window as it was before the pause */
};

/* The last one; there is one. */
static inline struct kft_trim_window *kft_trim_windows_last(struct kft_trim_windows *w)
{
	return &w->trim->windows.data[w->trim->windows.len - 1];
}

/* Behind the limit none opens. -ENOMEM. */
int kft_trim_windows_open(struct kft_trim_windows *w, uint64_t start_ns,
			  enum kft_run_cause cause) __must_check;

/* One whose end is known, unless the limit comes before. -ENOMEM. */
int kft_trim_windows_open_given(struct kft_trim_windows *w,
				struct kft_trim_window given) __must_check;

/* For a run whose start is not among the records, at the first of them. -ENOMEM. */
int kft_trim_windows_open_without_start(struct kft_trim_windows *w,
					const struct kft_run_record *rec,
					uint64_t first_ns) __must_check;

void kft_trim_windows_close(struct kft_trim_windows *w, uint64_t stop_ns,
			    enum kft_run_cause cause);

/* A time passes; true: the window's end had come without any mark. */
bool kft_trim_windows_pass(struct kft_trim_windows *w, uint64_t ts);

/* What kft noted at a time. -ENOMEM. */
int kft_trim_windows_mark(struct kft_trim_windows *w, uint64_t ts,
			  const struct kft_trim_mark *mark) __must_check;

#endif
