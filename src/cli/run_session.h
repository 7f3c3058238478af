/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RUN_SESSION_H
#define KFT_CLI_RUN_SESSION_H

#include "capture/run/run.h"
#include "capture/run/trim.h"
#include "cli/verb.h"
#include "config/run.h"

/* What verbs of KFT runs share. A session is a run and has its name. */
#define CLI_RUN_NAME "kft" /* when none is given */

#define CLI_RUN_NAME_OPT(var)                                                  \
	{                                                                      \
		'n', "name", "NAME", "name of the session (" CLI_RUN_NAME ")", \
			KFT_OPT_STRING, &(var)                                 \
	}

/* An open run, with the lock that this means, and what it is to do. */
struct cli_run {
	struct kft_host *host; /* owned */
	struct kft_run run;
	bool is_open;
	struct kft_config config;
	struct kft_plan plan;
};

/* The session by its name. On failure nothing is open. All return 0 or -errno, c->err set. */
int cli_run_open(struct cli *c, const char *name, struct cli_run *ret) __must_check;
void cli_run_close(struct cli_run *r);

/* Opens the session, takes the step (0 or -errno), closes it. Returns the exit status. */
int cli_run_step(struct cli *c, const char *name,
		 int (*step)(struct cli *c, struct cli_run *r)) __must_check;

/*
 * Checks a configuration file (what is wrong with it is printed), and loads run `index`
 * of it; ret is open then. *ret_count says how many runs it has.
 */
int cli_run_load(struct cli *c, const char *name, const char *path, size_t index,
		 uint64_t buffer_bytes, struct cli_run *ret,
		 size_t *ret_count) __must_check;

/*
 * Looks how far the run is; takes its records out of the kernel when it is complete, and
 * gives the kernel back.
 */
int cli_run_tend(struct cli *c, struct cli_run *r) __must_check;

/* For kft_run_keep(): counts the calls of a run whose count_due is set. */
int cli_run_count(void *unused, struct kft_run *run, const struct kft_plan *plan,
		  struct kft_err *e) __must_check;

/*
 * What the run recorded, judged. -EINVAL when it is not complete. *ret_trace and *ret_trim
 * are the caller's.
 */
int cli_run_result(struct cli *c, struct cli_run *r, struct kft_trace **ret_trace,
		   struct kft_trim *ret_trim) __must_check;

/* Writes what belongs to the run to a new trace. */
int cli_run_save(struct cli *c, struct cli_run *r, const char *output,
		 struct kft_trim *ret_trim) __must_check;

/* What other programs did to the run, one line without its end; nothing if they did not. */
void cli_run_others_text(const struct kft_run_record *rec, const struct kft_trim *trim,
			 struct kft_strbuf *sb);

/* -EIO, with what other programs did to the run, when that made its records incomplete. */
int cli_run_check(struct cli *c, const struct cli_run *r,
		  const struct kft_trim *trim) __must_check;

/* "12 calls kept, 3 too short" and so on, one line without its end. */
void cli_run_counts_text(const struct kft_trim *trim, struct kft_strbuf *sb);

/*
 * A process in the background that stays with the run until it is complete: for its
 * times, and so that the kernel is given back soon. One for a run is enough: others end.
 */
int cli_run_spawn_keeper(struct cli *c, const char *name) __must_check;

/* Whether a keeper lives. */
bool cli_run_has_keeper(const struct cli_run *r);

#endif
