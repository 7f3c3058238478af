// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds conditions in events as they happen. */
#include "watch/match.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/units.h"
#include "derive/engine/engine.h"
#include "derive/kinds/kinds.h"
#include "model/event_filter.h"
#include "watch/own_tasks.h"
#include "watch/in_kernel.h"

#define COMM_MAX_BYTES 64

/* The state of a condition. */
struct waiting {
	const struct kft_condition *condition; /* borrowed */
	const struct kft_interval_kind *kind; /* of an interval */
	const struct kft_class *cls; /* of an event, a function or a mark */
	struct kft_in_kernel found; /* of an interval that the kernel finds */
	struct kft_interval last; /* the last interval that the kernel found */
	const struct kft_field *text; /* of a mark */
	struct kft_filter *filter; /* owned; NULL: every event */
	uint64_t due_ns; /* UINT64_MAX: time alone does not meet it */
};

struct kft_match {
	struct kft_trace *trace; /* borrowed */
	struct kft_engine *engine; /* owned; NULL: no condition needs intervals */
	/* The watcher's own processes, which must not meet conditions. */
	struct kft_own_tasks own;
	kft_match_fn *fn;
	void *arg;
	size_t n;
	struct waiting *waiting; /* owned */
};

static const struct kft_interval_kind *kind_of(const struct kft_condition *c)
{
	return c->when == KFT_WHEN_INTERVAL ? kft_interval_kind_find(c->what) : NULL;
}

static int find_class(struct kft_match *m, struct waiting *w, struct kft_err *e)
{
	const struct kft_condition *c = w->condition;
	const char *colon = strchr(c->what, ':');
	_cleanup_free_ char *system = NULL;
	_cleanup_free_ char *name = NULL;

	if (c->when == KFT_WHEN_MARK) {
		w->cls = kft_class_table_find(&m->trace->classes, "ftrace", "print");
		w->text = w->cls ? kft_class_field(w->cls, "buf") : NULL;
	} else if (colon) {
		system = strndup(c->what, (size_t)(colon - c->what));
		w->cls = system ? kft_class_table_find(&m->trace->classes, system,
						       colon + 1)
				: NULL;
	} else if (asprintf(&name, "%s%s", c->what,
			    c->when == KFT_WHEN_EXIT ? "_return" : "") > 0) {
		w->cls = kft_class_table_find(&m->trace->classes, NULL, name);
	}
	if (!w->cls)
		return kft_err_set(e, -ENOENT, "nothing is known of '%s'", c->what);
	return c->filter ? kft_filter_compile(c->filter, w->cls, &w->filter, e) : 0;
}

/* Refuses a kind if the kernel does not have its events. */
static int check_kind(struct kft_match *m, const struct kft_interval_kind *kind,
		      struct kft_err *e)
{
	uint64_t ids[65536 / 64] = {};

	kft_engine_needs(m->trace, &kind, 1, ids);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		if (ids[i])
			return 0;
	return kft_err_set(e, -ENOENT, "this kernel has no events of '%s'", kind->name);
}

static int prepare(struct kft_match *m, const struct kft_conditions *conditions, size_t i,
		   uint64_t since_ns, struct kft_err *e)
{
	struct waiting *w = &m->waiting[i];
	const struct kft_condition *c = w->condition;

	w->due_ns = UINT64_MAX;
	if ((c->when == KFT_WHEN_TIME || c->when == KFT_WHEN_SILENCE) &&
	    kft_add(since_ns, c->ns, &w->due_ns))
		return kft_err_set(e, -EINVAL, "too late: '%s'", c->text);
	w->kind = kind_of(c);
	if (kft_in_kernel_is_found(conditions, i))
		return kft_in_kernel_find(m->trace, c, i, &w->found) < 0
			       ? kft_err_set(e, -ENOENT, "the kernel does not find '%s'",
					     c->text)
			       : 0;
	if (w->kind)
		return check_kind(m, w->kind, e);
	return c->when == KFT_WHEN_TIME ? 0 : find_class(m, w, e);
}

