// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds the resolved points of sets to a plan. */
#include "sets/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/glob.h"
#include "plan/probes.h"

static int out_of_memory(struct kft_err *e)
{
	return kft_err_memory(e);
}

/* Whether the pattern matches all events that the other one matches. */
static bool covers(const char *pattern, const char *event)
{
	_cleanup_free_ char *all = NULL;

	if (strchr(pattern, ':'))
		return kft_glob(pattern, event);
	return asprintf(&all, "%s:*", pattern) > 0 && kft_glob(all, event);
}

/*
 * Joins filters to "(a) || (b)"; an event that one point wants
 * without a filter gets none.
 */
static int join_filter(struct kft_plan_event *ev, const char *filter, struct kft_err *e)
{
	_cleanup_free_ char *one = NULL;
	char *both = NULL;

	if (filter && ev->filter) {
		if (asprintf(&one, "(%s)", filter) < 0)
			return out_of_memory(e);
		if (strcmp(filter, ev->filter) == 0 || strstr(ev->filter, one))
			return 0;
		const char *old = ev->filter;
		bool joined = strncmp(old, "(", 1) == 0 && strstr(old, ") || (");
		if (asprintf(&both, joined ? "%s || %s" : "(%s) || %s", old, one) < 0)
			return out_of_memory(e);
	}
	free(ev->filter);
	ev->filter = both;
	return 0;
}

static int add_event(struct kft_plan *p, const char *text, bool stack, struct kft_err *e)
{
	size_t len = strcspn(text, "/");
	_cleanup_free_ char *pattern = strndup(text, len);
	_cleanup_free_ char *filter = NULL;

	if (text[len] && strlen(text + len) > 2)
		filter = strndup(text + len + 1, strlen(text + len) - 2);
	if (!pattern || (text[len] && !filter))
		return out_of_memory(e);
	for (size_t i = 0; i < p->n_events; i++) {
		struct kft_plan_event *ev = &p->events[i];
		bool same = strcmp(ev->pattern, pattern) == 0;

		if (same) {
			ev->stack |= stack;
			return join_filter(ev, filter, e);
		}
		if (!ev->filter && covers(ev->pattern, pattern) && ev->stack >= stack)
			return 0;
		/* The plan uses the last pattern that matches an event. */
		if (covers(ev->pattern, pattern) && !ev->filter) {
			free(filter);
			filter = NULL;
		}
	}
	int r = kft_plan_add_event(p, pattern, filter, e);
	if (r == 0)
		p->events[p->n_events - 1].stack = stack;
	return r;
}

static bool is_equal(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static int add_probe(struct kft_plan *p, const char *text, bool stack, struct kft_err *e)
{
	int r = kft_plan_add_probe(p, false, text, e);

	if (r < 0)
		return r;
	struct kft_plan_probe *probe = &p->probes[p->n_probes - 1];
	probe->is_optional = true;
	probe->stack = stack;
	for (size_t i = 0; i + 1 < p->n_probes; i++) {
		struct kft_plan_probe *other = &p->probes[i];

		if (other->is_user || other->at_return != probe->at_return ||
		    !is_equal(other->symbol, probe->symbol) ||
		    !is_equal(other->args, probe->args) ||
		    !is_equal(other->filter, probe->filter))
			continue;
		other->stack |= stack;
		kft_plan_drop_probe(p);
		break;
	}
	return 0;
}

static int add(struct kft_plan *p, const struct kft_found_point *point, struct kft_err *e)
{
	switch (point->found) {
	case KFT_FOUND_EVENT:
		return add_event(p, point->what, point->callstack, e);
	case KFT_FOUND_KPROBE:
		return add_probe(p, point->what, point->callstack, e);
	case KFT_FOUND_FUNCTION:
		p->functions.enabled = true;
		return kft_plan_add_function(p, point->what, e);
	case KFT_FOUND_NOTHING:
		break;
	}
	return 0;
}

int kft_sets_plan(const kft_found_points *points, struct kft_plan *p, struct kft_err *e)
{
	size_t found = 0;
	int r = 0;

	for (size_t i = 0; i < points->len && r == 0; i++) {
		found += points->data[i].found != KFT_FOUND_NOTHING;
		r = add(p, &points->data[i], e);
	}
	if (r == 0 && points->len && !found) {
		r = kft_err_set(e, -ENOENT, "this kernel has nothing of set '%s'",
				points->data[0].set);
		kft_err_hint(e, "'kft sets %s' says why", points->data[0].set);
	}
	return r;
}
