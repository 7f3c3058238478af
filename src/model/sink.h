/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "model/meta.h"

/*
 * The destination of a capture's records. File writers implement it; api/, session/ or
 * cli/ connect the two.
 *
 * Order of calls: begin; cpu_fd and lost any number of times from any drain thread, tasks
 * now and then from the session's thread; end. destroy at any time; without end it leaves
 * the files on disk readable.
 *
 * Errors of lost and tasks (-errno, for example a full disk) do not stop the recording:
 * end's meta has all losses and all tasks.
 */
struct kft_sink;

/* The pages of a further buffer. */
struct kft_buffer_shape {
	uint32_t page_size; /* in bytes; 0: as the main buffer's */
	uint32_t cpu_count; /* 0: as the main buffer's */
};

struct kft_sink_ops {
	/*
	 * Called with all metadata known before the first event; meta
	 * is borrowed for the call.
	 */
	int (*begin)(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e);
	/*
	 * The file that this CPU's ring-buffer pages are spliced to, at its file
	 * position; borrowed, created on first use. Thread safe.
	 */
	int (*cpu_fd)(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e);
	/*
	 * Called instead of cpu_fd for a sink that reads the pages itself: each read(2)
	 * of raw_fd returns one page (of meta's page_size), or -EAGAIN when there is none
	 * now. raw_fd is borrowed until the capture is closed; after the end of the
	 * recording the remaining pages can still be read.
	 */
	int (*take_fd)(struct kft_sink *s, uint32_t cpu, int raw_fd, struct kft_err *e);
	/*
	 * Creates the sink for a further buffer of the recording: *ret has cpu_fd, and
	 * lost, which does nothing. *ret is begun already, and borrowed while the sink lives.
	 * The sink borrows the name for as long. NULL: the sink supports the main buffer only.
	 */
	int (*buffer)(struct kft_sink *s, const char *name,
		      const struct kft_buffer_shape *shape, struct kft_sink **ret,
		      struct kft_err *e);
	/*
	 * For a sink with take_fd and a thread that reads (NULL otherwise).
	 * failed: whether it cannot go on; any thread may call it.
	 * release: recording is off; reads the remaining pages, and does not use the
	 * descriptors any more after it returns. May be called again.
	 * events: events of a CPU that it has read, valid after release.
	 * bytes: bytes of pages read so far.
	 */
	int (*failed)(struct kft_sink *s, struct kft_err *e);
	int (*release)(struct kft_sink *s, struct kft_err *e);
	uint64_t (*events)(const struct kft_sink *s, uint32_t cpu);
	uint64_t (*bytes)(const struct kft_sink *s);
	/*
	 * Events were lost on a CPU within a range of time. Thread
	 * safe, fast, on disk at once.
	 */
	int (*lost)(struct kft_sink *s, const struct kft_lost_range *range);
	/* Called with saved_cmdlines and saved_tgids that are newer than those of begin. */
	int (*tasks)(struct kft_sink *s, const struct kft_blob *cmdlines,
		     const struct kft_blob *tgids);
	/*
	 * Task names with their times, in the format of decode/task_names.h; called by
	 * one thread after each search for names: len is 0 when it found none. May be
	 * NULL. Errors are ignored, as end's meta has all names.
	 */
	void (*names)(struct kft_sink *s, const void *records, size_t len);
	/*
	 * Called with the symbols of modules that were loaded since begin, in the format of
	 * decode/module_symbols.h: all of them each time. May be NULL. The end's meta has
	 * them among all symbols.
	 */
	int (*modules)(struct kft_sink *s, const char *blocks, size_t len);
	/* Recording ended: meta is complete now (tasks, statistics, losses). */
	int (*end)(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e);
	void (*destroy)(struct kft_sink *s);
};

struct kft_sink {
	const struct kft_sink_ops *ops;
};
