/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_RECORD_PLAN_H
#define KFT_CLI_RECORD_PLAN_H

#include <kft/notify.h>
#include <kft/plan.h>

#include "base/opt.h"

/* What kft record's options say of functions. */
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
	int times; /* 1: also on CPU */
};

/*
 * The words of kft record's options that are more than one value, put into a plan.
 * 0, or -EINVAL or -ENOMEM with a message.
 */

/*
 * "PATTERN[,PATTERN...][/FILTER/]", "PATTERN/FILTER/stack", "PATTERN//stack": what is behind the
 * '/' belongs to the last pattern.
 */
int cli_plan_add_events(struct kft_plan *p, const char *text, struct kft_err *e);

/* Functions are recorded when any option asks for them. */
int cli_plan_set_functions(struct kft_plan *p, const struct cli_function_args *arg,
			   struct kft_err *e);

int cli_plan_add_pid(struct kft_plan *p, const char *text, struct kft_err *e);

/* The sets of -s, as they are on the running kernel. */
int cli_plan_add_sets(struct kft_plan *p, const struct kft_opt_strings *sets,
		      const struct kft_notify *notify, struct kft_err *e);

/* "1G" to bytes, "1000000ev" to events; the other stays 0. */
int cli_parse_limit(const char *text, uint64_t *ret_bytes, uint64_t *ret_events,
		    struct kft_err *e);

/* Parses an option whose value is a uint64_t: a size that is not 0. */
int cli_parse_buffer_size(const struct kft_opt *opt, const char *arg, struct kft_err *e);

/* PROGRAM of a user probe is found as a shell or the dynamic loader finds it. */
int cli_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
		       struct kft_err *e);

/* "enter:FUNCTION", "exit:FUNCTION", "SYSTEM:EVENT[/FILTER/]", or a time from now on. */
int cli_plan_set_trigger(struct kft_plan_trigger *t, const char *text, bool is_start,
			 struct kft_err *e);

#endif
