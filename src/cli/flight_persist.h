/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "cli/boot_install.h"

struct cli_persist_opts {
	const char *session;
	uint64_t bytes; /* 0: a default */
	bool install;
	bool remove;
	struct cli_boot_where where;
};

/* `kft flight persist`. Returns the exit status. */
int cli_flight_persist(struct cli *c, const struct cli_persist_opts *o);

/*
 * Called before a session of this name starts: saves the data of an earlier boot in
 * dir. 0 or -errno with c->err set.
 */
int cli_flight_save_crash(struct cli *c, const char *session, const char *dir);
