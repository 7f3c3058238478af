// SPDX-License-Identifier: GPL-2.0-only
/* Parses kinds of intervals in options. */
#include "cli/kinds.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/user_pairs.h"

static int refuse(const struct kft_opt *opt, const char *name, size_t len,
		  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};

	for (size_t i = 0; kft_interval_kinds[i]; i++)
		kft_strbuf_addf(&known, "%s%s", i ? ", " : "",
				kft_interval_kinds[i]->name);
	(void)kft_err_set(e, -EINVAL, "option '--%s': no kind of interval '%.*s'",
			  opt->name, (int)len, name);
	kft_err_hint(e, "kinds: %s, all", kft_strbuf_cstr(&known));
	return -EINVAL;
}

static bool is_name(const char *of, const char *name, size_t len)
{
	return of && strlen(of) == len && memcmp(of, name, len) == 0;
}

static void add(struct cli_kinds *k, const struct kft_interval_kind *kind)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->list[i] == kind)
			return;
	if (k->n < ARRAY_SIZE(k->list))
		k->list[k->n++] = kind;
}

bool cli_kinds_add_word(struct cli_kinds *k, const char *word, size_t len)
{
	bool is_all = is_name("all", word, len);
	bool found = false;

	for (size_t i = 0; i < k->user.len; i++) {
		if (!is_all && !is_name(k->user.data[i]->name, word, len))
			continue;
		add(k, k->user.data[i]);
		found = true;
	}
	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (!is_all && !is_name(kind->name, word, len) &&
		    !is_name(kind->group, word, len))
			continue;
		add(k, kind);
		found = true;
	}
	return found;
}

int cli_kinds_add(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	for (;;) {
		size_t len = strcspn(arg, ",");

		if (!cli_kinds_add_word(opt->value, arg, len))
			return refuse(opt, arg, len, e);
		if (!arg[len])
			return 0;
		arg += len + 1;
	}
}

static int add_interval(struct cli_kinds *k, const char *text, struct kft_err *e)
{
	struct kft_interval_kind *kind;
	int r = kft_user_pair_parse(text, &kind, e);

	if (r < 0)
		return r;
	if (kft_vec_push(&k->user, kind))
		return 0;
	kft_user_pair_destroy(kind);
	return kft_err_sys(e, -ENOMEM, "cannot read '%s'", text);
}

/* The file has one per line; lines that begin with # are comments. */
static int add_file_of_intervals(struct cli_kinds *k, const char *path, struct kft_err *e)
{
	FILE *f = fopen(path, "re");
	char line[4096];
	int r = 0;

	if (!f)
		return kft_err_sys(e, -errno, "cannot read '%s'", path);
	while (!r && fgets(line, sizeof(line), f)) {
		const char *text = line + strspn(line, " \t");

		line[strcspn(line, "\n")] = '\0';
		if (*text && *text != '#')
			r = add_interval(k, text, e);
	}
	(void)fclose(f);
	return r;
}

int cli_kinds_add_interval(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	return strchr(arg, ':') && strstr(arg, "->")
		       ? add_interval(opt->value, arg, e)
		       : add_file_of_intervals(opt->value, arg, e);
}

static int check_event(struct kft_trace *t, const char *kind,
		       const struct kft_kind_event *event, struct kft_err *e)
{
	_cleanup_(kft_filter_destroyp) struct kft_filter *filter = NULL;
	const struct kft_class *cls = kft_class_table_find(&t->classes, event->system,
							   event->name);

	if (!cls)
		return kft_err_set(e, -ENOENT,
				   "interval '%s': the trace has no event '%s'", kind,
				   event->name);
	for (size_t i = 0; i < KFT_KIND_FIELDS && event->fields[i]; i++)
		if (!kft_class_field(cls, event->fields[i]))
			return kft_err_set(e, -ENOENT,
					   "interval '%s': event '%s' has no field '%s'",
					   kind, event->name, event->fields[i]);
	return event->filter ? kft_filter_compile(event->filter, cls, &filter, e) : 0;
}

int cli_kinds_check(const struct cli_kinds *k, struct kft_trace *t, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < k->user.len && !r; i++) {
		const struct kft_interval_kind *kind = k->user.data[i];

		for (size_t j = 0; kind->events[j].name && !r; j++)
			r = check_event(t, kind->name, &kind->events[j], e);
	}
	return r;
}

void cli_kinds_add_user(struct cli_kinds *k)
{
	kft_vec_for_each(&k->user, kind)
		add(k, *kind);
}

void cli_kinds_finish(struct cli_kinds *k)
{
	kft_vec_for_each(&k->user, kind)
		kft_user_pair_destroy(*kind);
	kft_vec_finish(&k->user);
}
