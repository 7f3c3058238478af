// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads recorded call stacks, and joins the kernel's and the program's part of each. */
#include "derive/recorded_stacks.h"

#include <errno.h>

#include "derive/engine/engine.h"
#include "model/merge.h"

/* The fields of a type of events with a stack. */
struct stack_type {
	uint16_t id;
	bool is_user;
	const struct kft_field *callers; /* NULL: the trace has no such events */
	/* NULL: the record's length determines the number of callers */
	const struct kft_field *size;
};

struct reading {
	struct kft_trace *trace; /* borrowed */
	struct stack_type kernel;
	struct stack_type user;
	const struct kft_field *pid; /* NULL: tasks are not known */
	kft_recorded_stack_fn *fn;
	void *arg;
	bool is_open; /* stack is not complete */
	struct kft_recorded_stack stack;
	uint16_t buffer; /* of the stack */
	uint64_t ip; /* of the sample */
	KFT_VEC(uint64_t) addresses;
};

static void reading_finish(struct reading *r)
{
	kft_vec_finish(&r->addresses);
}

static struct stack_type find_type(struct kft_trace *t, const char *name, bool is_user)
{
	const struct kft_class *cls = kft_class_table_find(&t->classes, "ftrace", name);

	return (struct stack_type){
		.id = cls ? cls->id : 0,
		.is_user = is_user,
		.callers = cls ? kft_class_field(cls, "caller") : NULL,
		.size = cls ? kft_class_field(cls, "size") : NULL,
	};
}

/*
 * Finds the addresses of a recorded stack. The kernel declares an array of 8 addresses, but
 * writes as many as the field size contains, up to the end of the record.
 */
static bool get_callers(const struct kft_trace *t, const struct kft_event *ev,
			const struct stack_type *type, const uint8_t **ret,
			size_t *ret_len)
{
	const struct kft_field *f = type->callers;
	uint64_t n;

	if (f->place != KFT_FIELD_INLINE)
		return kft_event_bytes(ev, f, t->swap, ret, ret_len);
	if (f->offset > ev->size)
		return false;
	*ret = ev->data + f->offset;
	*ret_len = ev->size - f->offset;
	if (type->size && kft_event_int(ev, type->size, t->swap, &n) &&
	    n < *ret_len / t->meta.long_size)
		*ret_len = n * t->meta.long_size;
	return true;
}

/* Appends the addresses of a record, as wide as a long of the kernel, innermost first. */
static int add_addresses(struct reading *r, const struct kft_event *ev,
			 const struct stack_type *type)
{
	const struct kft_trace *t = r->trace;
	const uint32_t size = t->meta.long_size;
	const uint8_t *data;
	size_t len;

	if (!get_callers(t, ev, type, &data, &len))
		return 0;
	for (size_t i = 0; i < len / size; i++) {
		const uint64_t addr = size == 8 ? kft_load_u64(data + i * size, t->swap)
						: kft_load_u32(data + i * size, t->swap);

		/* ULONG_MAX ends a stack; 0 is the end of one of user space. */
		if (type->is_user && !addr)
			break;
		if (addr && addr != (size == 8 ? UINT64_MAX : UINT32_MAX) &&
		    !kft_vec_push(&r->addresses, addr))
			return -ENOMEM;
	}
	if (!type->is_user)
		r->stack.n_kernel = r->addresses.len;
	return 0;
}

bool kft_is_kernel_address(const struct kft_trace *t, uint64_t addr)
{
	return addr >> (8 * t->meta.long_size - 1);
}

static int end_stack(struct reading *r)
{
	struct kft_recorded_stack *s = &r->stack;

	if (!r->is_open)
		return 0;
	r->is_open = false;
	if (!r->addresses.len && s->sample && r->ip) {
		if (!kft_vec_push(&r->addresses, r->ip))
			return -ENOMEM;
		s->n_kernel = kft_is_kernel_address(r->trace, r->ip);
	}
	s->addresses = r->addresses.data;
	s->n = r->addresses.len;
	return s->n ? r->fn(r->arg, s) : 0;
}

static void begin_stack(struct reading *r, const struct kft_event *ev,
			const struct kft_class *sample)
{
	uint64_t pid = 0;

	if (r->pid)
		(void)!kft_event_int(ev, r->pid, r->trace->swap, &pid);
	r->is_open = true;
	r->buffer = ev->buffer;
	r->ip = 0;
	r->addresses.len = 0;
	r->stack = (struct kft_recorded_stack){
		.sample = sample,
		.period = 1,
		.pid = (int32_t)pid,
		.cpu = ev->cpu,
		.ts = ev->ts,
	};
}

/* The parts of a stack have the time of their event, and follow it in its buffer. */
static bool goes_on(const struct reading *r, const struct kft_event *ev)
{
	return r->is_open && ev->ts == r->stack.ts && ev->cpu == r->stack.cpu &&
	       ev->buffer == r->buffer;
}

