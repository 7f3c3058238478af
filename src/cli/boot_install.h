/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "session/boot/install.h"
#include "cli/verb.h"

/* The place where --install writes and --remove looks. */
struct cli_boot_where {
	const struct kft_boot_files *files;
	const char *parameters; /* a file for the parameters; NULL: GRUB's */
	const char *root; /* NULL: the root of this machine */
	bool quiet; /* print neither the changes nor the next steps */
};

/* Prints the changes and the next steps on standard error. */
void cli_boot_tell(bool quiet, const struct kft_strbuf *said);

/* 0 or -errno with c->err set. */
int cli_boot_install(struct cli *c, const struct cli_boot_where *w, const char *params);
int cli_boot_remove(struct cli *c, const struct cli_boot_where *w);
