// SPDX-License-Identifier: LGPL-2.1-or-later
/* Resolves a plan's patterns of events and enables them. */
#include "tracefs/sources/events.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/io.h"
#include "base/suggest.h"
#include "tracefs/sources/filter.h"
#include "tracefs/sources/stack_trigger.h"

#define NOT_CHOSEN SIZE_MAX

/* An event of the kernel, with the pattern that selects it. */
struct candidate {
	const char *system;
	const char *name;
	size_t pattern;
};

/* Splits the names "system:event" of the catalog's entries. */
static struct candidate *split(struct kft_catalog *catalog)
{
	struct candidate *c = calloc(catalog->entries.len + 1, sizeof(*c));

	for (size_t i = 0; c && i < catalog->entries.len; i++) {
		char *colon = strchr(catalog->entries.data[i].name, ':');

		*colon = '\0';
		c[i] = (struct candidate){
			.system = catalog->entries.data[i].name,
			.name = colon + 1,
			.pattern = NOT_CHOSEN,
		};
	}
	return c;
}

static size_t choose(struct candidate *cands, size_t n, const char *system,
		     const char *name, size_t pattern)
{
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!kft_glob(system, cands[i].system) || !kft_glob(name, cands[i].name))
			continue;
		cands[i].pattern = pattern;
		found++;
	}
	return found;
}

static int not_found(const struct candidate *cands, size_t n, const char *pattern,
		     struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_suggest s;
	bool with_system = strchr(pattern, ':') != NULL;

	kft_suggest_init(&s, pattern);
	for (size_t i = 0; i < n; i++) {
		kft_strbuf_clear(&sb);
		kft_strbuf_addf(&sb, "%s:%s", cands[i].system, cands[i].name);
		if (with_system) {
			kft_suggest_add(&s, sb.buf, sb.len);
		} else {
			kft_suggest_add(&s, cands[i].system, strlen(cands[i].system));
			kft_suggest_add(&s, cands[i].name, strlen(cands[i].name));
		}
	}
	kft_strbuf_clear(&sb);
	kft_err_set(e, -ENOENT, "this kernel has no event '%s'", pattern);
	if (strncmp(pattern, "ftrace:", 7) == 0)
		kft_err_hint(e, "events of system ftrace are written by tracers and "
				"cannot be enabled");
	else if (kft_suggest_text(&s, &sb))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&sb));
	else
		kft_err_hint(e, "'kft list events' shows all that it has");
	return -ENOENT;
}

static int choose_pattern(struct candidate *cands, size_t n, const char *pattern,
			  size_t idx, struct kft_err *e)
{
	char system[PATH_MAX];
	const char *colon = strchr(pattern, ':');
	size_t found;

	if (colon) {
		if ((size_t)(colon - pattern) >= sizeof(system))
			return not_found(cands, n, pattern, e);
		memcpy(system, pattern, colon - pattern);
		system[colon - pattern] = '\0';
		found = choose(cands, n, system, colon + 1, idx);
	} else {
		found = choose(cands, n, pattern, "*", idx);
		if (!found)
			found = choose(cands, n, "*", pattern, idx);
	}
	return found ? 0 : not_found(cands, n, pattern, e);
}

static int keep_chosen(struct kft_event_choices *c, const struct candidate *cands)
{
	for (size_t i = 0; i < c->catalog.entries.len; i++) {
		if (cands[i].pattern == NOT_CHOSEN)
			continue;
		struct kft_event_choice choice = {
			.system = cands[i].system,
			.name = cands[i].name,
			.pattern = cands[i].pattern,
		};
		if (!kft_vec_push(&c->choices, choice))
			return -ENOMEM;
	}
	return 0;
}

static bool is_excluded(const struct kft_plan_event *ev)
{
	return ev->pattern[0] == '!';
}

int kft_event_choices_resolve(struct kft_host *host, const struct kft_plan *plan,
			      struct kft_event_choices *ret, struct kft_err *e)
{
	_cleanup_(kft_event_choices_finish) struct kft_event_choices c = {.plan = plan};
	int r = kft_catalog_read(host, KFT_CATALOG_EVENTS, NULL, &c.catalog, e);

	if (r < 0)
		return r;
	_cleanup_free_ struct candidate *cands = split(&c.catalog);
	if (!cands)
		return kft_err_sys(e, -ENOMEM, "cannot choose the events");
	for (size_t i = 0; i < plan->n_events; i++) {
		if (is_excluded(&plan->events[i]))
			continue;
		r = choose_pattern(cands, c.catalog.entries.len, plan->events[i].pattern,
				   i, e);
		if (r == -ENOENT && plan->events[i].is_optional) {
			*(e ? e : &(struct kft_err){}) = (struct kft_err){};
			continue;
		}
		if (r < 0)
			return r;
	}
	/*
	 * Exclusions are applied last, so that they hold wherever they stand among the
	 * patterns.
	 */
	for (size_t i = 0; i < plan->n_events; i++) {
		if (!is_excluded(&plan->events[i]))
			continue;
		r = choose_pattern(cands, c.catalog.entries.len,
				   plan->events[i].pattern + 1, NOT_CHOSEN, e);
		if (r < 0)
			return r;
	}
	r = keep_chosen(&c, cands);
	if (r < 0)
		return kft_err_sys(e, r, "cannot choose the events");
	*ret = c;
	c = (struct kft_event_choices){};
	return 0;
}

