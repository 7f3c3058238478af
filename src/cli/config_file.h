/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "capture/host.h"
#include "cli/verb.h"
#include "plan/carry.h"
#include "plan/resolve.h"

/*
 * KFT configurations for verbs. Each function prints the mistakes that it finds, one per
 * line; c->err is set for all other errors. 0 or -errno.
 */

/* Reads and parses a file; "-" is standard input. The text is appended to sb. */
int cli_config_read(struct cli *c, const char *path, struct kft_strbuf *sb,
		    struct kft_config *ret) __must_check;

/* Looks up functions among those that this kernel can trace, or in a System.map. */
int cli_config_resolve(struct cli *c, const char *path, struct kft_host *host,
		       struct kft_config *config) __must_check;
int cli_config_resolve_map(struct cli *c, const char *path, const char *map,
			   struct kft_config *config) __must_check;

/*
 * Looks up functions among those of the kernel itself, including functions freed after
 * boot. map: a System.map; NULL: this kernel.
 */
int cli_config_resolve_boot(struct cli *c, const char *path, const char *map,
			    struct kft_config *config) __must_check;

/* Prints the mistakes. Returns -EINVAL. */
int cli_config_complain(const struct kft_diags *diags, const char *path);

/*
 * Finds out the kernel's capabilities by trying: opens files, creates
 * and removes an instance.
 */
void cli_config_caps(struct kft_host *host, struct kft_config_caps *ret);

/* Rejects, with all reasons, a configuration that this kernel cannot carry out. */
int cli_config_possible(struct cli *c, const char *path, const struct kft_config *config,
			const struct kft_config_caps *caps) __must_check;
