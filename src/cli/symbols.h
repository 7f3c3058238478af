/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_SYMBOLS_H
#define KFT_CLI_SYMBOLS_H

#include "base/strbuf.h"
#include "model/trace.h"

/*
 * The text of a symbol map, "address type name" a line: a System.map or a copy of
 * /proc/kallsyms, or what a trace has of its kernel's.
 */
struct cli_symbols {
	struct kft_strbuf file; /* owned: when it was a text */
	struct kft_trace *trace; /* owned: when it was a trace */
	const char *text; /* of either, not NUL terminated */
	size_t len;
};

/*
 * From the file at path, a trace or a text; NULL: this kernel's /proc/kallsyms. Errors: a
 * file that cannot be read, a trace without symbols, addresses that the kernel hides.
 */
int cli_symbols_load(const char *path, struct cli_symbols *ret,
		     struct kft_err *e) __must_check;
void cli_symbols_finish(struct cli_symbols *s);

/* Sets e to say that the map has no addresses; returns -EPERM. */
int cli_symbols_hidden(const char *path, struct kft_err *e);

#endif
