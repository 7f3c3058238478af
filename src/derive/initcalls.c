// SPDX-License-Identifier: LGPL-2.1-or-later
/* Derives initcalls from their events. */
#include "derive/initcalls.h"

#include <errno.h>

#include "base/bits.h"
#include "base/map.h"
#include "model/merge.h"

/* The thread kernel_init, which makes all calls of the kernel itself. */
#define KERNEL_INIT_PID 1

enum kind {
	KIND_LEVEL,
	KIND_START,
	KIND_FINISH,
	KIND_LOAD,
	KIND_COUNT,
};

struct reader {
	const struct kft_class *class; /* NULL: the trace has no such events */
	const struct kft_field *pid;
	const struct kft_field *func;
	const struct kft_field *ret;
	const struct kft_field *text; /* the level; the name of the module */
};

struct pairing {
	struct kft_trace *trace;
	struct reader readers[KIND_COUNT];
	struct kft_map open; /* pid -> index + 1 of the innermost that has not ended */
	struct kft_map
		loads; /* pid -> number + 1 of the module that it has just loaded */
	uint32_t level; /* that the kernel is at */
	struct kft_initcalls *out;
};

void kft_initcalls_finish(struct kft_initcalls *i)
{
	kft_vec_finish(&i->list);
	kft_intern_finish(&i->levels);
	kft_intern_finish(&i->modules);
}

static void find_readers(struct pairing *p, uint64_t *wanted)
{
	static const struct {
		const char *system;
		const char *name;
		const char *text;
	} names[] = {
		[KIND_LEVEL] = {"initcall", "initcall_level", "level"},
		[KIND_START] = {"initcall", "initcall_start", ""},
		[KIND_FINISH] = {"initcall", "initcall_finish", ""},
		[KIND_LOAD] = {"module", "module_load", "name"},
	};

	for (int kind = 0; kind < KIND_COUNT; kind++) {
		const struct kft_class *c = kft_class_table_find(
			&p->trace->classes, names[kind].system, names[kind].name);

		if (!c)
			continue;
		p->readers[kind] = (struct reader){
			.class = c,
			.pid = kft_class_field(c, "common_pid"),
			.func = kft_class_field(c, "func"),
			.ret = kft_class_field(c, "ret"),
			.text = kft_class_field(c, names[kind].text),
		};
		kft_bits_add(wanted, c->id);
	}
}

static uint64_t get(const struct pairing *p, const struct kft_event *ev,
		    const struct kft_field *f)
{
	uint64_t v;

	return f && kft_event_int(ev, f, p->trace->swap, &v) ? v : 0;
}

/* What was made before the first level that is told was made in the one before it. */
static int name_first_level(struct pairing *p, const char *text, size_t len)
{
	/* init/main.c: initcall_level_names, and what comes before these */
	static const char *const names[] = {
		"console", "early",  "pure", "core",   "postcore",
		"arch",	   "subsys", "fs",   "device", "late",
	};
	uint32_t before = KFT_INTERN_NONE;
	int r = 0;

	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == len && memcmp(names[i], text, len) == 0)
			r = kft_intern(&p->out->levels, names[i - 1],
				       strlen(names[i - 1]), &before);
	kft_vec_for_each(&p->out->list, call)
		if (call->level == KFT_INTERN_NONE)
			call->level = before;
	return r;
}

static int feed_level(struct pairing *p, const struct kft_event *ev)
{
	const struct kft_field *f = p->readers[KIND_LEVEL].text;
	const char *text;
	size_t len;

	if (!f || !kft_event_str(ev, f, p->trace->swap, &text, &len))
		return 0;
	bool is_first = p->level == KFT_INTERN_NONE;
	int r = kft_intern(&p->out->levels, text, len, &p->level);

	return r == 0 && is_first ? name_first_level(p, text, len) : r;
}

