// SPDX-License-Identifier: GPL-2.0-only
/* Prints errors, hints and notes on standard error. */
#include "cli/verb.h"

#include <sys/ioctl.h>

#include "base/io.h"
#include "cli/progress.h"

#define COLOUR_ERROR "\033[1;31m"
#define COLOUR_HINT  "\033[1m"
#define COLOUR_OFF   "\033[0m"

#define WIDTH_DEFAULT 80
#define WIDTH_MIN     40
#define WIDTH_MAX     100

size_t cli_width(void)
{
	struct winsize ws = {};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || !ws.ws_col)
		return WIDTH_DEFAULT;
	return KFT_MAX(KFT_MIN((size_t)ws.ws_col, (size_t)WIDTH_MAX), (size_t)WIDTH_MIN);
}

int cli_colour = CLI_COLOUR_AUTO;
const char *const cli_colour_words[] = {"always", "never", "auto", NULL};

bool cli_wants_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (cli_colour != CLI_COLOUR_AUTO)
		return cli_colour == CLI_COLOUR_ALWAYS;
	return (!no_color || !*no_color) && isatty(fd) &&
	       (!term || strcmp(term, "dumb") != 0);
}

/*
 * Escapes text for a terminal. Continued lines, as of a filter and
 * its caret, are indented.
 */
static void add_text(struct kft_strbuf *sb, const char *text)
{
	static const char go_on[] = "\n  ";

	for (const char *end; (end = strstr(text, go_on)); text = end + strlen(go_on)) {
		kft_strbuf_add_escaped(sb, text, end - text);
		kft_strbuf_adds(sb, go_on);
	}
	kft_strbuf_add_escaped(sb, text, strlen(text));
}

/* Messages contain names from files, from the kernel and from the command line. */
static void add_labelled(struct kft_strbuf *sb, const char *label, const char *colour,
			 const char *text)
{
	if (cli_wants_colour(STDERR_FILENO))
		kft_strbuf_addf(sb, "%s%s" COLOUR_OFF " ", colour, label);
	else
		kft_strbuf_addf(sb, "%s ", label);
	add_text(sb, text);
	kft_strbuf_addc(sb, '\n');
}

/* Uses one write, so that lines of concurrent programs do not mix. */
static void print(const struct kft_strbuf *sb)
{
	cli_progress_give_way();
	if (kft_strbuf_ok(sb))
		(void)!kft_write_all(STDERR_FILENO, sb->buf, sb->len);
}

void cli_print_err(const struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	add_labelled(&sb, "kft:", COLOUR_ERROR, e->msg);
	if (e->hint[0])
		add_labelled(&sb, "hint:", COLOUR_HINT, e->hint);
	print(&sb);
}

void cli_print_note(const char *fmt, ...)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	va_list ap;

	va_start(ap, fmt);
	kft_strbuf_vaddf(&text, fmt, ap);
	va_end(ap);
	add_labelled(&sb, "kft: note:", COLOUR_HINT, kft_strbuf_cstr(&text));
	print(&sb);
}
