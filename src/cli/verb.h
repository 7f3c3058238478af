/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_CLI_VERB_H
#define KFT_CLI_VERB_H

#include <kft/error.h>

#include "base/opt.h"
#include "cli/out.h"

/* Exit statuses, as kft(1) documents them. */
enum cli_status {
	CLI_OK = 0,
	CLI_FAILED = 1, /* nothing, or not everything, of what was asked for was done */
	CLI_USAGE = 2, /* the command line was wrong; nothing was done */
	CLI_DAMAGED =
		3, /* everything that could be read was shown; the trace is damaged */
	/* kft record -- COMMAND passes the command's status on; its own are then env(1)'s */
	CLI_RECORD_FAILED = 125,
	CLI_NOT_EXECUTABLE = 126,
	CLI_NOT_FOUND = 127,
};

/* What a verb works with. One for the program. */
struct cli {
	struct cli_out out;
	struct kft_err err;
	/* What the caller of kft had set: they are ignored here, writes fail instead. */
	void (*sigpipe)(int);
	void (*sigxfsz)(int);
};

/* The headings below which `kft help` lists verbs, in this order. */
enum cli_group {
	CLI_GROUP_RECORD,
	CLI_GROUP_READ,
	CLI_GROUP_KFT,
	CLI_GROUP_SESSIONS,
	CLI_GROUP_KERNEL,
	CLI_GROUP_HELP,
	CLI_N_GROUPS,
};

/*
 * One command. Adding one: a verb_NAME.c with its table of options and a line in
 * verbs.c (and its manual page).
 */
struct cli_verb {
	const char *name;
	enum cli_group group;
	const char *summary; /* one line, as an option's help */
	const char *operands; /* "[FILE]"; NULL: none are accepted */
	const char *about; /* paragraphs for --help; may be NULL */
	const struct kft_opt *opts;
	unsigned int opt_flags; /* enum kft_opt_flags */
	bool is_paged; /* long output: it has CLI_PAGER_OPT */
	int max_operands; /* -1: any number */
	/* Operands are files that it reads; this one without any. NULL: they are no files. */
	const char *input;
	const char *const
		*first_operands; /* its choices, for completion; ends with NULL */
	/*
	 * Returns the exit status (enum cli_status, or a command's). What went wrong is
	 * put into c->err; main() prints it when its code is set, whatever the status.
	 */
	int (*run)(struct cli *c, int argc, char **argv);
};

/* All verbs, ends with NULL. */
extern const struct cli_verb *const cli_verbs[];

const struct cli_verb *cli_verb_find(const char *name);

/* Sets c->err to an unknown verb's message, nearest names included. Returns CLI_USAGE. */
int cli_verb_unknown(struct cli *c, const char *name);

/* "Usage: kft VERB ...", what it does, its options. */
void cli_verb_help(const struct cli_verb *verb, struct kft_strbuf *sb);

/* All verbs with their summaries, by group. */
void cli_general_help(struct kft_strbuf *sb);

/* Prints the three commands to begin with on standard error: `kft` without a verb. */
void cli_short_usage(void);

/* Columns of the terminal on standard output; 80 when it is none. */
size_t cli_width(void);

/* Whether text on fd may be coloured: a terminal, NO_COLOR not set. */
bool cli_wants_colour(int fd);

/* Prints "kft: message" and "hint: ..." on standard error. */
void cli_print_err(const struct kft_err *e);

/* Prints "kft: note: message" on standard error. */
__printf_fmt(1, 2) void cli_print_note(const char *fmt, ...);

#endif
