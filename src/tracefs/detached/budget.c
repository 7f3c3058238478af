// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps a recording within its budget. */
#include "tracefs/detached/budget.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "base/units.h"
#include "base/vec.h"
#include "tracefs/control/control_file.h"

#define COUNT_NS	 UINT64_C(20000000)
#define EVENTS_MAX_BYTES (1U << 20)
#define PATH_BYTES	 512

static int by_rate(const void *a, const void *b)
{
	uint64_t ra = ((const struct kft_event_rate *)a)->per_s;
	uint64_t rb = ((const struct kft_event_rate *)b)->per_s;

	return ra < rb ? 1 : ra > rb ? -1 : 0;
}

size_t kft_budget_choose(struct kft_event_rate *rates, size_t n, uint64_t event_ns,
			 uint64_t max_ppm)
{
	uint64_t sum = 0;
	size_t out = 0;

	if (n)
		qsort(rates, n, sizeof(*rates), by_rate);
	for (size_t i = 0; i < n; i++)
		sum += rates[i].per_s;
	while (out < n && kft_budget_cost_ppm(sum, event_ns) > max_ppm)
		sum -= rates[out++].per_s;
	return out;
}

/* The events that a session has switched on, with their filters. */
struct enabled {
	struct kft_strbuf names; /* the events point into it */
	struct kft_arena filters; /* owns the filters */
	KFT_VEC(struct kft_event_rate) events;
};

static void finish_enabled(struct enabled *en)
{
	kft_strbuf_finish(&en->names);
	kft_arena_finish(&en->filters);
	kft_vec_finish(&en->events);
}

/* Makes the path of a file of the event "system:event"; false for other texts. */
static bool event_file(const char *event, const char *file, char ret[PATH_BYTES])
{
	size_t len = strcspn(event, ":");

	return event[len] && snprintf(ret, PATH_BYTES, "events/%.*s/%s/%s", (int)len,
				      event, event + len + 1, file) < PATH_BYTES;
}

static int read_filter(int instance_fd, const char *event, struct kft_arena *arena,
		       const char **ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[PATH_BYTES];

	*ret = NULL;
	if (!event_file(event, "filter", path) ||
	    kft_control_file_read(instance_fd, path, &text) < 0 ||
	    strcmp(text.buf, "none") == 0)
		return 0;
	*ret = kft_arena_strndup(arena, text.buf, text.len);
	return *ret ? 0 : -ENOMEM;
}

static int read_enabled(int instance_fd, struct enabled *en)
{
	char *save = NULL;
	int n = kft_read_at(instance_fd, "set_event", EVENTS_MAX_BYTES, &en->names);

	(void)kft_strbuf_cstr(&en->names);
	for (char *line = n == 0 ? strtok_r(en->names.buf, "\n", &save) : NULL;
	     line && n == 0; line = strtok_r(NULL, "\n", &save)) {
		struct kft_event_rate rate = {.event = line};

		n = read_filter(instance_fd, line, &en->filters, &rate.filter);
		if (n == 0 && !kft_vec_push(&en->events, rate))
			n = -ENOMEM;
	}
	return n;
}

static void mark(const struct kft_tracefs_part *r, const char *event, uint64_t rate)
{
	char text[PATH_BYTES];
	int len = snprintf(text, sizeof(text), "kft: left out %s, %" PRIu64 "/s", event,
			   rate);

	(void)!kft_write_at(r->place.fd, "trace_marker", 0, text,
			    KFT_MIN((size_t)len, sizeof(text) - 1));
}

/* Switches an event off; its marker follows its last record. */
static int leave_out(const struct kft_tracefs_part *r, const struct kft_event_rate *rate,
		     struct kft_strbuf *noted)
{
	char path[PATH_BYTES];
	int n = event_file(rate->event, "enable", path)
			? kft_write_at(r->place.fd, path, 0, "0", 1)
			: 0;

	mark(r, rate->event, rate->per_s);
	kft_strbuf_addf(noted, "%s %" PRIu64 "\n", rate->event, rate->per_s);
	return n;
}

static int leave_first_out(const struct kft_tracefs_part *r, const struct enabled *en,
			   size_t n, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf noted = {};
	int code = kft_rundir_read(&r->base.run->dir, KFT_BUDGET_LEFT_OUT, &noted, e);

	if (code < 0 && code != -ENOENT)
		return code;
	code = 0;
	for (size_t i = 0; i < n && code == 0; i++)
		code = leave_out(r, &en->events.data[i], &noted);
	if (code < 0)
		kft_err_sys(e, code, "cannot leave out events of session '%s'",
			    r->base.run->dir.name);
	int written = kft_rundir_write(&r->base.run->dir, KFT_BUDGET_LEFT_OUT, noted.buf,
				       noted.len, code < 0 ? NULL : e);
	return code < 0 ? code : written;
}

