// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the probes of plans. */
#include "plan/probes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/macro.h"

#define AT_RETURN "%return"

static int complain(struct kft_err *e, const char *what, const char *text)
{
	kft_err_set(e, -EINVAL, "%s: '%.200s'", what, text);
	kft_err_hint(e,
		     "a probe is written FUNCTION, FUNCTION(ARGUMENT, ...) or "
		     "FUNCTION%%return($retval), behind PROGRAM: for one of a program, "
		     "with /FILTER/ or /FILTER/stack at the end if you like");
	return -EINVAL;
}

/* Copies the bytes up to end; -EINVAL for an empty text. */
static int take(const char *start, const char *end, char **ret)
{
	if (end == start)
		return -EINVAL;
	*ret = strndup(start, (size_t)(end - start));
	return *ret ? 0 : -ENOMEM;
}

/* Parses "/FILTER/", "/FILTER/stack" or "//stack". */
static int parse_modifiers(const char *p, struct kft_plan_probe *probe)
{
	const char *last = strrchr(p, '/');

	probe->stack = strcmp(last + 1, "stack") == 0;
	if (last == p || (last[1] && !probe->stack))
		return -EINVAL;
	return last == p + 1 && probe->stack ? 0 : take(p + 1, last, &probe->filter);
}

/* Parses the text after the function's name: "%return", "(...)", "/.../". */
static int parse_rest(const char *p, struct kft_plan_probe *probe)
{
	size_t len = strlen(AT_RETURN);
	int r = 0;

	if (strncmp(p, AT_RETURN, len) == 0) {
		probe->at_return = true;
		p += len;
	}
	if (*p == '(') {
		const char *close = strchr(p, ')');

		if (!close)
			return -EINVAL;
		r = take(p + 1, close, &probe->args);
		p = close + 1;
	}
	if (r == 0 && *p == '/')
		return parse_modifiers(p, probe);
	return r == 0 && *p ? -EINVAL : r;
}

static int parse(const char *text, struct kft_plan_probe *probe)
{
	const char *p = text;
	int r = 0;

	if (probe->is_user) {
		const char *colon = strchr(p, ':');

		r = colon ? take(p, colon, &probe->program) : -EINVAL;
		p = colon ? colon + 1 : p;
	}
	const char *end = p + strcspn(p, "%(/");
	if (r == 0)
		r = take(p, end, &probe->symbol);
	return r == 0 ? parse_rest(end, probe) : r;
}

static void probe_finish(struct kft_plan_probe *probe)
{
	free(probe->program);
	free(probe->symbol);
	free(probe->args);
	free(probe->filter);
}

KFT_EXPORT int kft_plan_add_probe(struct kft_plan *p, bool is_user, const char *text,
				  struct kft_err *e)
{
	struct kft_plan_probe probe = {.is_user = is_user};
	struct kft_plan_probe *probes;

	if (!p || !text)
		return kft_err_missing(e, p ? "probe" : "plan");
	int r = parse(text, &probe);

	if (r == 0 && !is_user && strpbrk(probe.symbol, " \t*?[]:"))
		r = -EINVAL;
	probes = r == 0 ? reallocarray(p->probes, p->n_probes + 1, sizeof(*probes))
			: NULL;
	if (r == 0 && !probes)
		r = -ENOMEM;
	if (r < 0) {
		probe_finish(&probe);
		return r == -EINVAL ? complain(e, "not a probe", text)
				    : kft_err_set(e, r, "out of memory");
	}
	probes[p->n_probes++] = probe;
	p->probes = probes;
	return 0;
}

void kft_plan_drop_probe(struct kft_plan *p)
{
	probe_finish(&p->probes[--p->n_probes]);
}

void kft_plan_probes_finish(struct kft_plan *p)
{
	for (size_t i = 0; i < p->n_probes; i++)
		probe_finish(&p->probes[i]);
	free(p->probes);
	p->probes = NULL;
	p->n_probes = 0;
}
