/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/verb.h"
#include "plan/run.h"

/* Turns a KFT configuration into parameters of a kernel's command line. */
struct cli_boot_opts {
	const char *path; /* path of the configuration; "-": standard input */
	const char *map; /* symbols of the kernel to boot; NULL: those of this kernel */
	bool syntax; /* do not look up functions */
	uint64_t buffer_bytes; /* per CPU; 0: the default */
	uint64_t limit; /* maximum length of a command line; 0: that of this machine */
	bool quiet; /* do not print notes */
};

/*
 * Appends the parameters to line, without a newline, and their explanation to text.
 * Mistakes in the configuration are printed, other errors are in c->err: -errno.
 */
int cli_boot_params(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		    struct kft_strbuf *text) __must_check;

/* Appends the parameters for a given run, limited to calls made by roots (NULL: everything). */
int cli_boot_line(struct cli *c, const struct cli_boot_opts *o,
		  const struct kft_run_config *run, const char *roots,
		  struct kft_strbuf *line) __must_check;

/*
 * Append parameters that need no configuration, like cli_boot_params(): for a light first boot,
 * and for a boot that records the calls of the slowest initcalls in the trace of a light boot.
 */
int cli_boot_light(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		   struct kft_strbuf *text) __must_check;
int cli_boot_focus(struct cli *c, const struct cli_boot_opts *o, const char *trace,
		   struct kft_strbuf *line, struct kft_strbuf *text) __must_check;
