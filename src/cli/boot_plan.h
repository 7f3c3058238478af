/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_BOOT_PLAN_H
#define KFT_CLI_BOOT_PLAN_H

#include "cli/verb.h"
#include "plan/run.h"

/* A KFT configuration made into parameters of a kernel's command line. */
struct cli_boot_opts {
	const char *path; /* of the configuration; "-": standard input */
	const char *map; /* of the kernel that is to boot; NULL: this one's symbols */
	bool syntax; /* look no functions up */
	uint64_t buffer_bytes; /* of each CPU; 0: the default */
	uint64_t limit; /* bytes of a command line; 0: this machine's */
	bool quiet; /* no notes */
};

/*
 * Appends the parameters to line, without a line's end, and what they mean to text. What is
 * wrong with the configuration is printed, all else is in c->err: -errno.
 */
int cli_boot_params(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		    struct kft_strbuf *text) __must_check;

/* The same for a run that is known, in what roots call alone (NULL: in everything). */
int cli_boot_line(struct cli *c, const struct cli_boot_opts *o,
		  const struct kft_run_config *run, const char *roots,
		  struct kft_strbuf *line) __must_check;

/*
 * The same without a configuration: a light first look, and one at what the slowest
 * initcalls of the trace of such a boot call.
 */
int cli_boot_light(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		   struct kft_strbuf *text) __must_check;
int cli_boot_focus(struct cli *c, const struct cli_boot_opts *o, const char *trace,
		   struct kft_strbuf *line, struct kft_strbuf *text) __must_check;

#endif