static int apply(const struct kft_tracefs_part *r, struct kft_err *e)
{
	const struct kft_run_options *o = &r->base.run->rec.options;
	struct enabled en = {};
	size_t out = 0;
	int n = read_enabled(r->place.fd, &en);

	if (n < 0)
		kft_err_sys(e, n, "cannot read the events of session '%s'",
			    r->base.run->dir.name);
	else
		n = kft_event_rates_count(r->base.run->host, en.events.data,
					  en.events.len, COUNT_NS, e);
	if (n == 0)
		out = kft_budget_choose(en.events.data, en.events.len, o->event_ns,
					o->max_cost_ppm);
	if (out)
		n = leave_first_out(r, &en, out, e);
	finish_enabled(&en);
	return n;
}

int kft_budget_begin(const struct kft_tracefs_part *r, struct kft_err *e)
{
	/* The file may be of an earlier recording of that name. */
	int n = kft_rundir_remove_file(&r->base.run->dir, KFT_BUDGET_LEFT_OUT, e);

	return n < 0 ? n : apply(r, e);
}

int kft_budget_tend(const struct kft_tracefs_part *r, struct kft_part_rate *last,
		    struct kft_err *e)
{
	const struct kft_run_options *o = &r->base.run->rec.options;
	const struct kft_part_rate before = *last;
	struct kft_cpu_counts counts;

	*last = (struct kft_part_rate){};
	int n = r->base.run->rec.state == KFT_STATE_RECORDING
			? kft_tracefs_part_counts(r, &counts)
			: 1;
	if (n != 0)
		return n < 0 ? n : 0;
	const struct kft_part_rate now = {
		.events = counts.entries + counts.overrun + counts.read,
		.at_ns = kft_now_ns(),
	};
	*last = now;
	/* The counters of emptied or new buffers start from 0. */
	if (!before.at_ns || now.events < before.events || now.at_ns <= before.at_ns)
		return 0;
	double seconds = (double)(now.at_ns - before.at_ns) / 1e9;
	uint64_t rate = (uint64_t)((double)(now.events - before.events) / seconds);
	if (kft_budget_cost_ppm(rate, o->event_ns) <= o->max_cost_ppm)
		return 0;
	*last = (struct kft_part_rate){};
	return apply(r, e);
}

/* Whether the line "SYSTEM:NAME RATE" is of one of the events. */
static bool is_of(const char *line, const struct kft_event_choices *c)
{
	kft_vec_for_each(&c->choices, choice) {
		size_t system = strlen(choice->system);
		size_t name = strlen(choice->name);

		if (strncmp(line, choice->system, system) == 0 && line[system] == ':' &&
		    strncmp(line + system + 1, choice->name, name) == 0 &&
		    line[system + 1 + name] == ' ')
			return true;
	}
	return false;
}

int kft_budget_forget(const struct kft_tracefs_part *r, const struct kft_event_choices *c,
		      struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf noted = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf kept = {};
	char *save = NULL;

	if (!r->base.run->rec.options.max_cost_ppm)
		return 0;
	int n = kft_rundir_read(&r->base.run->dir, KFT_BUDGET_LEFT_OUT, &noted, e);
	if (n < 0)
		return n == -ENOENT ? 0 : n;
	(void)kft_strbuf_cstr(&noted);
	for (char *line = strtok_r(noted.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (!is_of(line, c))
			kft_strbuf_addf(&kept, "%s\n", line);
	return kft_strbuf_ok(&kept)
		       ? kft_rundir_write(&r->base.run->dir, KFT_BUDGET_LEFT_OUT,
					  kept.buf, kept.len, e)
		       : kft_err_sys(e, -ENOMEM, "cannot note which events are left out");
}

void kft_budget_each_left_out(const struct kft_run *r, kft_left_out_fn *each, void *arg)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf noted = {};
	char *save = NULL;

	if (!r->rec.options.max_cost_ppm ||
	    kft_rundir_read(&r->dir, KFT_BUDGET_LEFT_OUT, &noted, NULL) < 0)
		return;
	(void)kft_strbuf_cstr(&noted);
	for (char *line = strtok_r(noted.buf, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *blank = strchr(line, ' ');
		uint64_t rate;

		if (!blank || kft_parse_u64(blank + 1, &rate) < 0)
			continue;
		*blank = '\0';
		each(arg, line, rate);
	}
}

static void mark_again(void *arg, const char *event, uint64_t rate)
{
	mark(arg, event, rate);
}

void kft_budget_mark(const struct kft_tracefs_part *r)
{
	kft_budget_each_left_out(r->base.run, mark_again, (void *)r);
}
