// SPDX-License-Identifier: GPL-2.0-only
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/io.h"
#include "capture/tracefs/funcmap.h"
#include "config/explain.h"
#include "config/format.h"
#include "config/parser.h"
#include "config/resolve.h"
#include "decode/kallsyms.h"

#define MAP_MAX_BYTES (128u << 20)

static struct {
	const char *map;
	bool syntax;
} arg;

static const struct kft_opt opts[] = {
	{'m', "map", "MAP", "look functions up in this System.map of another kernel",
	 KFT_OPT_STRING, &arg.map},
	{0, "syntax", NULL, "look no functions up, leave this kernel alone", KFT_OPT_FLAG,
	 &arg.syntax},
	{},
};

static const char *shown_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

static int read_text(const char *path, size_t max_bytes, struct kft_strbuf *ret,
		     struct kft_err *e)
{
	int r = strcmp(path, "-") == 0 ? kft_read_fd(STDIN_FILENO, max_bytes, ret)
				       : kft_read_at(AT_FDCWD, path, max_bytes, ret);

	return r < 0 ? kft_err_sys(e, r, "cannot read '%s'", shown_name(path)) : 0;
}

/* Says all that is wrong, each mistake once, and leaves a last line for main(). */
static int print_diags(struct cli *c, const struct kft_diags *diags, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_diags_text(diags, shown_name(path), &sb);
	if (kft_strbuf_ok(&sb))
		(void)!kft_write_all(STDERR_FILENO, sb.buf, sb.len);
	return CLI_FAILED;
}

static int visit_funcmap(void *ctx, kft_function_visit *visit, void *visit_arg)
{
	const struct kft_funcmap *m = ctx;

	for (size_t i = 0; i < kft_funcmap_len(m); i++) {
		const char *name = m->catalog.entries.data[i].name;
		int r = visit(visit_arg, name, strlen(name), m->addrs ? m->addrs[i] : 0);

		if (r)
			return r;
	}
	return 0;
}

static int resolve_live(struct kft_host *host, struct kft_config *config,
			struct kft_diags *diags, struct kft_err *e)
{
	_cleanup_(kft_funcmap_finish) struct kft_funcmap m = {};
	int r = kft_funcmap_read(host, &m, e);

	if (r < 0)
		return r;
	/* Names can be looked up without addresses, which not everybody may see. */
	(void)!kft_funcmap_load_addrs(&m, host, NULL);
	struct kft_functions fns = {
		.each = visit_funcmap, .ctx = &m, .what = "this kernel"};
	r = kft_config_resolve(config, &fns, diags);
	return r < 0 && !kft_diags_any(diags)
		       ? kft_err_sys(e, r, "cannot look functions up")
		       : 0;
}

static int resolve_map(const char *path, struct kft_config *config,
		       struct kft_diags *diags, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table t = {};
	size_t bad;
	int r = read_text(path, MAP_MAX_BYTES, &text, e);

	if (r < 0)
		return r;
	r = kft_kallsyms_parse(text.buf, text.len, &t, &bad);
	if (r < 0 || !t.syms.len)
		return kft_err_set(e, r < 0 ? r : -EINVAL, "'%s' holds no symbols", path);
	struct kft_functions fns = kft_functions_of_symbols(&t, path);
	r = kft_config_resolve(config, &fns, diags);
	return r < 0 && !kft_diags_any(diags)
		       ? kft_err_sys(e, r, "cannot look functions up")
		       : 0;
}

static int resolve(struct kft_config *config, struct kft_diags *diags, struct kft_err *e)
{
	if (arg.syntax)
		return 0;
	if (arg.map)
		return resolve_map(arg.map, config, diags, e);
	struct kft_host *host;
	int r = kft_host_open(NULL, &host, e);
	if (r < 0)
		return r;
	r = resolve_live(host, config, diags, e);
	host = kft_host_close(host);
	if (r < 0 && !e->hint[0])
		kft_err_hint(e, "--syntax checks without this kernel, --map with a "
				"System.map");
	return r;
}

static int check(struct cli *c, struct kft_config *config, const char *path)
{
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	if (resolve(config, &diags, &c->err) < 0)
		return CLI_FAILED;
	if (kft_diags_any(&diags))
		return print_diags(c, &diags, path);
	kft_config_explain(config, NULL, &c->out.sb);
	return CLI_OK;
}

static int format(struct cli *c, struct kft_config *config, const char *path)
{
	kft_config_format(config, &c->out.sb);
	return CLI_OK;
}

static const struct {
	const char *name;
	int (*run)(struct cli *c, struct kft_config *config, const char *path);
} actions[] = {
	{"check", check},
	{"format", format},
};

static int run_action(struct cli *c, size_t action, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	if (read_text(path, KFT_CONFIG_MAX_BYTES, &text, &c->err) < 0)
		return CLI_FAILED;
	int r = kft_config_parse(kft_strbuf_cstr(&text), text.len, &diags, &config);
	if (kft_diags_any(&diags))
		return print_diags(c, &diags, path);
	if (r < 0) {
		(void)kft_err_sys(&c->err, r, "cannot read '%s'", shown_name(path));
		return CLI_FAILED;
	}
	return actions[action].run(c, &config, path);
}

static int run(struct cli *c, int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < ARRAY_SIZE(actions); i++)
		if (strcmp(argv[0], actions[i].name) == 0)
			return run_action(c, i, argv[1]);
	(void)kft_err_set(&c->err, -EINVAL, "expected check or format, and a file");
	kft_err_hint(&c->err, "`kft config check FILE` says what FILE means");
	return CLI_USAGE;
}

const struct cli_verb cli_verb_config = {
	.name = "config",
	.summary = "check a KFT configuration and say what it means",
	.operands = "check|format FILE",
	.about =
		"check says in words what each clause of FILE means. Functions are looked "
		"up among those that this kernel can trace. format writes FILE in one "
		"canonical form. The language is described in kft.conf(5). FILE - is "
		"standard input.",
	.opts = opts,
	.max_operands = 2,
	.run = run,
};
