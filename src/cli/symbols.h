/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include "base/strbuf.h"
#include "model/trace.h"

/*
 * The text of a symbol map, "address type name" a line: a System.map, a copy of
 * /proc/kallsyms, or the one stored in a trace.
 */
struct cli_symbols {
	struct kft_strbuf file; /* owned: if the map is a text */
	struct kft_trace *trace; /* owned: if the map comes from a trace */
	const char *text; /* borrowed from one of them, not NUL terminated */
	size_t len;
};

/*
 * Loads the map from path, a trace or a text; NULL: this kernel's /proc/kallsyms. Fails
 * for an unreadable file, a trace without symbols, and hidden addresses.
 */
int cli_symbols_load(const char *path, struct cli_symbols *ret,
		     struct kft_err *e) __must_check;
void cli_symbols_finish(struct cli_symbols *s);

/* Sets the error for a map without addresses; returns -EPERM. */
int cli_symbols_hidden(const char *path, struct kft_err *e);
