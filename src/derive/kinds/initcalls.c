// SPDX-License-Identifier: LGPL-2.1-or-later
/* Initcalls with their levels and modules. */
#include "derive/kinds/initcalls.h"

#include <errno.h>
#include <stdlib.h>

#include "base/map.h"
#include "derive/engine/ahead.h"
#include "derive/engine/instant.h"
#include "derive/kinds/kinds.h"

/* The thread kernel_init, which makes all initcalls of the kernel itself. */
#define KERNEL_INIT_PID 1

/*
 * Events before the initcalls that they describe: the level that the kernel has reached,
 * and the module that a task has loaded.
 */
enum { NOTE_LEVEL, NOTE_LOAD };

static const struct kft_kind_event note_events[] = {
	[NOTE_LEVEL] = {"initcall", "initcall_level", {"level"}},
	[NOTE_LOAD] = {"module", "module_load", {"name"}},
	{},
};

/* A damaged file may have a number instead of a name. */
static int feed_note(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink)
{
	return in->is_text[0]
		       ? kft_instant_happen(
				 kind,
				 kft_names_number(in->names, in->texts[0], in->fields[0]),
				 in->event, in->pid, in, sink)
		       : 0;
}

static const struct kft_interval_kind kind_note = {
	.name = "initcall-note",
	.events = note_events,
	.feed = feed_note,
	KFT_INSTANT,
};

struct note {
	uint64_t ts;
	bool is_level;
	int32_t pid;
	uint32_t text; /* number in levels, or in modules */
};

struct finding {
	struct kft_trace *trace;
	KFT_VEC(struct note) notes; /* in the order of time */
	/* pid -> number + 1 of the module that it has just loaded; 0: none. */
	struct kft_map loads;
	uint32_t level; /* the kernel's current level */
	struct kft_initcalls *out;
};

void kft_initcalls_finish(struct kft_initcalls *i)
{
	kft_vec_finish(&i->list);
	kft_intern_finish(&i->levels);
	kft_intern_finish(&i->modules);
}

static int take_note(struct finding *f, const struct kft_interval *i)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct note note = {
		.ts = i->begin_ns, .is_level = i->value == NOTE_LEVEL, .pid = i->pid};

	kft_names_text(&f->trace->names, i->key, &text);
	if (!kft_strbuf_ok(&text))
		return -ENOMEM;
	int r = kft_intern(note.is_level ? &f->out->levels : &f->out->modules,
			   kft_strbuf_cstr(&text), text.len, &note.text);
	return r < 0 ? r : kft_vec_push(&f->notes, note) ? 0 : -ENOMEM;
}

static int take(void *arg, const struct kft_interval *i)
{
	struct finding *f = arg;

	if (i->kind == &kind_note)
		return take_note(f, i);
	if (i->flags & KFT_INTERVAL_BEGUN_BEFORE) {
		f->out->unstarted++;
		return 0;
	}
	bool ended = !(i->flags & KFT_INTERVAL_NOT_ENDED);
	const struct kft_initcall call = {
		.start_ns = i->begin_ns,
		.dur_ns = ended ? i->end_ns - i->begin_ns : 0,
		.ended = ended,
		.func = i->key,
		.ret = ended ? (int32_t)i->value : 0,
		.pid = i->pid,
		.cpu = i->cpu,
		.depth = i->depth,
		.level = KFT_INTERN_NONE,
		.module = KFT_INTERN_NONE,
	};
	if (f->out->list.len >= KFT_INITCALLS_MAX)
		return -E2BIG;
	return kft_vec_push(&f->out->list, call) ? 0 : -ENOMEM;
}

static int by_start(const void *pa, const void *pb)
{
	const struct kft_initcall *a = pa;
	const struct kft_initcall *b = pb;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->depth < b->depth ? -1 : a->depth > b->depth;
}

/* Initcalls before the first recorded level were made in the level before that one. */
static int find_level_before(struct finding *f, uint32_t first)
{
	/* initcall_level_names of init/main.c, after the two levels before these */
	static const char *const names[] = {
		"console", "early",  "pure", "core",   "postcore",
		"arch",	   "subsys", "fs",   "device", "late",
	};
	const char *text = kft_intern_text(&f->out->levels, first);

	for (size_t i = 1; i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i], text) == 0)
			return kft_intern(&f->out->levels, names[i - 1],
					  strlen(names[i - 1]), &f->level);
	return 0;
}

static int start_level(struct finding *f)
{
	kft_vec_for_each(&f->notes, note)
		if (note->is_level)
			return find_level_before(f, note->text);
	return 0;
}

/* module_load is recorded just before the task calls the module's initcall. */
static int heed(struct finding *f, const struct note *note)
{
	if (note->is_level) {
		f->level = note->text;
		return 0;
	}
	uint64_t *load = kft_map_put(&f->loads, (uint32_t)note->pid);

	if (!load)
		return -ENOMEM;
	*load = note->text + UINT64_C(1);
	return 0;
}

static int describe(struct finding *f, struct kft_initcall *call)
{
	static const char module[] = "module";
	uint64_t *load = kft_map_get(&f->loads, (uint32_t)call->pid);

	call->level = f->level;
	call->is_module = call->pid > KERNEL_INIT_PID || (load && *load);
	if (!call->is_module)
		return 0;
	if (load && *load) {
		call->module = (uint32_t)(*load - 1);
		*load = 0;
	}
	return kft_intern(&f->out->levels, module, strlen(module), &call->level);
}

static int describe_all(struct finding *f)
{
	size_t heeded = 0;
	int r = start_level(f);

	kft_vec_for_each(&f->out->list, call) {
		while (!r && heeded < f->notes.len &&
		       f->notes.data[heeded].ts <= call->start_ns)
			r = heed(f, &f->notes.data[heeded++]);
		r = r < 0 ? r : describe(f, call);
	}
	return r;
}

int kft_initcalls_find(struct kft_trace *t, const struct kft_scope *scope,
		       struct kft_initcalls *ret)
{
	static const struct kft_interval_kind *const kinds[] = {&kft_kind_initcall,
								&kind_note};
	struct kft_initcalls out = {};
	struct finding f = {.trace = t, .level = KFT_INTERN_NONE, .out = &out};
	const struct kft_interval_sink sink = {take, &f};
	int r = kft_engine_run(t, scope, kinds, ARRAY_SIZE(kinds), &sink);

	if (out.list.len)
		qsort(out.list.data, out.list.len, sizeof(*out.list.data), by_start);
	if (r == 0)
		r = describe_all(&f);
	kft_map_finish(&f.loads);
	kft_vec_finish(&f.notes);
	if (r < 0)
		kft_initcalls_finish(&out);
	else
		*ret = out;
	return r;
}
