// SPDX-License-Identifier: GPL-2.0-only
#include "cli/record_plan.h"

#include <errno.h>
#include <limits.h>

#include "base/err.h"
#include "base/units.h"

static int add_event(struct kft_plan *p, const char *pattern, size_t len,
		     const char *filter, struct kft_err *e)
{
	_cleanup_free_ char *copy = strndup(pattern, len);

	if (!copy)
		return kft_err_set(e, -ENOMEM, "out of memory");
	return kft_plan_add_event(p, copy, filter, e);
}

/* The text between the first '/' and the last character, which has to be another one. */
static int filter_of(const char *text, const char *slash, char **ret, struct kft_err *e)
{
	size_t len = strlen(slash);

	if (len < 2 || slash[len - 1] != '/') {
		kft_err_set(e, -EINVAL, "the filter of '%s' has no closing '/'", text);
		kft_err_hint(e, "events with a filter are written EVENT/FILTER/");
		return -EINVAL;
	}
	if (len == 2)
		return kft_err_set(e, -EINVAL, "the filter of '%s' is empty", text);
	*ret = strndup(slash + 1, len - 2);
	return *ret ? 0 : kft_err_set(e, -ENOMEM, "out of memory");
}

int cli_plan_add_events(struct kft_plan *p, const char *text, struct kft_err *e)
{
	_cleanup_free_ char *filter = NULL;
	const char *end = strchrnul(text, '/');

	if (*end) {
		int r = filter_of(text, end, &filter, e);

		if (r < 0)
			return r;
	}
	for (const char *start = text;;) {
		const char *comma = memchr(start, ',', end - start);
		const char *stop = comma ? comma : end;
		int r = add_event(p, start, stop - start, comma ? NULL : filter, e);

		if (r < 0 || !comma)
			return r;
		start = comma + 1;
	}
}

int cli_plan_add_pid(struct kft_plan *p, const char *text, struct kft_err *e)
{
	uint64_t pid;

	if (kft_parse_u64(text, &pid) < 0 || pid == 0 || pid > INT_MAX)
		return kft_err_set(e, -EINVAL, "'%s' is no process id", text);
	return kft_plan_add_pid(p, (pid_t)pid, e);
}