/* A task loads a module, tells of it, and calls the module's initcall at once. */
static int feed_load(struct pairing *p, const struct kft_event *ev)
{
	const struct reader *r = &p->readers[KIND_LOAD];
	const char *text;
	size_t len;
	uint32_t module;

	if (!r->text || !kft_event_str(ev, r->text, p->trace->swap, &text, &len))
		return 0;
	int n = kft_intern(&p->out->modules, text, len, &module);
	uint64_t *load = n == 0 ? kft_map_put(&p->loads, (uint32_t)get(p, ev, r->pid))
				: NULL;
	if (!load)
		return -ENOMEM;
	*load = module + UINT64_C(1);
	return 0;
}

static int set_level(struct pairing *p, struct kft_initcall *call)
{
	static const char module[] = "module";
	uint64_t *load = kft_map_get(&p->loads, (uint32_t)call->pid);

	call->level = p->level;
	call->module = KFT_INTERN_NONE;
	call->is_module = call->pid > KERNEL_INIT_PID || (load && *load);
	if (!call->is_module)
		return 0;
	if (load && *load) {
		call->module = (uint32_t)(*load - 1);
		*load = 0;
	}
	return kft_intern(&p->out->levels, module, strlen(module), &call->level);
}

static int feed_start(struct pairing *p, const struct kft_event *ev)
{
	const struct reader *r = &p->readers[KIND_START];
	struct kft_initcall call = {
		.start_ns = ev->ts,
		.func = get(p, ev, r->func),
		.pid = (int32_t)get(p, ev, r->pid),
		.cpu = ev->cpu,
	};
	uint64_t *open = kft_map_put(&p->open, (uint32_t)call.pid);

	if (!open || set_level(p, &call) < 0)
		return -ENOMEM;
	if (p->out->list.len >= KFT_INITCALLS_MAX)
		return -E2BIG;
	call.outer = *open;
	if (!kft_vec_push(&p->out->list, call))
		return -ENOMEM;
	*open = p->out->list.len;
	return 0;
}

/* What was made in it and has no end has lost it. */
static void feed_finish(struct pairing *p, const struct kft_event *ev)
{
	const struct reader *r = &p->readers[KIND_FINISH];
	uint64_t func = get(p, ev, r->func);
	uint64_t *open = kft_map_get(&p->open, (uint32_t)get(p, ev, r->pid));
	uint64_t at = open ? *open : 0;

	while (at && p->out->list.data[at - 1].func != func)
		at = p->out->list.data[at - 1].outer;
	if (!at) {
		p->out->unstarted++;
		return;
	}
	struct kft_initcall *call = &p->out->list.data[at - 1];
	call->dur_ns = ev->ts > call->start_ns ? ev->ts - call->start_ns : 0;
	call->ended = true;
	call->ret = (int32_t)get(p, ev, r->ret);
	*open = call->outer;
}

static int feed(struct pairing *p, const struct kft_event *ev)
{
	const struct reader *r = p->readers;

	if (r[KIND_LEVEL].class && r[KIND_LEVEL].class->id == ev->id)
		return feed_level(p, ev);
	if (r[KIND_START].class && r[KIND_START].class->id == ev->id)
		return feed_start(p, ev);
	if (r[KIND_LOAD].class && r[KIND_LOAD].class->id == ev->id)
		return feed_load(p, ev);
	if (r[KIND_FINISH].class && r[KIND_FINISH].class->id == ev->id)
		feed_finish(p, ev);
	return 0;
}

int kft_initcalls_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_initcalls *ret)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_scope only = scope ? *scope : (struct kft_scope){};
	struct kft_initcalls out = {};
	struct pairing p = {.trace = t, .level = KFT_INTERN_NONE, .out = &out};
	const struct kft_event *ev;

	find_readers(&p, wanted);
	only.wanted = wanted;
	int r = kft_merge_create(t, &only, &m);
	while (r == 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = feed(&p, ev);
	kft_map_finish(&p.open);
	kft_map_finish(&p.loads);
	if (r < 0)
		kft_initcalls_finish(&out);
	else
		*ret = out;
	return r;
}