static int set_filter(const struct kft_tracefs_dir *p,
		      const struct kft_event_choice *choice, const char *filter,
		      struct kft_err *e)
{
	char path[KFT_PLACE_FILE_MAX];
	int r = 0;

	(void)snprintf(path, sizeof(path), "events/%s/%s/filter", choice->system,
		       choice->name);
	if (p->top)
		r = kft_ledger_note_filter(p->ledger, path, e);
	return r < 0 ? r : kft_filter_set(p->fd, choice->system, choice->name, filter, e);
}

static int switch_one(const struct kft_tracefs_dir *p,
		      const struct kft_event_choice *choice, const char *value)
{
	char path[KFT_PLACE_FILE_MAX];

	if (snprintf(path, sizeof(path), "events/%s/%s/enable", choice->system,
		     choice->name) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return p->top ? kft_ledger_set(p->ledger, path, value, NULL)
		      : kft_write_at(p->fd, path, O_TRUNC, value, 1);
}

static int enable_one(const struct kft_tracefs_dir *p,
		      const struct kft_event_choice *choice,
		      const struct kft_plan_event *ev, struct kft_err *e)
{
	int r = ev->filter ? set_filter(p, choice, ev->filter, e) : 0;

	if (r == 0 && ev->stack)
		r = kft_stack_trigger_set(p, choice->system, choice->name, ev->filter, e);
	if (r < 0)
		return r;
	r = switch_one(p, choice, "1");
	if (r < 0)
		kft_err_sys(e, r, "cannot enable event %s:%s", choice->system,
			    choice->name);
	return r;
}

/* The results for the events of one pattern; err is the error of the first event that failed. */
struct tally {
	size_t enabled;
	size_t refused;
	struct kft_err err;
};

static void tally_add(struct tally *t, int r, const struct kft_err *err)
{
	if (r == 0)
		t->enabled++;
	else if (t->refused++ == 0)
		t->err = *err;
}

static int judge(const struct tally *t, const char *pattern,
		 const struct kft_notify *notify, struct kft_err *e)
{
	if (!t->refused)
		return 0;
	if (!t->enabled) {
		if (e)
			*e = t->err;
		return t->err.code;
	}
	/* Only the first line of the error: the filter and its caret are left out. */
	kft_notify(notify, "%zu of %zu events of '%s' are not recorded: %.*s", t->refused,
		   t->enabled + t->refused, pattern, (int)strcspn(t->err.msg, "\n"),
		   t->err.msg);
	return 0;
}

int kft_event_choices_enable(const struct kft_event_choices *c,
			     const struct kft_tracefs_dir *p,
			     const struct kft_notify *notify, struct kft_err *e)
{
	const struct kft_plan *plan = c->plan;
	_cleanup_free_ struct tally *tallies = calloc(plan->n_events + 1,
						      sizeof(*tallies));

	if (!tallies)
		return kft_err_sys(e, -ENOMEM, "cannot enable the events");
	for (size_t i = 0; i < c->choices.len; i++) {
		const struct kft_event_choice *choice = &c->choices.data[i];
		struct kft_err err = {};
		int r = enable_one(p, choice, &plan->events[choice->pattern], &err);

		tally_add(&tallies[choice->pattern], r, &err);
	}
	for (size_t i = 0; i < plan->n_events; i++) {
		int r = judge(&tallies[i], plan->events[i].pattern, notify, e);

		if (r < 0)
			return r;
	}
	return 0;
}

int kft_event_choices_disable(const struct kft_event_choices *c,
			      const struct kft_tracefs_dir *p, struct kft_err *e)
{
	for (size_t i = 0; i < c->choices.len; i++) {
		const struct kft_event_choice *choice = &c->choices.data[i];
		int r = switch_one(p, choice, "0");

		/* The trigger records stacks even for a disabled event. */
		if (r == 0)
			r = kft_stack_trigger_remove(p, choice->system, choice->name);
		if (r < 0)
			return kft_err_sys(e, r, "cannot disable event %s:%s",
					   choice->system, choice->name);
	}
	return 0;
}

void kft_event_choices_finish(struct kft_event_choices *c)
{
	kft_vec_finish(&c->choices);
	kft_catalog_finish(&c->catalog);
}
