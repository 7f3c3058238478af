// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the events, processes and name of plans. */
#include <kft/plan.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/macro.h"
#include "plan/intervals.h"
#include "plan/probes.h"
#include "plan/trigger.h"

/* The name is part of a directory's name: see tracefs/control/instance.h. */
#define NAME_MAX_BYTES 64

static const char name_chars[] = "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789_.-";

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool has_blank_or_control(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || *s == 0x7f)
			return true;
	return false;
}

/* Copies s without blanks at both ends; NULL when memory runs out. */
static char *strdup_trimmed(const char *s)
{
	while (is_blank(*s))
		s++;
	size_t len = strlen(s);
	while (len && is_blank(s[len - 1]))
		len--;
	return strndup(s, len);
}

static int check_pattern(const char *pattern, struct kft_err *e)
{
	pattern += *pattern == '!';
	const char *colon = strchr(pattern, ':');

	if (!*pattern)
		return kft_err_set(e, -EINVAL, "an event pattern is empty");
	if (has_blank_or_control(pattern))
		return kft_err_set(e, -EINVAL, "event pattern '%s' has a blank in it",
				   pattern);
	if (colon && (colon == pattern || !colon[1] || strchr(colon + 1, ':'))) {
		kft_err_set(e, -EINVAL, "not an event pattern: '%s'", pattern);
		kft_err_hint(e, "write SYSTEM:EVENT or SYSTEM, both may have * ? and []");
		return -EINVAL;
	}
	return 0;
}

static void event_finish(struct kft_plan_event *ev)
{
	free(ev->pattern);
	free(ev->filter);
}

KFT_EXPORT void kft_plan_finish(struct kft_plan *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_events; i++)
		event_finish(&p->events[i]);
	free(p->events);
	free(p->pids);
	free(p->name);
	free(p->clock);
	free(p->samples.event);
	kft_plan_probes_finish(p);
	kft_plan_intervals_finish(p);
	kft_plan_trigger_finish(&p->start);
	kft_plan_trigger_finish(&p->stop);
	kft_plan_functions_finish(&p->functions);
	*p = (struct kft_plan){.size = p->size};
}

static int push_event(struct kft_plan *p, const struct kft_plan_event *ev)
{
	struct kft_plan_event *events = reallocarray(p->events, p->n_events + 1,
						     sizeof(*ev));

	if (!events)
		return -ENOMEM;
	p->events = events;
	p->events[p->n_events++] = *ev;
	return 0;
}

KFT_EXPORT int kft_plan_add_event(struct kft_plan *p, const char *pattern,
				  const char *filter, struct kft_err *e)
{
	if (!p || !pattern)
		return kft_err_missing(e, p ? "event pattern" : "plan");
	int r = check_pattern(pattern, e);

	if (r < 0)
		return r;
	struct kft_plan_event ev = {
		.pattern = strdup(pattern),
		.filter = filter ? strdup_trimmed(filter) : NULL,
	};
	if (!ev.pattern || (filter && !ev.filter))
		r = kft_err_sys(e, -ENOMEM, "cannot add event '%s'", pattern);
	else if (ev.filter && *pattern == '!')
		r = kft_err_set(e, -EINVAL, "'%s' excludes events and has no filter",
				pattern);
	else if (ev.filter && !*ev.filter)
		r = kft_err_set(e, -EINVAL, "the filter of '%s' is empty", pattern);
	else if (push_event(p, &ev) < 0)
		r = kft_err_sys(e, -ENOMEM, "cannot add event '%s'", pattern);
	if (r < 0)
		event_finish(&ev);
	return r;
}

KFT_EXPORT int kft_plan_add_pid(struct kft_plan *p, pid_t pid, struct kft_err *e)
{
	if (!p)
		return kft_err_missing(e, "plan");
	if (pid <= 0)
		return kft_err_set(e, -EINVAL, "not a process id: %ld", (long)pid);
	for (size_t i = 0; i < p->n_pids; i++)
		if (p->pids[i] == pid)
			return 0;
	pid_t *pids = reallocarray(p->pids, p->n_pids + 1, sizeof(pid));
	if (!pids)
		return kft_err_sys(e, -ENOMEM, "cannot add process %ld", (long)pid);
	p->pids = pids;
	p->pids[p->n_pids++] = pid;
	return 0;
}

static int replace(char **field, const char *value, struct kft_err *e)
{
	char *copy = strdup(value);

	if (!copy)
		return kft_err_sys(e, -ENOMEM, "cannot set '%s'", value);
	free(*field);
	*field = copy;
	return 0;
}

KFT_EXPORT int kft_plan_set_name(struct kft_plan *p, const char *name, struct kft_err *e)
{
	if (!p || !name)
		return kft_err_missing(e, p ? "name" : "plan");
	size_t len = strlen(name);
	if (!len || len > NAME_MAX_BYTES || strspn(name, name_chars) != len) {
		kft_err_set(e, -EINVAL, "not a session's name: '%s'", name);
		kft_err_hint(e, "use up to %d letters, digits, '_', '.' and '-'",
			     NAME_MAX_BYTES);
		return -EINVAL;
	}
	return replace(&p->name, name, e);
}

KFT_EXPORT int kft_plan_set_clock(struct kft_plan *p, const char *clock,
				  struct kft_err *e)
{
	if (!p || !clock)
		return kft_err_missing(e, p ? "clock" : "plan");
	if (!*clock || has_blank_or_control(clock))
		return kft_err_set(e, -EINVAL, "not a trace clock: '%s'", clock);
	return replace(&p->clock, clock, e);
}
