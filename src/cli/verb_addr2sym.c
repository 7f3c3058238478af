// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/io.h"
#include "base/lines.h"
#include "cli/symbols.h"
#include "decode/kallsyms.h"
#include "output/symbolize.h"

static const char *arg_map;

static const struct kft_opt opts[] = {
	{'m', "map", "MAP",
	 "symbols: a System.map, a copy of /proc/kallsyms, or a trace; default is this "
	 "kernel's /proc/kallsyms",
	 KFT_OPT_STRING, &arg_map},
	{},
};

static int convert(struct cli *c, int fd, const struct kft_symbol_table *symbols)
{
	_cleanup_(kft_lines_finish) struct kft_lines lines = {};
	struct kft_line line;
	unsigned int done = 0;
	int r = kft_lines_init(&lines, fd);

	while (!r && (r = kft_lines_next(&lines, &line)) > 0) {
		if (!line.continues)
			done = 0;
		kft_symbolize(symbols, line.text, line.len, &done, &c->out.sb);
		if (line.ended)
			kft_strbuf_addc(&c->out.sb, '\n');
		r = cli_out_drain(&c->out);
	}
	return r;
}

/* One file, "-" or standard input. */
static int convert_file(struct cli *c, const char *path,
			const struct kft_symbol_table *symbols)
{
	bool standard = strcmp(path, "-") == 0;
	_cleanup_close_ int fd = standard ? -1 : open(path, O_RDONLY | O_CLOEXEC);

	if (!standard && fd < 0)
		return kft_err_sys(&c->err, -errno, "cannot open '%s'", path);
	int r = convert(c, standard ? STDIN_FILENO : fd, symbols);

	/* main() says what is wrong with the output. */
	if (r < 0 && !c->out.error)
		return kft_err_sys(&c->err, r, "cannot read '%s'", path);
	return r;
}

static int convert_all(struct cli *c, int argc, char **argv,
		       const struct cli_symbols *text)
{
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table symbols = {};
	size_t bad;
	int r = kft_kallsyms_parse(text->text, text->len, &symbols, &bad);

	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot read the symbols");
	if (!symbols.syms.len)
		return cli_symbols_hidden(arg_map, &c->err);
	if (!argc)
		return convert_file(c, "-", &symbols);
	for (int i = 0; i < argc && !r; i++)
		r = convert_file(c, argv[i], &symbols);
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(cli_symbols_finish) struct cli_symbols text = {};
	int r = cli_symbols_load(arg_map, &text, &c->err);

	if (!r)
		r = convert_all(c, argc, argv, &text);
	return r < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_addr2sym = {
	.name = "addr2sym",
	.summary = "replace addresses in a KFT log by names of functions",
	.operands = "[FILE...]",
	.about =
		"The first two addresses of each line of FILE (or standard input) become NAME "
		"or NAME+0xOFFSET; columns stay where they are.",
	.opts = opts,
	.max_operands = -1,
	.run = run,
};
