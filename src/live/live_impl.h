/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "live/event.h"
#include "live/live.h"
#include "live/where.h"

/* Shared by the files of live statistics. */

struct kft_live_attachment {
	int program_fd; /* owned, like the next one */
	int link_fd;
};

struct kft_live_kind {
	const struct kft_interval_kind *kind; /* borrowed */
	struct kft_live_where where;
	struct kft_live_maps maps; /* owned but for gate and tasks */
	const struct kft_live_open *open; /* owned mapping of maps.open */
};

struct kft_live {
	struct kft_host *host; /* borrowed */
	struct kft_live_opts opts; /* without the kinds */
	uint32_t n_cpus; /* possible ones: maps per CPU have so many values */
	int gate_fd; /* owned, like tasks_fd */
	int tasks_fd; /* -1: all tasks are counted */
	KFT_VEC(struct kft_live_kind) kinds;
	KFT_VEC(struct kft_live_attachment) attached;
	struct kft_arena arena; /* formats */
	KFT_VEC(struct kft_filter *) filters; /* owned: of events of the user's kinds */
	uint32_t period; /* that is being counted, from 1 on */
	uint64_t begin_ns; /* of that period */
	uint64_t first_ns; /* of the period that ended last */
	uint64_t last_ns;
	struct kft_live_losses read; /* those that kft_live_read() has given */
};

/* Size of the table of open intervals. */
#define KFT_LIVE_OPEN_BYTES (sizeof(struct kft_live_open) << KFT_LIVE_PLACE_BITS)

/* Rows of a kind: kinds of CPUs are never grouped without them. */
static inline unsigned int kft_live_by(const struct kft_live *live,
				       const struct kft_interval_kind *kind)
{
	return live->opts.by | (kind->is_of_cpu ? KFT_INTERVAL_BY_CPU : 0);
}

/* Loads and attaches the programs of a kind, and those that follow tasks. */
int kft_live_attach(struct kft_live *live, const struct kft_live_kind *k,
		    struct kft_err *e) __must_check;
int kft_live_attach_tasks(struct kft_live *live, struct kft_err *e) __must_check;
