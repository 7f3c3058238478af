/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_SINK_H
#define KFT_MODEL_SINK_H

#include <kft/error.h>

#include "model/meta.h"

/*
 * Where a capture puts what it records. File writers implement it; api/,
 * session/ or cli/ connect the two.
 *
 * Order of calls: begin, cpu_fd and lost any number of times from any drain thread,
 * tasks now and then from the session's thread, end. destroy at any time; without end it
 * leaves what is on disk readable.
 *
 * Errors of lost and tasks (-errno, a full disk say) are no reason to stop recording:
 * both are complete again in end's meta.
 */
struct kft_sink;

struct kft_sink_ops {
	/* Everything known before the first event; meta is borrowed for the call. */
	int (*begin)(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e);
	/*
	 * The file that this CPU's ring-buffer pages are spliced to, at its file position;
	 * borrowed, made when first asked for. Thread safe.
	 */
	int (*cpu_fd)(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e);
	/*
	 * Instead of cpu_fd, for a sink that reads the pages itself, when it wants them: raw_fd
	 * gives one (of meta's page_size) for each read(2), -EAGAIN when there is none now.
	 * Borrowed until the capture is closed; after the end it still gives what is left.
	 */
	int (*take_fd)(struct kft_sink *s, uint32_t cpu, int raw_fd, struct kft_err *e);
	/*
	 * Where the pages of a further buffer of the recording go: *ret has cpu_fd, and lost,
	 * which keeps nothing. Begun; borrowed while the sink lives. NULL: the sink has the
	 * main buffer only.
	 */
	int (*buffer)(struct kft_sink *s, const char *name, struct kft_sink **ret,
		      struct kft_err *e);
	/*
	 * Of such a sink that reads in a thread of its own (NULL otherwise): whether it
	 * cannot go on, from any thread; that recording is off, so that it takes the rest,
	 * and does not touch the descriptors any more when this returns (may come again);
	 * events of a CPU that it has read, after that; and bytes of pages so far.
	 */
	int (*failed)(struct kft_sink *s, struct kft_err *e);
	int (*release)(struct kft_sink *s, struct kft_err *e);
	uint64_t (*events)(const struct kft_sink *s, uint32_t cpu);
	uint64_t (*bytes)(const struct kft_sink *s);
	/* Events were lost on a CPU within a time. Thread safe, cheap, on disk at once. */
	int (*lost)(struct kft_sink *s, const struct kft_lost_range *range);
	/* A newer saved_cmdlines and saved_tgids than begin had. */
	int (*tasks)(struct kft_sink *s, const struct kft_blob *cmdlines,
		     const struct kft_blob *tgids);
	/*
	 * More names of tasks with their times, as decode/task_names.h has them; from one
	 * thread, after each look for them: len is 0 when there are none. May be NULL. What
	 * fails here is complete in end's meta.
	 */
	void (*names)(struct kft_sink *s, const void *records, size_t len);
	/* Recording ended: meta now has everything (tasks, statistics, losses). */
	int (*end)(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e);
	void (*destroy)(struct kft_sink *s);
};

struct kft_sink {
	const struct kft_sink_ops *ops;
};

#endif
