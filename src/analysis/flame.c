// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes stacks of calls, of waiting tasks, and of recorded stacks. */
#include "analysis/flame.h"

#include <errno.h>
#include <string.h>

#include "analysis/wall.h"
#include "base/err.h"
#include "derive/calls/calls.h"
#include "derive/engine/ahead.h"
#include "derive/kinds/kinds.h"
#include "derive/recorded_stacks.h"

struct flame {
	struct kft_trace *trace; /* borrowed */
	struct kft_stacks *stacks; /* borrowed */
	struct kft_intern names; /* function names of the calls */
	struct kft_strbuf text;
	enum kft_flame_of of;
	bool has_weights; /* of samples */
	uint64_t found;
};

static void flame_finish(struct flame *f)
{
	kft_intern_finish(&f->names);
	kft_strbuf_finish(&f->text);
}

static int frame_of_task(struct flame *f, int32_t pid, uint64_t ts, uint32_t *ret)
{
	const char *name = pid == KFT_CALL_IN_INTERRUPT
				   ? "(interrupts)"
				   : kft_task_comm_at(&f->trace->tasks, pid, ts);

	return kft_stacks_named(f->stacks, KFT_STACKS_NONE, name, strlen(name), ret);
}

/* path has room for all frames: a nest is at most KFT_NEST_DEPTH_MAX deep. */
static int frame_of_call(struct flame *f, const struct kft_nested *n, uint32_t *ret)
{
	const struct kft_nested *path[KFT_NEST_DEPTH_MAX];
	size_t depth = 0;
	uint32_t at;

	for (; n && depth < ARRAY_SIZE(path); n = n->parent)
		path[depth++] = n;
	const struct kft_call *outer = &path[depth - 1]->call;
	int r = frame_of_task(f, outer->pid, outer->entry_ns, &at);

	while (r == 0 && depth--) {
		const char *name = kft_intern_text(&f->names, path[depth]->call.func);

		r = kft_stacks_named(f->stacks, at, name, strlen(name), &at);
	}
	if (r == 0)
		*ret = at;
	return r;
}

static int leave(void *arg, const struct kft_nested *n)
{
	struct flame *f = arg;
	uint32_t at;

	if (n->call.end != KFT_CALL_ENDED)
		return 0;
	int r = frame_of_call(f, n, &at);

	if (r == 0)
		f->stacks->frames.data[at].weight += kft_nested_local_ns(n);
	f->found++;
	return r;
}

static int run_calls(struct flame *f, const struct kft_scope *scope,
		     const struct kft_symbol_table *symbols)
{
	const struct kft_calls_opts opts = {
		.scope = scope, .symbols = symbols, .names = &f->names};
	const struct kft_nest_sink sink = {.leave = leave, .arg = f};
	_cleanup_(kft_nest_destroyp) struct kft_nest *nest = NULL;
	struct kft_calls_found found;
	int r = kft_nest_create(&sink, &nest);

	return r < 0 ? r : kft_calls_run(f->trace, &opts, nest, &found);
}

static int add_state(void *arg, const struct kft_interval *i)
{
	struct flame *f = arg;
	uint32_t at;

	kft_strbuf_clear(&f->text);
	kft_interval_key_text(f->trace, i->kind, i->key, &f->text);
	if (strcmp(kft_strbuf_cstr(&f->text), "running") == 0)
		return 0;
	int r = frame_of_task(f, i->pid, i->begin_ns, &at);

	if (r == 0)
		r = kft_stacks_named(f->stacks, at, f->text.buf, f->text.len, &at);
	if (r == 0)
		f->stacks->frames.data[at].weight += kft_interval_ns(i);
	f->found++;
	return r;
}

static int run_off_cpu(struct flame *f, const struct kft_scope *scope)
{
	const struct kft_interval_kind *kind = kft_interval_kind_find("task");
	const struct kft_interval_sink sink = {add_state, f};

	return kft_engine_run(f->trace, scope, &kind, 1, &sink);
}

/* Samples are weighted by their periods, where these are of the same events. */
static uint64_t weight_of(const struct flame *f, const struct kft_recorded_stack *s)
{
	return f->of == KFT_FLAME_SAMPLES && f->has_weights ? s->period : 1;
}

static int add_stack(void *arg, const struct kft_recorded_stack *s)
{
	struct flame *f = arg;
	/* Without mappings, nothing is known of user space. */
	size_t n = f->trace->user_symbol || f->of == KFT_FLAME_SAMPLES ? s->n
								       : s->n_kernel;
	uint32_t at;

	if (!n || (f->of == KFT_FLAME_SAMPLES && !s->sample))
		return 0;
	int r = frame_of_task(f, s->pid, s->ts, &at);

	if (r == 0)
		r = kft_recorded_stack_frames(f->trace, s, n, f->stacks, &f->text, &at);
	if (r == 0)
		f->stacks->frames.data[at].weight += weight_of(f, s);
	f->found++;
	return r;
}

static int run_stacks(struct flame *f, const struct kft_scope *scope)
{
	f->has_weights = kft_sample_unit(f->trace) != KFT_SAMPLES_MIXED;
	return kft_recorded_stacks_run(f->trace, scope, add_stack, f);
}

/* Finds or adds the frame above *at that has f->text as its name. */
static int go_up(struct flame *f, uint32_t *at)
{
	return kft_strbuf_ok(&f->text)
		       ? kft_stacks_named(f->stacks, *at, f->text.buf, f->text.len, at)
		       : -ENOMEM;
}

