// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reports the functions of later modules that a recording left out. */
#include "tracefs/sources/later_modules.h"

#include <string.h>

#include "base/glob.h"
#include "tracefs/sources/graph.h"

/* The kernel's limit of a symbol's name is 512 bytes. */
#define NAME_MAX_BYTES 600

static void add_patterns(const struct kft_plan_funcs *list, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < list->len; i++)
		if (list->items[i].kind != KFT_FUNC_ADDR)
			kft_strbuf_addf(sb, "%s\n", list->items[i].name);
}

void kft_later_modules_init(struct kft_later_modules *l,
			    const struct kft_plan_functions *f)
{
	if (!f->enabled || kft_graph_wants_all(f))
		return;
	if (!f->include.len)
		kft_strbuf_adds(&l->include, "*\n");
	add_patterns(&f->include, &l->include);
	add_patterns(&f->exclude, &l->exclude);
}

void kft_later_modules_finish(struct kft_later_modules *l)
{
	kft_strbuf_finish(&l->include);
	kft_strbuf_finish(&l->exclude);
}

static bool matches(struct kft_strbuf *patterns, const char *name)
{
	char pattern[NAME_MAX_BYTES];
	const char *p = kft_strbuf_cstr(patterns);

	while (*p) {
		size_t len = strcspn(p, "\n");

		if (len < sizeof(pattern)) {
			memcpy(pattern, p, len);
			pattern[len] = '\0';
			if (kft_glob(pattern, name))
				return true;
		}
		p += len + (p[len] == '\n');
	}
	return false;
}

/* True for a line of a block, "ADDRESS TYPE NAME\t[MODULE]", with a function that was left out. */
static bool is_left_out(struct kft_later_modules *l, const char *line, const char *end)
{
	const char *blank = memchr(line, ' ', end - line);
	char name[NAME_MAX_BYTES];

	if (!blank || end - blank < 4 || !strchr("tTwW", blank[1]) || blank[2] != ' ')
		return false;
	const char *tab = memchr(blank + 3, '\t', end - blank - 3);
	size_t len = (tab ? tab : end) - blank - 3;

	if (len >= sizeof(name))
		return false;
	memcpy(name, blank + 3, len);
	name[len] = '\0';
	/* The padding before a function has a symbol of its own since Linux 6.2. */
	return strncmp(name, "__pfx_", 6) != 0 && matches(&l->include, name) &&
	       !matches(&l->exclude, name);
}

static void add_module(struct kft_strbuf *sb, const char *head, size_t count)
{
	if (!count)
		return;
	kft_strbuf_addf(sb, "%s%zu of ", sb->len ? ", " : "", count);
	kft_strbuf_add_escaped(sb, head, strcspn(head, " \n"));
}

void kft_later_modules_tell(struct kft_later_modules *l, const struct kft_blob *blocks,
			    const struct kft_notify *notify)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf counts = {};
	const char *end = blocks->data + blocks->len;
	const char *head = NULL;
	size_t count = 0;

	for (const char *p = blocks->data; l->include.len && p < end;) {
		const char *stop = memchr(p, '\n', end - p);

		if (!stop)
			break;
		if (*p == '=') {
			add_module(&counts, head, count);
			head = p + 1;
			count = 0;
		} else if (head && *p != '-') {
			count += is_left_out(l, p, stop);
		}
		p = stop + 1;
	}
	add_module(&counts, head, count);
	if (counts.len)
		kft_notify(
			notify,
			"functions that match were left out, as their modules were loaded "
			"after the start: up to %s",
			kft_strbuf_cstr(&counts));
}
