// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes stacks of calls, of waiting tasks, and of recorded stacks. */
#include "analysis/flame.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "derive/calls/calls.h"
#include "derive/engine/ahead.h"
#include "derive/kinds/kinds.h"
#include "model/merge.h"

/* A recorded stack that is read, at first in the kernel and then in user space. */
struct stack {
	bool is_open;
	int32_t pid;
	uint64_t ts;
	uint32_t cpu;
	KFT_VEC(uint64_t) addresses; /* innermost first */
	size_t kernel_len; /* number of addresses in the kernel */
};

struct flame {
	struct kft_trace *trace; /* borrowed */
	struct stack stack;
	struct kft_stacks *stacks; /* borrowed */
	struct kft_intern names; /* function names of the calls */
	struct kft_strbuf text;
	uint64_t found;
};

static void flame_finish(struct flame *f)
{
	kft_intern_finish(&f->names);
	kft_strbuf_finish(&f->text);
	kft_vec_finish(&f->stack.addresses);
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

/* The fields of a record with a stack. */
struct stack_fields {
	uint16_t id;
	const struct kft_field *callers;
	const struct kft_field
		*size; /* NULL: the record's length determines the number of callers */
	const struct kft_field *pid; /* NULL: the task is not known */
};

/*
 * Finds the addresses of a recorded stack. The kernel declares an array of 8 addresses, but
 * writes as many as the field size contains, up to the end of the record.
 */
static bool get_callers(const struct kft_trace *t, const struct kft_event *ev,
			const struct stack_fields *fields, const uint8_t **ret,
			size_t *ret_len)
{
	const struct kft_field *f = fields->callers;
	uint64_t n;

	if (f->place != KFT_FIELD_INLINE)
		return kft_event_bytes(ev, f, t->swap, ret, ret_len);
	if (f->offset > ev->size)
		return false;
	*ret = ev->data + f->offset;
	*ret_len = ev->size - f->offset;
	if (fields->size && kft_event_int(ev, fields->size, t->swap, &n) &&
	    n < *ret_len / t->meta.long_size)
		*ret_len = n * t->meta.long_size;
	return true;
}

/* Appends the addresses of a record, as wide as a long of the kernel, innermost first. */
static int get_addresses(struct flame *f, const struct kft_event *ev,
			 const struct stack_fields *fields, bool is_user)
{
	const struct kft_trace *t = f->trace;
	const uint32_t size = t->meta.long_size;
	const uint8_t *data;
	size_t len;

	if (!get_callers(t, ev, fields, &data, &len))
		return 0;
	for (size_t i = 0; i < len / size; i++) {
		const uint64_t addr = size == 8 ? kft_load_u64(data + i * size, t->swap)
						: kft_load_u32(data + i * size, t->swap);

		/* ULONG_MAX ends a stack; 0 is the end of one of user space. */
		if (is_user && !addr)
			break;
		if (addr && addr != (size == 8 ? UINT64_MAX : UINT32_MAX) &&
		    !kft_vec_push(&f->stack.addresses, addr))
			return -ENOMEM;
	}
	if (!is_user)
		f->stack.kernel_len = f->stack.addresses.len;
	return 0;
}

static void add_frame_name(struct flame *f, size_t i)
{
	const struct stack *s = &f->stack;
	struct kft_trace *t = f->trace;
	struct kft_user_symbol user;

	kft_strbuf_clear(&f->text);
	if (i < s->kernel_len)
		kft_key_function(t, s->addresses.data[i], &f->text);
	else if (t->user_symbol(t, s->pid, s->addresses.data[i], s->ts, &user))
		kft_user_symbol_add_short(&user, &f->text);
	else
		kft_strbuf_adds(&f->text, "[unknown]");
}

/* Counts the stack that was read, if there is one. */
static int end_stack(struct flame *f)
{
	struct stack *s = &f->stack;
	uint32_t at;

	if (!s->is_open)
		return 0;
	int r = frame_of_task(f, s->pid, s->ts, &at);
	for (size_t i = s->addresses.len; r == 0 && i-- > 0;) {
		add_frame_name(f, i);
		r = kft_stacks_named(f->stacks, at, f->text.buf, f->text.len, &at);
	}
	if (r == 0)
		f->stacks->frames.data[at].weight++;
	f->found++;
	s->is_open = false;
	s->addresses.len = s->kernel_len = 0;
	return r;
}

/* The kernel's and the user-space part of one stack are two records of the same time. */
static bool goes_on(const struct stack *s, const struct kft_event *ev)
{
	return s->is_open && ev->ts == s->ts && ev->cpu == s->cpu;
}

static int add_stack(struct flame *f, const struct kft_event *ev,
		     const struct stack_fields *fields, bool is_user)
{
	struct stack *s = &f->stack;
	uint64_t task = 0;
	int r = is_user && goes_on(s, ev) ? 0 : end_stack(f);

	if (fields->pid)
		(void)!kft_event_int(ev, fields->pid, f->trace->swap, &task);
	s->is_open = true;
	s->ts = ev->ts;
	s->cpu = ev->cpu;
	s->pid = (int32_t)task;
	return r < 0 ? r : get_addresses(f, ev, fields, is_user);
}

static struct stack_fields find_fields(struct flame *f, const char *name)
{
	const struct kft_class *cls = kft_class_table_find(&f->trace->classes, "ftrace",
							   name);

	return (struct stack_fields){
		.id = cls ? cls->id : 0,
		.callers = cls ? kft_class_field(cls, "caller") : NULL,
		.size = cls ? kft_class_field(cls, "size") : NULL,
		.pid = kft_trace_common_field(f->trace, "common_pid"),
	};
}

static int run_stacks(struct flame *f, const struct kft_scope *scope)
{
	const struct stack_fields kernel = find_fields(f, "kernel_stack");
	const struct stack_fields user = find_fields(f, "user_stack");
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;

	if (!kernel.callers)
		return -ENODATA;
	int r = kft_merge_create(f->trace, scope, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0) {
		if (ev->id == kernel.id)
			r = add_stack(f, ev, &kernel, false);
		else if (f->trace->user_symbol && user.callers && ev->id == user.id)
			r = add_stack(f, ev, &user, true);
	}
	return r < 0 ? r : end_stack(f);
}

static const char *const missing[] = {
	[KFT_FLAME_CALLS] = "calls of functions",
	[KFT_FLAME_OFF_CPU] = "switches of tasks",
	[KFT_FLAME_STACKS] = "stacks of the kernel",
};

int kft_flame_run(struct kft_trace *t, const struct kft_scope *scope,
		  enum kft_flame_of of, const struct kft_symbol_table *symbols,
		  struct kft_stacks *stacks, struct kft_err *e)
{
	_cleanup_(flame_finish) struct flame f = {.trace = t, .stacks = stacks};
	int r = of == KFT_FLAME_CALLS	  ? run_calls(&f, scope, symbols)
		: of == KFT_FLAME_OFF_CPU ? run_off_cpu(&f, scope)
					  : run_stacks(&f, scope);

	if (r == -ENODATA || (r == 0 && !f.found))
		return kft_err_set(e, -ENODATA, "the trace has no %s", missing[of]);
	return r < 0 ? kft_err_sys(e, r, "cannot read the trace") : 0;
}
