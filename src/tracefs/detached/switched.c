// SPDX-License-Identifier: LGPL-2.1-or-later
/* Switches sets of events on and off in recordings that are under way. */
#include "tracefs/detached/switched.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/detached/budget.h"
#include "tracefs/sources/events.h"

#define MARK_BYTES 256

int kft_switched_check(const struct kft_plan *plan, const char *name, struct kft_err *e)
{
	if (strchr(name, '\n'))
		return kft_err_set(e, -EINVAL, "a set's name has no line end: '%s'",
				   name);
	if (!plan->n_probes && !plan->functions.enabled)
		return 0;
	(void)kft_err_set(
		e, -EOPNOTSUPP,
		"set '%s' has probes or functions on this kernel: they are made "
		"when a recording begins",
		name);
	kft_err_hint(e, "'kft sets %s' shows them", name);
	return -EOPNOTSUPP;
}

static void mark(const struct kft_tracefs_part *r, const char *change)
{
	char text[MARK_BYTES];
	int n = snprintf(text, sizeof(text), "kft: set %s", change);

	(void)!kft_write_at(r->place.fd, "trace_marker", 0, text,
			    KFT_MIN((size_t)n, sizeof(text) - 1));
}

int kft_switched_each(const struct kft_run *r, kft_switched_fn *each, void *arg,
		      struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char *save = NULL;
	int n = kft_rundir_read(&r->dir, KFT_SWITCHED, &text, e);

	if (n < 0)
		return n == -ENOENT ? 0 : n;
	(void)kft_strbuf_cstr(&text);
	for (char *line = strtok_r(text.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		each(arg, line);
	return 0;
}

struct note {
	const char *name; /* the set; its earlier change is dropped */
	struct kft_strbuf text;
};

static void keep_others(void *arg, const char *line)
{
	struct note *note = arg;

	if (strcmp(line + 1, note->name) != 0)
		kft_strbuf_addf(&note->text, "%s\n", line);
}

/* Stores the last change of a set. */
static int note_change(const struct kft_tracefs_part *r, const char *change,
		       struct kft_err *e)
{
	struct note note = {.name = change + 1};
	int n = kft_switched_each(r->base.run, keep_others, &note, e);

	kft_strbuf_addf(&note.text, "%s\n", change);
	if (n == 0)
		n = kft_strbuf_ok(&note.text)
			    ? kft_rundir_write(&r->base.run->dir, KFT_SWITCHED,
					       note.text.buf, note.text.len, e)
			    : kft_err_memory(e);
	kft_strbuf_finish(&note.text);
	return n;
}

int kft_switched_switch(struct kft_part *p, const struct kft_plan *plan, const char *name,
			bool on, struct kft_err *e)
{
	const struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf change = {};
	_cleanup_(kft_event_choices_finish) struct kft_event_choices choices = {};
	int n = kft_switched_check(plan, name, e);

	if (n == 0)
		n = kft_event_choices_resolve(r->base.run->host, plan, &choices, e);
	if (n < 0)
		return n;
	kft_strbuf_addf(&change, "%c%s", on ? '+' : '-', name);
	n = note_change(r, kft_strbuf_cstr(&change), e);
	if (n == 0 && on)
		n = kft_budget_forget(r, &choices, e);
	if (n == 0)
		n = on ? kft_event_choices_enable(&choices, &r->place,
						  r->base.run->notify, e)
		       : kft_event_choices_disable(&choices, &r->place, e);
	/*
	 * Events of a set that is switched on may precede the marker; none of a set that
	 * is switched off follow it.
	 */
	if (n == 0)
		mark(r, kft_strbuf_cstr(&change));
	return n;
}

static void mark_line(void *arg, const char *line)
{
	mark(arg, line);
}

void kft_switched_mark(const struct kft_tracefs_part *r)
{
	(void)!kft_switched_each(r->base.run, mark_line, (void *)r, NULL);
}

static void add_line(void *arg, const char *line)
{
	struct kft_strbuf *sb = arg;

	kft_strbuf_adds(sb, sb->len ? ", " : "");
	kft_strbuf_add_escaped(sb, line, strlen(line));
}

void kft_switched_text(const struct kft_run *r, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	(void)!kft_switched_each(r, add_line, &text, NULL);
	kft_strbuf_add(sb, text.buf, text.len);
}
