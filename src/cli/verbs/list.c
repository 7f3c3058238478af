// SPDX-License-Identifier: GPL-2.0-only
/* `kft list`: lists the events, functions, tracers and clocks of this kernel. */
#include "cli/answer.h"

#include <errno.h>

#include "base/err.h"
#include "base/suggest.h"
#include "tracefs/control/catalog.h"

static const char *arg_root;
static int arg_format;

static const struct kft_opt opts[] = {
	CLI_FORMAT_OPT(arg_format),
	/* for tests: a directory that replaces the running kernel */
	{0, "root", "DIR", NULL, KFT_OPT_STRING, &arg_root},
	{},
};

/* In the order of enum kft_catalog_kind. */
static const char *const kinds[] = {"events", "functions", "tracers", "clocks", NULL};

/* The index of word in kinds, or -EINVAL. */
static int find_kind(const char *word, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;

	kft_suggest_init(&near, word);
	for (int i = 0; kinds[i]; i++) {
		if (strcmp(kinds[i], word) == 0)
			return i;
		kft_suggest_add(&near, kinds[i], strlen(kinds[i]));
	}
	int r = kft_err_set(e, -EINVAL,
			    "'%s' is not one of events, functions, tracers, clocks",
			    word);
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
	return r;
}

static int nothing_matches(struct kft_host *host, enum kft_catalog_kind kind,
			   const char *glob, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	_cleanup_(kft_catalog_finish) struct kft_catalog all = {};
	struct kft_suggest near;
	int r = kft_catalog_read(host, kind, NULL, &all, e);

	if (r < 0)
		return r;
	kft_suggest_init(&near, glob);
	kft_vec_for_each(&all.entries, entry) {
		const char *colon = strchr(entry->name, ':');

		kft_suggest_add(&near, entry->name, strlen(entry->name));
		if (colon && !strchr(glob, ':'))
			kft_suggest_add(&near, colon + 1, strlen(colon + 1));
	}
	r = kft_err_set(e, -ENOENT, "none of the %zu %s matches '%s'", all.entries.len,
			kinds[kind], glob);
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
	return r;
}

static void print_entries(const struct kft_catalog *c, struct kft_strbuf *sb)
{
	kft_vec_for_each(&c->entries, entry) {
		kft_strbuf_add_escaped(sb, entry->name, strlen(entry->name));
		if (entry->detail) {
			kft_strbuf_adds(sb, "  [");
			kft_strbuf_add_escaped(sb, entry->detail, strlen(entry->detail));
			kft_strbuf_addc(sb, ']');
		}
		kft_strbuf_adds(sb, entry->current ? "  (current)\n" : "\n");
	}
}

static const struct kft_result_column columns[] = {
	{"name", "NAME", .is_text = true},
	{"detail", "DETAIL", .is_text = true},
	{"current", "CURRENT"},
};

static int answer(struct cli *c, enum kft_catalog_kind kind,
		  const struct kft_catalog *catalog)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_result_table *t = kft_result_add_table(&result, kinds[kind], columns,
							  ARRAY_SIZE(columns));

	kft_vec_for_each(&catalog->entries, entry) {
		kft_result_put(t, kft_value_word(entry->name));
		kft_result_put(t, entry->detail ? kft_value_word(entry->detail)
						: kft_value_none());
		kft_result_put(t, kft_value_bool(entry->current));
	}
	return cli_answer(c, arg_format, true, &result);
}

static int list(struct cli *c, enum kft_catalog_kind kind, const char *glob)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_catalog_finish) struct kft_catalog catalog = {};
	int r = kft_host_open(arg_root, &host, &c->err);

	if (r >= 0)
		r = kft_catalog_read(host, kind, glob, &catalog, &c->err);
	if (r >= 0 && !catalog.entries.len && glob)
		r = nothing_matches(host, kind, glob, &c->err);
	if (r < 0)
		return CLI_FAILED;
	if (arg_format != KFT_OUTPUT_text)
		return answer(c, kind, &catalog);
	print_entries(&catalog, &c->out.sb);
	return CLI_OK;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (!argc) {
		(void)kft_err_set(&c->err, -EINVAL, "list what?");
		kft_err_hint(&c->err, "kft list events|functions|tracers|clocks [GLOB]");
		return CLI_USAGE;
	}
	int kind = find_kind(argv[0], &c->err);
	if (kind < 0)
		return CLI_USAGE;
	return list(c, kind, argc > 1 ? argv[1] : NULL);
}

const struct cli_verb cli_verb_list = {
	.name = "list",
	.group = CLI_GROUP_KERNEL,
	.summary = "list the events and functions that this kernel can trace",
	.operands = "events|functions|tracers|clocks [GLOB]",
	.about =
		"GLOB (* ? []) selects by name; of events also by system or event alone. "
		"Quote it.",
	.opts = opts,
	.max_operands = 2,
	.first_operands = kinds,
	.run = run,
};
