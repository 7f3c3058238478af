// SPDX-License-Identifier: GPL-2.0-only
/* Kinds of intervals that options name. */
#include "cli/kinds.h"

#include <errno.h>

#include "base/err.h"

static int refuse(const struct kft_opt *opt, const char *name, size_t len,
		  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf known = {};

	for (size_t i = 0; kft_interval_kinds[i]; i++)
		kft_strbuf_addf(&known, "%s%s", i ? ", " : "",
				kft_interval_kinds[i]->name);
	(void)kft_err_set(e, -EINVAL, "option '--%s': no kind of interval '%.*s'",
			  opt->name, (int)len, name);
	kft_err_hint(e, "there are: %s", kft_strbuf_cstr(&known));
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

/* A kind, or all of a group. */
static bool add_named(struct cli_kinds *k, const char *name, size_t len)
{
	bool found = false;

	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (!is_name(kind->name, name, len) && !is_name(kind->group, name, len))
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

		if (!add_named(opt->value, arg, len))
			return refuse(opt, arg, len, e);
		if (!arg[len])
			return 0;
		arg += len + 1;
	}
}
