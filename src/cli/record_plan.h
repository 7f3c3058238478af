/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/notify.h>
#include <kft/plan.h>

#include "base/opt.h"

/* The options of kft record for functions. */
struct cli_function_args {
	struct kft_opt_strings calls;
	struct kft_opt_strings entries;
	struct kft_opt_strings exclude;
	struct kft_opt_strings roots;
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t max_depth;
	bool no_irqs;
	bool args;
	bool retval;
	int times; /* 1: also the time on CPU */
};

/*
 * These add options with several parts to a plan. 0, or -EINVAL or
 * -ENOMEM with a message.
 */

/*
 * Parses "PATTERN[,PATTERN...][/FILTER/]", "PATTERN/FILTER/stack", "PATTERN//stack": the
 * part from the '/' on belongs to the last pattern.
 */
int cli_plan_add_events(struct kft_plan *p, const char *text, struct kft_err *e);

/* Enables functions if any option requests them. */
int cli_plan_set_functions(struct kft_plan *p, const struct cli_function_args *arg,
			   struct kft_err *e);

int cli_plan_add_pid(struct kft_plan *p, const char *text, struct kft_err *e);

/* Adds the sets of -s, resolved on the running kernel. */
int cli_plan_add_sets(struct kft_plan *p, const struct kft_opt_strings *sets,
		      const struct kft_notify *notify, struct kft_err *e);

/* Parses "1G" to bytes or "1000000ev" to events; the other value stays 0. */
int cli_parse_limit(const char *text, uint64_t *ret_bytes, uint64_t *ret_events,
		    struct kft_err *e);

/* Parses an option with a uint64_t value: a size other than 0. */
int cli_parse_buffer_size(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/* Finds PROGRAM of a user probe like a shell or the dynamic loader. */
int cli_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
		       struct kft_err *e);

/*
 * Parses "enter:FUNCTION", "exit:FUNCTION",
 * "SYSTEM:EVENT[/FILTER/]", or a time from now on.
 */
int cli_plan_set_trigger(struct kft_plan_trigger *t, const char *text, bool is_start,
			 struct kft_err *e);
