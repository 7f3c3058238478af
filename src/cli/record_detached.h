/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/plan.h>
#include <kft/snapshot.h>

#include "cli/run_session.h"
#include "cli/watch_args.h"

#define CLI_FLIGHT_NAME KFT_FLIGHT_NAME

/* Recordings that continue in the kernel after kft has ended. */
struct cli_detached_what {
	const char *name; /* NULL: CLI_RUN_NAME */
	const struct kft_plan *plan;
	struct kft_detached_keeping keeping;
	const char *snapshot_dir; /* for SIGUSR1 and conditions; NULL: KFT_FLIGHT_DIR */
	const struct cli_watch_args *watch; /* NULL: no conditions */
	bool quiet;
};

/* Creates and starts a session. Returns the exit status. */
int cli_record_detached(struct cli *c, const struct cli_detached_what *what);

/*
 * Appends a line of `kft status` for a session that waits for a
 * module; otherwise nothing.
 */
void cli_detached_add_lacks(const struct kft_detached *d, struct kft_strbuf *sb);

/* Prints the text of `kft status` for a session. 0 or -errno with c->err set. */
int cli_detached_status(struct cli *c, const struct kft_detached *d, const char *name);

/* The events of a session that records, in the kernel and in its file, and the lost ones. */
uint64_t cli_detached_count(const struct kft_session_state *rec,
			    const struct kft_cpu_counts *counts, uint64_t *ret_lost);

/* The cost of its events, in millionths of a CPU; 0: not known. */
uint64_t cli_detached_cost_ppm(const struct kft_run_options *o,
			       const struct kft_cpu_counts *counts);

/*
 * The output of a command that writes the session's events is not the session's own file:
 * they could not be written again. -EEXIST.
 */
int cli_detached_check_output(const struct kft_detached *d, const char *output,
			      struct kft_err *e) __must_check;

/* Prints "FILE: 12 events, nothing lost" for a saved session. */
void cli_detached_saved(struct cli *c, const struct kft_detached *d, const char *file);
