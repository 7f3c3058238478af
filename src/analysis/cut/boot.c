// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds where the run of a boot begins and ends in its trace. */
#include "analysis/cut/boot.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "base/err.h"
#include "model/merge.h"
#include "model/run_mark.h"

enum { SOURCES_MAX = 5 };

/* Events that tell of a function. */
struct source {
	uint16_t id;
	bool at_end; /* the event is where the function returns */
	bool is_probe; /* put on the function alone */
	const struct kft_field *func; /* what function; not of a probe */
	const struct kft_field *pid;
	const struct kft_field *calltime; /* also tells of the entry */
	const struct kft_field *rettime;
};

struct search {
	struct kft_trace *trace;
	const struct kft_plan_trigger *trigger;
	uint64_t after; /* what was earlier does not count */
	KFT_VEC(uint64_t) addrs; /* of the function: several may have its name */
	struct source sources[SOURCES_MAX];
	size_t n_sources;
	bool found;
	bool settled; /* the call that triggers has been seen to return */
	uint64_t best;
	uint64_t best_pid;
};

static bool is_exit(const struct search *s)
{
	return s->trigger->kind == KFT_TRIGGER_EXIT;
}

static void add_source(struct search *s, const char *system, const char *name,
		       const char *func, bool at_end)
{
	const struct kft_class *c = kft_class_table_find(&s->trace->classes, system,
							 name);
	struct source src = {.at_end = at_end, .is_probe = !func};

	if (!c)
		return;
	src.id = c->id;
	src.func = func ? kft_class_field(c, func) : NULL;
	src.pid = kft_class_field(c, "common_pid");
	src.calltime = kft_class_field(c, "calltime");
	src.rettime = kft_class_field(c, "rettime");
	if (src.is_probe || src.func)
		s->sources[s->n_sources++] = src;
}

static int add_addrs(struct search *s)
{
	const struct kft_symbol_table *t = &s->trace->symbols;
	const char *name = s->trigger->func.name;
	size_t len = strlen(name);

	kft_vec_for_each(&t->syms, sym)
		if (sym->name_len == len && memcmp(sym->name, name, len) == 0 &&
		    !kft_vec_push(&s->addrs, sym->addr))
			return -ENOMEM;
	return 0;
}

static uint64_t get(const struct search *s, const struct kft_event *ev,
		    const struct kft_field *f)
{
	uint64_t v;

	return f && kft_event_int(ev, f, s->trace->swap, &v) ? v : 0;
}

static bool is_about_function(const struct search *s, const struct source *src,
			      const struct kft_event *ev)
{
	if (src->is_probe)
		return true;
	uint64_t func = get(s, ev, src->func);

	kft_vec_for_each(&s->addrs, addr)
		if (*addr == func)
			return true;
	return false;
}

static void consider(struct search *s, uint64_t ts, uint64_t pid)
{
	if (ts < s->after || (s->found && ts >= s->best))
		return;
	s->found = true;
	s->best = ts;
	s->best_pid = pid;
}

/* A probe may notice a return before function_graph does: then that one is the end. */
static void settle(struct search *s, uint64_t entry, uint64_t exit, uint64_t pid)
{
	if (!s->found || s->settled || pid != s->best_pid || entry > s->best ||
	    exit < s->best)
		return;
	s->best = exit;
	s->settled = true;
}

static void feed(struct search *s, const struct source *src, const struct kft_event *ev)
{
	uint64_t in = get(s, ev, src->calltime);
	uint64_t out = get(s, ev, src->rettime);
	uint64_t pid = get(s, ev, src->pid);
	uint64_t entry = out > in && out - in < ev->ts ? ev->ts - (out - in) : ev->ts;

	if (!is_exit(s)) {
		if (!src->at_end || src->calltime)
			consider(s, entry, pid);
		return;
	}
	if (!src->at_end)
		return;
	if (src->calltime)
		settle(s, entry, ev->ts, pid);
	consider(s, ev->ts, pid);
}

