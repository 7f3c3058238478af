// SPDX-License-Identifier: GPL-2.0-only
/* Turns the options that select a part of a trace into a scope. */
#include "cli/scope.h"

#include <errno.h>

#include "base/err.h"
#include "base/units.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "model/span.h"

#define NS_PER_S UINT64_C(1000000000)

/* Decimals in reports: a time with at most this many matches all times shown the same. */
#define SHOWN_DIGITS 6

static int bad_time(const char *option, const char *text, struct kft_err *e)
{
	int r = kft_err_set(e, -EINVAL, "option '%s': '%s' is not a time", option, text);

	kft_err_hint(e, "12.345678 as the report shows it, +1.5s from the start, "
			"-200ms from the end");
	return r;
}

/* Parses an amount of time in units of the trace's clock. */
static int parse_amount(const struct kft_trace *t, const char *text, uint64_t *ret)
{
	return t->meta.clock.unit == KFT_CLOCK_NS
		       ? kft_parse_duration(text, NS_PER_S, ret)
		       : kft_parse_u64(text, ret);
}

static bool is_exact(const struct kft_trace *t, const char *text)
{
	const char *point = strchr(text, '.');

	return t->meta.clock.unit != KFT_CLOCK_NS ||
	       (point && strspn(point + 1, "0123456789") > SHOWN_DIGITS);
}

/*
 * Widens the range by half a microsecond, to include all times that are
 * shown as the given one.
 */
static uint64_t widen(uint64_t ts, bool is_until)
{
	if (is_until)
		return ts > UINT64_MAX - 499 ? UINT64_MAX : ts + 499;
	return ts < 500 ? 0 : ts - 500;
}

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return kft_add(a, b, &sum) ? UINT64_MAX : sum;
}

int cli_scope_parse_time(struct kft_trace *t, const char *option, const char *text,
			 bool is_until, uint64_t *ret, struct kft_err *e)
{
	bool relative = text[0] == '+' || text[0] == '-';
	uint64_t amount;
	uint64_t base;

	if (parse_amount(t, text + relative, &amount) < 0)
		return bad_time(option, text, e);
	if (!relative) {
		*ret = is_exact(t, text) ? amount : widen(amount, is_until);
		return 0;
	}
	if (text[0] == '+')
		*ret = kft_span_first(t, &base) ? add_capped(base, amount) : UINT64_MAX;
	else
		*ret = kft_span_last(t, &base) && base > amount ? base - amount : 0;
	return 0;
}

int cli_scope_parse_stretch(struct kft_trace *t, const char *option, const char *text,
			    uint64_t *ret_since, uint64_t *ret_until, struct kft_err *e)
{
	const char *dots = strstr(text, "..");
	_cleanup_free_ char *from = strndup(text, dots ? (size_t)(dots - text) : 0);

	if (!from)
		return kft_err_sys(e, -ENOMEM, "cannot read '%s'", text);
	if (!dots)
		return kft_err_set(e, -EINVAL, "option '%s': '%s' is not FROM..TO",
				   option, text);
	int r = cli_scope_parse_time(t, option, from, false, ret_since, e);

	if (r >= 0)
		r = cli_scope_parse_time(t, option, dots + 2, true, ret_until, e);
	if (r >= 0 && *ret_until <= *ret_since)
		r = kft_err_set(e, -EINVAL, "'%s' ends before it begins", text);
	return r;
}

static int resolve_times(struct cli_scope *s, struct kft_trace *t, struct kft_err *e)
{
	int r = 0;

	if (s->arg_since)
		r = cli_scope_parse_time(t, "--since", s->arg_since, false,
					 &s->scope.since, e);
	if (r == 0 && s->arg_until)
		r = cli_scope_parse_time(t, "--until", s->arg_until, true,
					 &s->scope.until, e);
	/* In a scope, until 0 means no end; no event has time 0. */
	if (r == 0 && s->arg_until && !s->scope.until)
		s->scope.until = 1;
	return r;
}

int cli_scope_resolve(struct cli_scope *s, struct kft_trace *t, struct kft_err *e)
{
	if (s->arg_cpus) {
		if (kft_cpuset_parse(&s->cpus, s->arg_cpus) < 0)
			return kft_err_set(e, -EINVAL,
					   "option '--cpu': '%s' is not a list of CPUs "
					   "like 0,2-3",
					   s->arg_cpus);
		s->scope.cpus = s->cpus.bits;
		s->scope.n_cpus = KFT_CPU_MAX;
	}
	if (s->arg_events.len) {
		int r = kft_select_events(t, s->arg_events.data, s->arg_events.len,
					  s->wanted, &s->filters, e);

		if (r < 0)
			return r;
		s->scope.wanted = s->wanted;
		if (s->filters.by_id.len)
			s->scope.filters = &s->filters;
	}
	return resolve_times(s, t, e);
}

void cli_scope_hide_own(struct cli_scope *s, struct kft_trace *t)
{
	if (!s->arg_events.len && kft_select_users(t, s->wanted))
		s->scope.wanted = s->wanted;
}

int cli_scope_add_pid(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	struct cli_scope *s = opt->value;
	uint64_t pid;

	if (kft_parse_u64(arg, &pid) < 0 || pid > INT32_MAX)
		return kft_err_set(e, -EINVAL, "option '--pid': '%s' is not a pid", arg);
	if (!kft_vec_push(&s->arg_pids, (uint32_t)pid))
		return kft_err_memory(e);
	return 0;
}

void cli_scope_resolve_tasks(struct cli_scope *s, struct kft_trace *t)
{
	s->scope.pids = s->arg_pids.data;
	s->scope.n_pids = s->arg_pids.len;
	s->scope.pid = s->arg_pids.len ? kft_trace_common_field(t, "common_pid") : NULL;
	s->scope.swap = t->swap;
}

int cli_scope_foreign(const struct kft_opt *opt, const char *arg, struct kft_err *e)
{
	int r = kft_err_set(e, -EINVAL, "unknown option '-%c'", opt->letter);

	kft_err_hint(e, "%s", (const char *)opt->value);
	return r;
}

void cli_scope_note_empty(const struct cli_scope *s, bool any)
{
	bool is_part = s->arg_cpus || s->arg_events.len || s->arg_since || s->arg_until ||
		       s->arg_pids.len;

	if (!any && is_part)
		cli_print_note("no event of the trace matches the options");
}

void cli_scope_finish(struct cli_scope *s)
{
	kft_vec_finish(&s->arg_events);
	kft_vec_finish(&s->arg_pids);
	kft_filters_finish(&s->filters);
}

int cli_scope_show(struct cli *c, int argc, char **argv, struct cli_scope *s,
		   int (*show)(struct cli *c, const char *path, struct kft_trace *t))
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(cli_progress_end) struct cli_progress progress = {};
	const char *path = cli_input_path(argc, argv);
	int status;

	if (cli_input_open(path, &t, &c->err) < 0)
		status = CLI_FAILED;
	else if (cli_scope_resolve(s, t, &c->err) < 0)
		status = CLI_USAGE;
	else {
		cli_progress_begin(&progress, t);
		status = show(c, path, t);
	}
	cli_scope_finish(s);
	return status;
}