/* Without a key a task's wait for a CPU is meant: the state "waiting" or "preempted". */
static bool has_key(struct kft_match *m, const struct kft_condition *c,
		    const struct kft_interval *i)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	char number[24];

	if (i->key == KFT_INTERVAL_NO_KEY)
		return !c->key;
	kft_interval_key_text(m->trace, i->kind, i->key, &name);
	const char *text = kft_strbuf_cstr(&name);
	if (strcmp(c->what, "task") == 0 && !c->key)
		return strcmp(text, "waiting") == 0 || strcmp(text, "preempted") == 0;
	if (!c->key)
		return true;
	size_t len = strlen(c->key);
	(void)snprintf(number, sizeof(number), "%llu", (unsigned long long)i->key);
	return strcmp(number, c->key) == 0 ||
	       (strncmp(text, c->key, len) == 0 &&
		(!text[len] || strncmp(text + len, " (", 2) == 0));
}

/* Reads the name from /proc, as the trace's names can be a second old. */
static bool is_of_task(const struct kft_match *m, const struct kft_condition *c,
		       const struct kft_interval *i)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comm = {};
	char path[32];

	if (!c->task)
		return true;
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", i->pid);
	if (kft_read_at(AT_FDCWD, path, COMM_MAX_BYTES, &comm) < 0)
		kft_strbuf_adds(&comm, kft_task_comm_at(&m->trace->tasks,
							(uint32_t)i->pid, i->end_ns));
	const char *text = kft_strbuf_cstr(&comm);
	size_t len = strcspn(text, "\n");
	return len == strlen(c->task) && memcmp(text, c->task, len) == 0;
}

static int came(struct kft_match *m, size_t condition, uint64_t ts, const char *why)
{
	const struct kft_seen seen = {.condition = condition, .ts = ts, .why = why};

	return m->fn(m->arg, &seen);
}

/* Checks an interval of the n'th condition's kind. */
static int judge(struct kft_match *m, size_t n, const struct kft_interval *i)
{
	const struct kft_condition *c = m->waiting[n].condition;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf why = {};
	uint64_t ns = kft_interval_ns(i);

	/*
	 * An interval of a CPU, not of a task, cannot be caused by the
	 * watcher's own processes.
	 */
	if ((!i->kind->per_cpu && kft_own_tasks_has(&m->own, i->pid)) || ns <= c->ns ||
	    !has_key(m, c, i) || (!m->waiting[n].found.n && !is_of_task(m, c, i)))
		return 0;
	kft_strbuf_add_duration(&why, ns);
	kft_strbuf_addf(&why, " on CPU %u", i->end_cpu);
	return came(m, n, i->end_ns, kft_strbuf_cstr(&why));
}

static int take_interval(void *arg, const struct kft_interval *i)
{
	struct kft_match *m = arg;
	int r = 0;

	if (i->flags & (KFT_INTERVAL_BEGUN_BEFORE | KFT_INTERVAL_LOSSES))
		return 0;
	for (size_t n = 0; n < m->n && r == 0; n++)
		if (m->waiting[n].kind == i->kind && !m->waiting[n].found.n)
			r = judge(m, n, i);
	return r;
}

static int create_engine(struct kft_match *m)
{
	const struct kft_interval_sink sink = {.take = take_interval, .arg = m};
	_cleanup_free_ const struct kft_interval_kind **kinds = calloc(m->n + 1,
								       sizeof(*kinds));
	size_t n = 0;

	if (!kinds)
		return -ENOMEM;
	for (size_t i = 0; i < m->n; i++) {
		bool known = !m->waiting[i].kind || m->waiting[i].found.n;

		for (size_t j = 0; j < n; j++)
			known |= kinds[j] == m->waiting[i].kind;
		if (!known)
			kinds[n++] = m->waiting[i].kind;
	}
	return n ? kft_engine_create(m->trace, kinds, n, &sink, &m->engine) : 0;
}

int kft_match_create(const struct kft_conditions *conditions, struct kft_trace *t,
		     uint64_t since_ns, kft_match_fn *fn, void *arg,
		     struct kft_match **ret, struct kft_err *e)
{
	struct kft_match *m = calloc(1, sizeof(*m));
	int r = 0;

	if (!m)
		return kft_err_memory(e);
	*m = (struct kft_match){
		.trace = t,
		.fn = fn,
		.arg = arg,
		.waiting = calloc(conditions->len + 1, sizeof(*m->waiting)),
	};
	if (!m->waiting || kft_own_tasks_init(&m->own, t, (int32_t)getpid()) < 0)
		r = kft_err_memory(e);
	for (size_t i = 0; i < conditions->len && r == 0; i++) {
		m->waiting[i].condition = &conditions->data[i];
		m->n++;
		r = prepare(m, conditions, i, since_ns, e);
	}
	if (r == 0 && create_engine(m) < 0)
		r = kft_err_memory(e);
	if (r < 0)
		kft_match_destroy(m);
	else
		*ret = m;
	return r;
}

