// SPDX-License-Identifier: LGPL-2.1-or-later
/* Turns fields of events into curves. */
#include "view/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpuset.h"
#include "base/err.h"

void kft_view_counters_finish(struct kft_view_counters *c)
{
	kft_view_series_finish(&c->series);
	kft_vec_finish(&c->n_waiting);
	kft_vec_finish(&c->changes);
	kft_vec_finish(&c->list);
	kft_vec_for_each(&c->texts, text)
		free(*text);
	kft_vec_finish(&c->texts);
}

static int refuse(const char *text, const char *what, struct kft_err *e)
{
	int r = kft_err_set(e, -EINVAL, "not a counter: '%s': %s", text, what);

	kft_err_hint(e, "like 'EVENT/FIELD by FIELD', with a number of the event");
	return r;
}

static int number_field(const struct kft_class *cls, const char *name,
			const struct kft_field **ret, struct kft_err *e)
{
	*ret = kft_class_field(cls, name);
	if (*ret && (*ret)->kind == KFT_FIELD_INT && (*ret)->place == KFT_FIELD_INLINE)
		return 0;
	return kft_err_set(e, -ENOENT, "event '%s' has no number '%s'", cls->name, name);
}

/*
 * Parses "FIELD[,FIELD]" in place. "cpu" is the event's CPU unless the
 * event has such a field.
 */
static int parse_by(struct kft_view_counter *c, const struct kft_class *cls,
		    const char *text, char *by, struct kft_err *e)
{
	char *rest = by;
	char *name;
	int r = 0;

	while (!r && (name = strsep(&rest, ","))) {
		if (!*name || c->n_by == KFT_VIEW_SERIES_BY)
			return refuse(text, *name ? "too many fields" : "no field", e);
		c->by_names[c->n_by] = name;
		if (strcmp(name, "cpu") != 0 || kft_class_field(cls, name))
			r = number_field(cls, name, &c->by[c->n_by], e);
		c->n_by++;
	}
	return r;
}

/* Parses "SYSTEM:EVENT" or "EVENT" in place. */
static const struct kft_class *find_class(struct kft_trace *t, char *event)
{
	char *colon = strchr(event, ':');

	if (colon)
		*colon = '\0';
	return kft_class_table_find(&t->classes, colon ? event : NULL,
				    colon ? colon + 1 : event);
}

static int keep(struct kft_view_counters *c, const char *text, char **ret)
{
	*ret = strdup(text);
	if (*ret && kft_vec_push(&c->texts, *ret))
		return 0;
	free(*ret);
	return -ENOMEM;
}

int kft_view_counters_ask(struct kft_view_counters *c, struct kft_trace *t,
			  const char *text, struct kft_err *e)
{
	struct kft_view_counter counter = {};
	char *label;
	char *parts;
	int r = keep(c, text, &label);

	if (!r)
		r = keep(c, text, &parts);
	if (r < 0)
		return r;
	char *by = strstr(parts, " by ");
	char *field = strchr(parts, '/');

	if (by) {
		*by = '\0';
		*strstr(label, " by ") = '\0';
		by += 4;
	}
	if (!field || field == parts || !field[1] || (by && field > by))
		return refuse(text, "no event or no field", e);
	*field++ = '\0';
	const struct kft_class *cls = find_class(t, parts);

	if (!cls)
		return kft_err_set(e, -ENOENT, "the trace has no event of '%s'", text);
	counter.label = label;
	counter.id = cls->id;
	r = number_field(cls, field, &counter.value, e);
	if (!r && by)
		r = parse_by(&counter, cls, text, by, e);
	if (r < 0)
		return r;
	c->trace = t;
	kft_bits_add(c->wanted, cls->id);
	return kft_vec_push(&c->list, counter) ? 0 : -ENOMEM;
}

static bool has_event(struct kft_trace *t, const char *name)
{
	return kft_class_table_find(&t->classes, "sched", name) != NULL;
}

/* Whether the trace shows both ends of a wait for a CPU. */
static bool has_waits(struct kft_trace *t)
{
	return has_event(t, "sched_switch") &&
	       (has_event(t, "sched_waking") || has_event(t, "sched_wakeup"));
}

int kft_view_counters_usual(struct kft_view_counters *c, struct kft_trace *t)
{
	static const char *const usual[] = {
		"power:cpu_frequency/state by cpu_id",
		"kmem:rss_stat/size by mm_id,member",
	};

	const struct kft_view_counter waiting = {
		.label = "tasks waiting", .n_by = 1, .by_names = {"CPU"}};

	c->trace = t;
	if (has_waits(t) && !kft_vec_push(&c->list, waiting))
		return -ENOMEM;
	if (has_waits(t))
		c->waiting = (uint32_t)c->list.len;
	for (size_t i = 0; i < ARRAY_SIZE(usual); i++)
		if (kft_view_counters_ask(c, t, usual[i], NULL) == -ENOMEM)
			return -ENOMEM;
	return 0;
}

static int feed_one(struct kft_view_counters *c, uint32_t number,
		    const struct kft_event *ev)
{
	const struct kft_view_counter *counter = &c->list.data[number];
	uint64_t by[KFT_VIEW_SERIES_BY] = {};
	uint64_t value;

	for (unsigned int i = 0; i < counter->n_by; i++) {
		by[i] = ev->cpu;
		if (counter->by[i] &&
		    !kft_event_int(ev, counter->by[i], c->trace->swap, &by[i]))
			return 0;
	}
	if (!kft_event_int(ev, counter->value, c->trace->swap, &value))
		return 0;
	return kft_view_series_set(&c->series, number, by, ev->ts, (int64_t)value);
}

int kft_view_counters_queue(struct kft_view_counters *c, uint64_t ts, uint32_t cpu,
			    int by)
{
	const struct kft_view_queue_change change = {ts, cpu, by};

	/* A broken trace may name any CPU. */
	if (!c->waiting || cpu >= KFT_CPU_MAX)
		return 0;
	return kft_vec_push(&c->changes, change) ? 0 : -ENOMEM;
}

static int feed_change(struct kft_view_counters *c,
		       const struct kft_view_queue_change *change)
{
	const uint64_t name[KFT_VIEW_SERIES_BY] = {change->cpu};

	while (c->n_waiting.len <= change->cpu)
		if (!kft_vec_push(&c->n_waiting, 0))
			return -ENOMEM;
	c->n_waiting.data[change->cpu] += change->by;
	return kft_view_series_set(&c->series, c->waiting - 1, name, change->ts,
				   c->n_waiting.data[change->cpu]);
}

int kft_view_counters_feed(struct kft_view_counters *c, const struct kft_event *ev)
{
	int r = 0;

	for (size_t i = 0; i < c->changes.len && !r; i++)
		r = feed_change(c, &c->changes.data[i]);
	c->changes.len = 0;
	if (r < 0 || !kft_id_wanted(c->wanted, ev->id))
		return r;
	for (uint32_t i = 0; i < c->list.len && !r; i++)
		if (c->list.data[i].id == ev->id)
			r = feed_one(c, i, ev);
	return r;
}

void kft_view_counters_name(const struct kft_view_counters *c, uint32_t series,
			    struct kft_strbuf *ret)
{
	const struct kft_view_one_series *one = &c->series.list.data[series];
	const struct kft_view_counter *counter = &c->list.data[one->counter];

	kft_strbuf_adds(ret, counter->label);
	for (unsigned int i = 0; i < counter->n_by; i++)
		kft_strbuf_addf(ret, " %s %" PRIu64, counter->by_names[i], one->by[i]);
}
