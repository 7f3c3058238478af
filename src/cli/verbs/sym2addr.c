// SPDX-License-Identifier: GPL-2.0-only
/* `kft sym2addr`: replaces names in a configuration by addresses. */
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/io.h"
#include "cli/symbols.h"
#include "plan/kft/parser.h"
#include "plan/sym2addr.h"

static const struct kft_opt opts[] = {{}};

static int read_config(const char *path, struct kft_strbuf *ret, struct kft_err *e)
{
	bool standard = strcmp(path, "-") == 0;
	int r = standard ? kft_read_fd(STDIN_FILENO, KFT_CONFIG_MAX_BYTES, ret)
			 : kft_read_at(AT_FDCWD, path, KFT_CONFIG_MAX_BYTES, ret);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read '%s'", path);
	(void)kft_strbuf_cstr(ret);
	return kft_strbuf_ok(ret) ? 0 : kft_err_sys(e, -ENOMEM, "cannot read '%s'", path);
}

static void tell_ambiguous(const struct kft_sym2addr_counts *counts)
{
	cli_print_note("%.*s is the name of several symbols; the first one was taken%s",
		       (int)counts->an_ambiguous_len, counts->an_ambiguous,
		       counts->ambiguous > 1 ? ", also for other names" : "");
}

static int convert(struct cli *c, const char *path, const char *map)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf config = {};
	_cleanup_(cli_symbols_finish) struct cli_symbols symbols = {};
	struct kft_sym2addr_counts counts;
	int r = read_config(path, &config, &c->err);

	if (!r)
		r = cli_symbols_load(map, &symbols, &c->err);
	if (r < 0)
		return r;
	r = kft_config_sym2addr(config.buf, config.len, symbols.text, symbols.len,
				&c->out.sb, &counts);
	if (r < 0)
		return kft_err_sys(&c->err, r, "cannot convert '%s'", path);
	if (counts.hidden) {
		kft_strbuf_clear(&c->out.sb);
		return cli_symbols_hidden(map, &c->err);
	}
	if (counts.ambiguous)
		tell_ambiguous(&counts);
	return 0;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (!argc) {
		(void)kft_err_set(&c->err, -EINVAL, "no configuration given");
		return CLI_USAGE;
	}
	return convert(c, argv[0], argc > 1 ? argv[1] : NULL) < 0 ? CLI_FAILED : CLI_OK;
}

const struct cli_verb cli_verb_sym2addr = {
	.name = "sym2addr",
	.group = CLI_GROUP_KFT,
	.summary = "replace names of functions in a KFT configuration by addresses",
	.operands = "FILE [MAP]",
	.about =
		"Each word of FILE (- is standard input) that MAP has as a symbol becomes its "
		"address. MAP is a System.map, a copy of /proc/kallsyms or a trace; without "
		"it, this kernel's /proc/kallsyms.",
	.opts = opts,
	.max_operands = 2,
	.input = "-",
	.run = run,
};