struct kft_match *kft_match_destroy(struct kft_match *m)
{
	if (!m)
		return NULL;
	kft_engine_destroy(m->engine);
	for (size_t i = 0; i < m->n; i++)
		kft_filter_destroy(m->waiting[i].filter);
	free(m->waiting);
	kft_own_tasks_finish(&m->own);
	free(m);
	return NULL;
}

/* Cuts a mark of kft's form, "I|PID|NAME", to its name; any other text is the name. */
static void cut_to_name(const char **text, size_t *len)
{
	const char *bar = *len > 2 && (*text)[1] == '|' && strchr("IBC", **text)
				  ? memchr(*text + 2, '|', *len - 2)
				  : NULL;

	if (!bar)
		return;
	*len -= (size_t)(bar + 1 - *text);
	*text = bar + 1;
}

static bool is_it(const struct kft_match *m, const struct waiting *w,
		  const struct kft_event *ev)
{
	const char *text;
	size_t len;

	if (!w->cls || w->cls->id != ev->id)
		return false;
	if (w->filter && !kft_filter_match(w->filter, ev, m->trace->swap))
		return false;
	if (w->condition->when != KFT_WHEN_MARK)
		return true;
	if (!w->text || !kft_event_str(ev, w->text, m->trace->swap, &text, &len))
		return false;
	cut_to_name(&text, &len);
	size_t want = strlen(w->condition->what);
	return len >= want && memcmp(text, w->condition->what, want) == 0;
}

/*
 * Whether a wait was reported before: two recipes find that of a task that is
 * woken while it is preempted.
 */
static bool is_again(struct waiting *w, const struct kft_interval *i)
{
	bool is = w->kind == &kft_kind_task && i->pid == w->last.pid &&
		  i->begin_ns < w->last.end_ns;

	w->last = *i;
	return is;
}

/* Handles an event that the kernel generated for an interval. */
static int feed_found(struct kft_match *m, const struct kft_event *ev)
{
	int r = 0;

	for (size_t n = 0; HAVE_HIST && n < m->n && r == 0; n++) {
		struct waiting *w = &m->waiting[n];
		struct kft_interval i;

		if (kft_in_kernel_interval(&w->found, w->kind, ev,
					   kft_own_tasks_task(&m->own, ev),
					   m->trace->swap, &i) &&
		    !is_again(w, &i))
			r = judge(m, n, &i);
	}
	return r;
}

int kft_match_feed(struct kft_match *m, const struct kft_event *ev)
{
	int r = kft_own_tasks_feed(&m->own, ev);
	char why[32];

	if (r == 0 && m->engine)
		r = kft_engine_feed(m->engine, ev);
	if (r == 0)
		r = feed_found(m, ev);
	if (kft_own_tasks_did(&m->own, ev))
		return r;
	(void)snprintf(why, sizeof(why), "on CPU %u", ev->cpu);
	for (size_t i = 0; i < m->n && r == 0; i++) {
		struct waiting *w = &m->waiting[i];

		if (!is_it(m, w, ev))
			continue;
		if (w->condition->when == KFT_WHEN_SILENCE)
			w->due_ns = ev->ts + w->condition->ns;
		else
			r = came(m, i, ev->ts, why);
	}
	return r;
}

int kft_match_time(struct kft_match *m, uint64_t now_ns)
{
	int r = 0;

	for (size_t i = 0; i < m->n && r == 0; i++) {
		struct waiting *w = &m->waiting[i];
		bool silent = w->condition->when == KFT_WHEN_SILENCE;

		if (now_ns < w->due_ns)
			continue;
		w->due_ns = silent ? now_ns + w->condition->ns : UINT64_MAX;
		r = came(m, i, now_ns, silent ? "no event came" : "the time is over");
	}
	return r;
}

uint64_t kft_match_due_ns(const struct kft_match *m)
{
	uint64_t due = UINT64_MAX;

	for (size_t i = 0; i < m->n; i++)
		due = KFT_MIN(due, m->waiting[i].due_ns);
	return due;
}