/* The frames of the functions of a running time; without enough samples there are none. */
static int add_functions(struct flame *f, const struct kft_why *life,
			 const struct kft_why_row *row, uint32_t below)
{
	const struct kft_why_running *running = kft_why_running_of(life, &row->like);
	uint64_t left = row->total_ns;
	int r = 0;

	for (size_t i = 0; running && i < life->functions.list.len && r == 0; i++) {
		const struct kft_why_function *it = &life->functions.list.data[i];
		const char *name = kft_intern_text(&life->functions.names, it->name);
		uint32_t at;

		if (&life->functions.runnings.data[it->running] != running)
			continue;
		r = kft_stacks_named(f->stacks, below, name, strlen(name), &at);
		if (r < 0)
			break;
		f->stacks->frames.data[at].weight += KFT_MIN(it->ns, left);
		left -= KFT_MIN(it->ns, left);
	}
	f->stacks->frames.data[below].weight += left;
	return r;
}

static int add_running(struct flame *f, const struct kft_why *life,
		       const struct kft_why_row *row, uint32_t at)
{
	kft_strbuf_clear(&f->text);
	kft_strbuf_adds(&f->text, "running");
	int r = go_up(f, &at);

	kft_strbuf_clear(&f->text);
	if (row->like.cause == KFT_WHY_FAULT)
		kft_why_add_row(life, row, &f->text);
	else
		kft_why_add_mode(life, row->like.mode, row->like.what, &f->text);
	if (r == 0 && f->text.len)
		r = go_up(f, &at);
	return r < 0 ? r : add_functions(f, life, row, at);
}

/* Below the reason is the task that it was waited for, or else the kind of reason. */
static int add_waiting(struct flame *f, const struct kft_why *life,
		       const struct kft_why_row *row, uint32_t at)
{
	kft_strbuf_clear(&f->text);
	if (row->like.link)
		kft_why_add_chain(life, row, &f->text);
	else
		kft_strbuf_adds(&f->text, kft_why_causes[row->like.cause].title);
	int r = go_up(f, &at);

	kft_strbuf_clear(&f->text);
	kft_why_add_row(life, row, &f->text);
	if (r == 0)
		r = go_up(f, &at);
	if (r == 0)
		f->stacks->frames.data[at].weight += row->total_ns;
	return r;
}

static int add_life(void *arg, const struct kft_why *life)
{
	struct flame *f = arg;
	int32_t pid = life->interval.pid;
	const char *comm = kft_why_comm(life, pid, life->interval.begin_ns);
	uint32_t at;
	int r = kft_stacks_named(f->stacks, KFT_STACKS_NONE, comm, strlen(comm), &at);

	kft_strbuf_clear(&f->text);
	kft_strbuf_addf(&f->text, "thread %d", pid);
	if (r == 0)
		r = go_up(f, &at);
	for (size_t i = 0; i < life->rows.len && r == 0; i++) {
		const struct kft_why_row *row = &life->rows.data[i];

		r = kft_why_is_own_run(life, &row->like) ? add_running(f, life, row, at)
							 : add_waiting(f, life, row, at);
	}
	return r;
}

static const char *const missing[] = {
	[KFT_FLAME_CALLS] = "calls of functions",
	[KFT_FLAME_OFF_CPU] = "switches of tasks",
	[KFT_FLAME_STACKS] = "stacks",
	[KFT_FLAME_SAMPLES] = "samples",
};

int kft_flame_run(struct kft_trace *t, const struct kft_scope *scope,
		  enum kft_flame_of of, const struct kft_symbol_table *symbols,
		  struct kft_stacks *stacks, struct kft_err *e)
{
	_cleanup_(flame_finish) struct flame f = {.trace = t, .of = of, .stacks = stacks};

	if (of == KFT_FLAME_WALL)
		return kft_wall_run(t, scope, add_life, &f, e);
	int r = of == KFT_FLAME_CALLS	  ? run_calls(&f, scope, symbols)
		: of == KFT_FLAME_OFF_CPU ? run_off_cpu(&f, scope)
					  : run_stacks(&f, scope);

	if (r == -ENODATA || (r == 0 && !f.found))
		return kft_err_set(e, -ENODATA, "the trace has no %s", missing[of]);
	return r < 0 ? kft_err_sys(e, r, "cannot read the trace") : 0;
}

bool kft_flame_is_time(struct kft_trace *t, enum kft_flame_of of)
{
	return of == KFT_FLAME_SAMPLES ? kft_sample_unit(t) == KFT_SAMPLES_NS
				       : of != KFT_FLAME_STACKS;
}

int kft_flame_best(struct kft_trace *t, const struct kft_scope *scope,
		   const struct kft_symbol_table *symbols, struct kft_stacks *stacks,
		   enum kft_flame_of *ret, struct kft_err *e)
{
	static const enum kft_flame_of choices[] = {KFT_FLAME_CALLS, KFT_FLAME_SAMPLES,
						    KFT_FLAME_STACKS, KFT_FLAME_OFF_CPU};
	struct kft_err why;
	int r = -ENODATA;

	for (size_t i = 0; r == -ENODATA && i < ARRAY_SIZE(choices); i++) {
		*ret = choices[i];
		why = (struct kft_err){};
		r = kft_flame_run(t, scope, choices[i], symbols, stacks, &why);
	}
	if (r < 0 && e)
		*e = why;
	return r;
}
