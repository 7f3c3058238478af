/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/run_session.h"
#include "model/result.h"

/* Tables of a result about sessions; the tables are borrowed. */
struct cli_sessions {
	struct kft_result *result;
	struct kft_result_table *sessions;
	struct kft_result_table *windows;
	struct kft_result_table *dropped;
	struct kft_result_table *clauses;
	struct kft_result_table *switched;
	struct kft_result_table *left_out;
	struct kft_result_table *conditions;
	struct kft_result_table *watchers;
};

void cli_sessions_init(struct cli_sessions *s, struct kft_result *result);

/* Adds an open run, after kft_detached_refresh(). 0 or -errno with c->err set. */
int cli_sessions_add(struct cli *c, struct kft_detached *r, const char *name,
		     struct cli_sessions *s) __must_check;

/*
 * Adds a session that another process records in the foreground; only its name is known.
 */
void cli_sessions_add_foreground(const char *name, struct cli_sessions *s);