static int take_stack(struct reading *r, const struct kft_event *ev,
		      const struct stack_type *type)
{
	/* Each stack has one part in the kernel, before that in user space. */
	bool is_part = goes_on(r, ev) && (type->is_user || !r->addresses.len);
	int err = is_part ? 0 : end_stack(r);

	if (!is_part)
		begin_stack(r, ev, NULL);
	return err < 0 ? err : add_addresses(r, ev, type);
}

static const struct kft_field *ip_of(const struct kft_class *c)
{
	return c && strcmp(c->system, "perf") == 0 ? kft_class_field(c, "ip") : NULL;
}

static int take_other(struct reading *r, const struct kft_event *ev)
{
	const struct kft_class *c = kft_trace_class(r->trace, ev->id);
	const struct kft_field *ip = ip_of(c);
	int err = end_stack(r);

	if (err < 0 || !ip)
		return err;
	const struct kft_field *period = kft_class_field(c, "period");
	begin_stack(r, ev, c);
	(void)!kft_event_int(ev, ip, r->trace->swap, &r->ip);
	if (period && kft_event_int(ev, period, r->trace->swap, &r->stack.period))
		r->stack.period = KFT_MAX(r->stack.period, UINT64_C(1));
	return 0;
}

static int take(struct reading *r, const struct kft_event *ev)
{
	if (r->kernel.callers && ev->id == r->kernel.id)
		return take_stack(r, ev, &r->kernel);
	if (r->user.callers && ev->id == r->user.id)
		return take_stack(r, ev, &r->user);
	return take_other(r, ev);
}

int kft_recorded_stacks_run(struct kft_trace *t, const struct kft_scope *scope,
			    kft_recorded_stack_fn *fn, void *arg)
{
	_cleanup_(reading_finish) struct reading reading = {
		.trace = t,
		.kernel = find_type(t, "kernel_stack", false),
		.user = find_type(t, "user_stack", true),
		.pid = kft_trace_common_field(t, "common_pid"),
		.fn = fn,
		.arg = arg,
	};
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;

	if (!reading.kernel.callers && !reading.user.callers &&
	    kft_sample_unit(t) == KFT_SAMPLES_NONE)
		return -ENODATA;
	int r = kft_merge_create(t, scope, &m);
	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = take(&reading, ev);
	return r < 0 ? r : end_stack(&reading);
}

/*
 * Whether samples are of this event. perf adds modifiers, as in "cycles:u", and a PMU, as in
 * "cpu_core/cycles/"; trace.dat has "cpu_clock" for "cpu-clock".
 */
static bool is_sampled(const struct kft_class *c, const char *event)
{
	const char *slash = strchr(c->name, '/');
	const char *name = slash ? slash + 1 : c->name;

	for (; *event; event++, name++)
		if (*name != *event && !(*event == '-' && *name == '_'))
			return false;
	return !*name || *name == ':' || *name == '/';
}

static bool is_clock(const struct kft_class *c)
{
	return is_sampled(c, "cpu-clock") || is_sampled(c, "task-clock");
}

enum kft_sample_unit kft_sample_unit(struct kft_trace *t)
{
	const struct kft_class *c;
	enum kft_sample_unit unit = KFT_SAMPLES_NONE;
	size_t at = 0;

	while ((c = kft_class_table_next(&t->classes, "perf", "*", &at)))
		if (ip_of(c))
			unit = unit	     ? KFT_SAMPLES_MIXED
			       : is_clock(c) ? KFT_SAMPLES_NS
					     : KFT_SAMPLES_EVENTS;
	return unit;
}

const struct kft_class *kft_sample_time_class(struct kft_trace *t)
{
	const struct kft_class *cycles = NULL;
	const struct kft_class *c;
	size_t at = 0;

	while ((c = kft_class_table_next(&t->classes, "perf", "*", &at))) {
		if (ip_of(c) && is_clock(c))
			return c;
		if (ip_of(c) && is_sampled(c, "cycles"))
			cycles = c;
	}
	return cycles;
}

static void add_name(struct kft_trace *t, const struct kft_recorded_stack *s, size_t i,
		     struct kft_strbuf *sb)
{
	struct kft_user_symbol user;

	if (i < s->n_kernel)
		kft_key_function(t, s->addresses[i], sb);
	else if (t->user_symbol &&
		 t->user_symbol(t, (uint32_t)s->pid, s->addresses[i], s->ts, &user))
		kft_user_symbol_add_short(&user, sb);
	else
		kft_strbuf_adds(sb, "[unknown]");
}

int kft_recorded_stack_frames(struct kft_trace *t, const struct kft_recorded_stack *s,
			      size_t n, struct kft_stacks *stacks,
			      struct kft_strbuf *text, uint32_t *at)
{
	int r = 0;

	for (size_t i = n; r == 0 && i-- > 0;) {
		kft_strbuf_clear(text);
		add_name(t, s, i, text);
		r = kft_stacks_named(stacks, *at, kft_strbuf_cstr(text), text->len, at);
	}
	return r;
}
