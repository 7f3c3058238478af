// SPDX-License-Identifier: GPL-2.0-only
/* `kft addr2sym`: replaces addresses in a text by names. */
#include "cli/log.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/lines.h"
#include "cli/symbols.h"
#include "decode/kallsyms.h"
#include "file/registry.h"
#include "output/symbolize.h"

static const char *arg_map;

static const struct kft_opt opts[] = {
	{'m', "map", "MAP",
	 "symbols: a System.map, a copy of /proc/kallsyms, or a trace; default: FILE's "
	 "own if it is a trace, else this kernel's /proc/kallsyms",
	 KFT_OPT_STRING, &arg_map},
	{},
};

/* Symbols for texts, loaded for the first text. */
struct map {
	struct cli_symbols text;
	struct kft_symbol_table symbols;
};

static void map_finish(struct map *m)
{
	kft_symbol_table_finish(&m->symbols);
	cli_symbols_finish(&m->text);
}

static int load_map(struct cli *c, struct map *m)
{
	size_t bad;

	if (m->symbols.syms.len)
		return 0;
	int r = cli_symbols_load(arg_map, &m->text, &c->err);
	if (r < 0)
		return r;
	r = kft_kallsyms_parse(m->text.text, m->text.len, &m->symbols, &bad);
	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot read the symbols");
	return m->symbols.syms.len ? 0 : cli_symbols_hidden(arg_map, &c->err);
}

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

/* A trace is shown as a log. */
static int convert_trace(struct cli *c, const char *path, struct kft_trace *t)
{
	if (arg_map) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "'%s' is a trace, which has symbols of its own", path);
		kft_err_hint(&c->err, "leave out -m");
		return -EINVAL;
	}
	return cli_log_show(c, path, t) == CLI_FAILED ? -EIO : 0;
}

/* Converts one file; "-" is standard input. */
static int convert_file(struct cli *c, const char *path, struct map *m)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	bool standard = strcmp(path, "-") == 0;

	if (!standard && kft_file_open(path, &t, NULL) == 0)
		return convert_trace(c, path, t);
	_cleanup_close_ int fd = standard ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (!standard && fd < 0)
		return kft_err_sys(&c->err, -errno, "cannot open '%s'", path);
	int r = load_map(c, m);
	if (r < 0)
		return r;
	r = convert(c, standard ? STDIN_FILENO : fd, &m->symbols);

	/* main() reports errors of the output. */
	if (r < 0 && !c->out.error)
		return kft_err_sys(&c->err, r, "cannot read '%s'", path);
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_(map_finish) struct map m = {};
	int r = argc ? 0 : convert_file(c, "-", &m);

	for (int i = 0; i < argc && !r; i++)
		r = convert_file(c, argv[i], &m);
	return r < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_addr2sym = {
	.name = "addr2sym",
	.group = CLI_GROUP_KFT,
	.summary = "replace addresses in a KFT log by names of functions",
	.operands = "[FILE...]",
	.about =
		"The first two addresses of each line of FILE (or standard input) become NAME "
		"or NAME+0xOFFSET; columns stay where they are. Of a trace the log is shown, "
		"with the trace's own symbols.",
	.opts = opts,
	.max_operands = -1,
	.input = "-",
	.run = run,
};