static int feed_all(struct search *s)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t wanted[KFT_ID_WORDS] = {};
	const struct kft_scope scope = {.wanted = wanted};
	const struct kft_event *ev;

	for (size_t i = 0; i < s->n_sources; i++)
		kft_bits_add(wanted, s->sources[i].id);
	int r = kft_merge_create(s->trace, &scope, &m);
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		r = 0;
		for (size_t i = 0; i < s->n_sources; i++)
			if (s->sources[i].id == ev->id &&
			    is_about_function(s, &s->sources[i], ev))
				feed(s, &s->sources[i], ev);
	}
	return r;
}

/* 1 when the function was found, 0 when it is not in the trace. */
static int find(struct kft_trace *t, const struct kft_plan_trigger *trigger,
		const char *event, uint64_t after, uint64_t *ret)
{
	struct search s = {.trace = t, .trigger = trigger, .after = after};
	bool is_return = trigger->kind == KFT_TRIGGER_EXIT;

	add_source(&s, KFT_BOOT_GROUP, event, NULL, is_return);
	add_source(&s, "initcall", "initcall_start", "func", false);
	add_source(&s, "initcall", "initcall_finish", "func", true);
	add_source(&s, "ftrace", "funcgraph_entry", "func", false);
	add_source(&s, "ftrace", "funcgraph_exit", "func", true);
	int r = add_addrs(&s);

	if (r == 0)
		r = feed_all(&s);
	kft_vec_finish(&s.addrs);
	if (r == 0 && s.found)
		*ret = s.best;
	return r < 0 ? r : s.found;
}

static bool at_function(const struct kft_plan_trigger *t)
{
	return t->kind == KFT_TRIGGER_ENTRY || t->kind == KFT_TRIGGER_EXIT;
}

static int find_last(struct kft_trace *t, uint64_t *ret)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int r = kft_merge_create(t, NULL, &m);

	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0) {
		*ret = ev->ts;
		r = 0;
	}
	return r;
}

static int find_start(struct kft_trace *t, const struct kft_plan_trigger *start,
		      struct kft_cut_boot *w)
{
	/* Without a trigger that is time 0. */
	w->window.start_ns = start->time_ns;
	w->window.started = KFT_CAUSE_TIME;
	if (!at_function(start))
		return 0;
	int r = find(t, start, KFT_PROBE_START, 0, &w->window.start_ns);

	w->start_missing = r == 0;
	if (r > 0)
		w->window.started = KFT_CAUSE_TRIGGER;
	return r < 0 ? r : 0;
}

static int find_stop(struct kft_trace *t, const struct kft_plan_trigger *stop,
		     struct kft_cut_boot *w)
{
	if (stop->kind == KFT_TRIGGER_TIME &&
	    !kft_add(w->window.start_ns, stop->time_ns, &w->window.stop_ns))
		w->window.stopped = KFT_CAUSE_TIME;
	if (!at_function(stop))
		return 0;
	int r = find(t, stop, KFT_PROBE_STOP, w->window.start_ns, &w->window.stop_ns);

	w->stop_missing = r == 0;
	if (r > 0)
		w->window.stopped = KFT_CAUSE_TRIGGER;
	return r < 0 ? r : 0;
}

int kft_cut_boot_find(struct kft_trace *t, const struct kft_plan *plan,
		      struct kft_cut_boot *ret, struct kft_err *e)
{
	struct kft_cut_boot w = {.window = {.stop_ns = UINT64_MAX}};
	int r = find_start(t, &plan->start, &w);

	if (r == 0)
		r = find_stop(t, &plan->stop, &w);
	if (r == 0)
		r = find_last(t, &w.last_ns);
	if (r < 0)
		return kft_err_sys(e, r, "cannot find where the run begins and ends");
	*ret = w;
	return 0;
}
