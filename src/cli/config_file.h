/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_CONFIG_FILE_H
#define KFT_CLI_CONFIG_FILE_H

#include "capture/host.h"
#include "cli/verb.h"
#include "plan/carry.h"
#include "plan/resolve.h"

/*
 * A KFT configuration for verbs. Mistakes in it are printed, one a line, by the function
 * that finds them; c->err is set for everything else that can go wrong. 0 or -errno.
 */

/* Reads and parses; "-" is standard input. The text is appended to sb. */
int cli_config_read(struct cli *c, const char *path, struct kft_strbuf *sb,
		    struct kft_config *ret) __must_check;

/* Looks functions up among those that this kernel can trace, or in a System.map. */
int cli_config_resolve(struct cli *c, const char *path, struct kft_host *host,
		       struct kft_config *config) __must_check;
int cli_config_resolve_map(struct cli *c, const char *path, const char *map,
			   struct kft_config *config) __must_check;

/*
 * The same among the functions of the kernel itself, those too that are gone after it has
 * booted; map NULL: this kernel's.
 */
int cli_config_resolve_boot(struct cli *c, const char *path, const char *map,
			    struct kft_config *config) __must_check;

/* Prints what was found to be wrong. Returns -EINVAL. */
int cli_config_complain(const struct kft_diags *diags, const char *path);

/* What this kernel offers, by trying: opens files, makes an instance and removes it. */
void cli_config_caps(struct kft_host *host, struct kft_config_caps *ret);

/* Refuses, with all reasons, a configuration that this kernel cannot carry out. */
int cli_config_possible(struct cli *c, const char *path, const struct kft_config *config,
			const struct kft_config_caps *caps) __must_check;

#endif
