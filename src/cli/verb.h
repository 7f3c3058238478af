/* SPDX-License-Identifier: GPL-2.0-only */
#pragma once

#include <kft/error.h>

#include "base/opt.h"
#include "cli/out.h"

/* Exit statuses, as documented in kft(1). */
enum cli_status {
	CLI_OK = 0,
	CLI_FAILED = 1, /* the request was not carried out, or only in part */
	CLI_USAGE = 2, /* the command line was wrong; nothing was done */
	CLI_DAMAGED = 3, /* all readable data was shown, but the trace is damaged */
	/*
	 * kft record -- COMMAND returns the command's status; its own are those of env(1)
	 */
	CLI_RECORD_FAILED = 125,
	CLI_NOT_EXECUTABLE = 126,
	CLI_NOT_FOUND = 127,
};

/* State of a verb. There is one for the program. */
struct cli {
	struct cli_out out;
	struct kft_err err;
	/*
	 * The signal handlers inherited from the caller: here the signals are ignored,
	 * so that writes fail instead.
	 */
	void (*sigpipe)(int);
	void (*sigxfsz)(int);
};

/* Headings of the groups of verbs in `kft help`, in this order. */
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
 * A command. To add one: a file verb_NAME.c with its table of options, a line in
 * verbs.c, and its manual page.
 */
struct cli_verb {
	const char *name;
	enum cli_group group;
	const char *summary; /* one line, in the style of an option's help */
	const char *operands; /* "[FILE]"; NULL: not accepted */
	const char *about; /* paragraphs for --help; may be NULL */
	const struct kft_opt *opts;
	unsigned int opt_flags; /* enum kft_opt_flags */
	bool is_paged; /* long output: the verb has CLI_PAGER_OPT */
	bool takes_command; /* "-- COMMAND" is recorded into the default input first */
	int max_operands; /* -1: unlimited */
	/* Operands are files that it reads; this one without any. NULL: they are no files. */
	const char *input;
	const char *const
		/* choices for the first operand, for completion; ends with NULL */
		*first_operands;
	/*
	 * Returns the exit status (enum cli_status, or a command's). Errors are put into
	 * c->err; main() prints them if the code is set, whatever the status.
	 */
	int (*run)(struct cli *c, int argc, char **argv);
};

/* All verbs; ends with NULL. */
extern const struct cli_verb *const cli_verbs[];

const struct cli_verb *cli_verb_find(const char *name);

/* Sets c->err for an unknown verb, with the most similar names. Returns CLI_USAGE. */
int cli_verb_unknown(struct cli *c, const char *name);

/* Appends "Usage: kft VERB ...", the description and the options. */
void cli_verb_help(const struct cli_verb *verb, struct kft_strbuf *sb);

/* Appends all verbs with their summaries, by group. */
void cli_general_help(struct kft_strbuf *sb);

/* For `kft` without a verb: prints the three commands to begin with on standard error. */
void cli_short_usage(void);

/* Columns of the terminal on standard output; 80 if it is not a terminal. */
size_t cli_width(void);

/* --color, as git has it. */
enum { CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER, CLI_COLOUR_AUTO };
extern int cli_colour;
extern const char *const cli_colour_words[];

/*
 * Whether text on fd may be coloured: --color says so, or fd is a terminal that can and NO_COLOR is
 * not set.
 */
bool cli_wants_colour(int fd);

/* Prints "kft: message" and "hint: ..." on standard error. */
void cli_print_err(const struct kft_err *e);

/* Prints "kft: note: message" on standard error. */
__printf_fmt(1, 2) void cli_print_note(const char *fmt, ...);
