// SPDX-License-Identifier: LGPL-2.1-or-later
/* Attaches the programs of live statistics to the kernel's events. */
#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "bpf/kernel.h"
#include "derive/kinds/kinds.h"
#include "live/live_impl.h"

/* Keeps a program and its attachment; closes both if memory runs out. */
static int keep(struct kft_live *live, int program_fd, int link_fd)
{
	const struct kft_live_attachment a = {program_fd, link_fd};

	if (link_fd >= 0 && kft_vec_push(&live->attached, a))
		return 0;
	if (link_fd >= 0)
		close(link_fd);
	close(program_fd);
	return link_fd < 0 ? link_fd : -ENOMEM;
}

static int attach_event(struct kft_live *live, struct kft_bpf_code *code,
			const struct kft_live_event *event, struct kft_err *e)
{
	int fd = kft_bpf_load_program(BPF_PROG_TYPE_TRACEPOINT, "kft_live", code, e);

	if (fd < 0)
		return fd;
	int r = keep(live, fd, kft_bpf_attach_event(fd, event->cls.id));

	return r < 0 ? kft_err_sys(e, r, "cannot attach a program to the event %s:%s",
				   event->cls.system, event->cls.name)
		     : 0;
}

/* -errno: the caller attaches to the event instead. */
static int attach_raw(struct kft_live *live, struct kft_bpf_code *code, const char *name)
{
	int fd = kft_bpf_load_program(BPF_PROG_TYPE_RAW_TRACEPOINT, "kft_live", code,
				      NULL);

	return fd < 0 ? fd : keep(live, fd, kft_bpf_attach_raw(fd, name));
}

static struct kft_live_value constant(uint64_t value)
{
	return (struct kft_live_value){
		.is_constant = true, .bytes = sizeof(value), .constant = value};
}

/* The event of a kind: its record, and the rules for programs at it. */
struct event {
	const struct kft_kind_event *of;
	struct kft_live_event record;
	struct kft_live_rules rules;
};

static int compile_filter(struct kft_live *live, const struct event *event,
			  const struct kft_filter **ret, struct kft_err *e)
{
	struct kft_filter *f;
	int r = kft_filter_compile(event->of->filter, &event->record.cls, &f, e);

	if (r < 0)
		return r;
	if (!kft_vec_push(&live->filters, f)) {
		kft_filter_destroy(f);
		return kft_err_memory(e);
	}
	*ret = f;
	return 0;
}

/* Emits a condition alone: callers of kft_live_emit_*() do not see why one cannot be. */
static int check(const struct kft_live_condition *condition, struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};

	return condition->filter ? kft_live_emit_condition(&code, condition,
							   kft_bpf_label(&code), e)
				 : 0;
}

/* Fills in the rules. -ENOENT if the event is not chosen. */
static int make_rules(struct kft_live *live, const struct kft_live_kind *k,
		      struct event *event, struct kft_err *e)
{
	const struct kft_scope *scope = live->opts.scope;
	const struct kft_interval_kind *kind = k->kind;
	struct kft_live_rules *rules = &event->rules;
	uint16_t id = event->record.cls.id;
	int r = 0;

	if (scope && scope->wanted && !kft_id_wanted(scope->wanted, id))
		return -ENOENT;
	*rules = (struct kft_live_rules){
		.by = kft_live_by(live, kind),
		.by_cpu = kind->pairs.by_cpu,
		.by_task = kind->pairs.by_task,
	};
	if (live->opts.where)
		rules->where = kft_live_where_condition(live->opts.where, &k->where);
	for (size_t i = 0; i < ARRAY_SIZE(rules->only); i++) {
		rules->only[i].find = kft_live_event_term;
		rules->only[i].arg = &event->record;
	}
	if (scope && scope->filters)
		rules->only[0].filter = kft_filters_of(scope->filters, id);
	if (event->of && event->of->filter)
		r = compile_filter(live, event, &rules->only[1].filter, e);
	r = r ? r : check(&rules->where, e);
	for (size_t i = 0; !r && i < ARRAY_SIZE(rules->only); i++)
		r = check(&rules->only[i], e);
	return r;
}

static bool has_filter(const struct event *event)
{
	return event->rules.only[0].filter || event->rules.only[1].filter;
}

/* Finds a field for a step: of the record, or of the raw tracepoint. */
static int find_field(const struct event *event, bool is_raw, const char *name,
		      struct kft_live_value *ret)
{
	const struct kft_class *cls = &event->record.cls;

	if (!is_raw)
		return kft_live_event_field(&event->record, name, ret);
	return kft_live_raw_field(cls->system, cls->name, name, ret) ? 0 : -ENOENT;
}

/* Makes the step of an event, or of its raw tracepoint. -ENOENT without a field. */
static int make_step(const struct kft_interval_kind *kind, const struct event *event,
		     bool is_raw, struct kft_live_step *ret)
{
	const struct kft_kind_pairs *pairs = &kind->pairs;
	const struct kft_kind_event *of = event->of;
	int r = 0;

	*ret = (struct kft_live_step){.role = of->role, .key = constant(of->key)};
	if (pairs->has_constant_id)
		ret->ids[ret->n_ids++] = constant(of->key);
	while (!r && ret->n_ids < pairs->n_ids && of->fields[ret->n_ids]) {
		r = find_field(event, is_raw, of->fields[ret->n_ids],
			       &ret->ids[ret->n_ids]);
		ret->n_ids++;
	}
	if (!r && of->role == KFT_KIND_BEGINS && of->fields[pairs->key])
		r = find_field(event, is_raw, of->fields[pairs->key], &ret->key);
	return r;
}

static int attach_step(struct kft_live *live, const struct kft_live_kind *k,
		       const struct event *event, bool is_raw, struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_step step;
	int r = make_step(k->kind, event, is_raw, &step);

	if (r < 0)
		return is_raw ? r
			      : kft_err_sys(e, r,
					    "a field of the event %s:%s is no number "
					    "that identifies '%s'",
					    event->record.cls.system, event->of->name,
					    k->kind->name);
	kft_live_emit_step(&code, &k->maps, &event->rules, &step);
	return is_raw ? attach_raw(live, &code, event->of->name)
		      : attach_event(live, &code, &event->record, e);
}

/* Whether an event of a kind begins, ends or cancels its intervals by itself. */
static bool is_step(const struct kft_kind_event *of)
{
	return !of->is_hint && !of->is_other_form && of->role != KFT_KIND_PREPARES;
}

/* A raw tracepoint has no record for filters, and a user's event may be a probe. */
static bool may_be_raw(const struct kft_live_kind *k, const struct event *event)
{
	return !has_filter(event) && !k->kind->pairs.is_of_user;
}

/* Attaches to the raw tracepoint if all fields are among its arguments, else to the event. */
static int attach_either(struct kft_live *live, const struct kft_live_kind *k,
			 const struct kft_kind_event *of, struct kft_err *e)
{
	struct event event = {.of = of};
	int r = kft_live_event_read(live->host, of->system, of->name, &live->arena,
				    &event.record);

	if (r == -ENOENT)
		return r;
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the format of the event %s:%s",
				   of->system ? of->system : "*", of->name);
	r = make_rules(live, k, &event, e);
	if (r < 0)
		return r;
	if (may_be_raw(k, &event) && attach_step(live, k, &event, true, NULL) == 0)
		return 0;
	r = attach_step(live, k, &event, false, e);
	return r == -ENOENT ? -EOPNOTSUPP : r;
}

static int attach_pairs(struct kft_live *live, const struct kft_live_kind *k,
			struct kft_err *e)
{
	bool has[KFT_KIND_PREPARES + 1] = {};

	for (const struct kft_kind_event *of = k->kind->events; of->name; of++) {
		int r = is_step(of) ? attach_either(live, k, of, e) : -ENOENT;

		if (r == -ENOENT)
			continue;
		if (r < 0)
			return r;
		has[of->role] = true;
	}
	return has[KFT_KIND_BEGINS] && has[KFT_KIND_ENDS]
		       ? 0
		       : kft_err_set(e, -ENOENT,
				     "this kernel has no events of '%s', or they are not "
				     "chosen",
				     k->kind->name);
}

/* A field of an event of the scheduler, and the place for its position in the record. */
struct wanted {
	const char *name;
	struct kft_live_value *number; /* NULL: it is a task's name */
	uint16_t *comm;
};

/* Finds the event and its fields, of which the last one has no name. */
static int find_event(struct kft_live *live, const char *name,
		      const struct wanted *fields, struct kft_live_event *ret,
		      struct kft_err *e)
{
	int r = kft_live_event_read(live->host, "sched", name, &live->arena, ret);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the format of the event sched:%s",
				   name);
	for (; !r && fields->name; fields++) {
		r = fields->number
			    ? kft_live_event_field(ret, fields->name, fields->number)
			    : kft_live_event_comm(ret, fields->name, fields->comm);
		if (r < 0)
			r = kft_err_sys(e, r,
					"the event sched:%s has no usual field '%s'",
					name, fields->name);
	}
	return r;
}

/* Likewise, with the rules of the kind. */
static int find_state_event(struct kft_live *live, const struct kft_live_kind *k,
			    const char *name, const struct wanted *fields,
			    struct event *ret, struct kft_err *e)
{
	int r = find_event(live, name, fields, &ret->record, e);

	ret->of = NULL;
	if (!r)
		r = make_rules(live, k, ret, e);
	return r == -ENOENT ? kft_err_set(e, r, "sched:%s is not chosen", name) : r;
}

static int attach_switch(struct kft_live *live, const struct kft_live_kind *k,
			 struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct event event;
	struct kft_live_switch s;
	const struct wanted fields[] = {
		{"prev_pid", .number = &s.prev_pid},
		{"prev_state", .number = &s.prev_state},
		{"next_pid", .number = &s.next_pid},
		{"prev_comm", .comm = &s.prev_comm},
		{"next_comm", .comm = &s.next_comm},
		{},
	};
	int r = find_state_event(live, k, "sched_switch", fields, &event, e);

	if (r < 0)
		return r;
	kft_live_emit_switch(&code, &k->maps, &event.rules, &s);
	return attach_event(live, &code, &event.record, e);
}

static int attach_wakeup(struct kft_live *live, const struct kft_live_kind *k,
			 const char *name, bool is_new, struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_wakeup w = {.is_new = is_new};
	struct event event;
	const struct wanted fields[] = {
		{"pid", .number = &w.pid},
		{"target_cpu", .number = &w.target_cpu},
		{"comm", .comm = &w.comm},
		{},
	};
	int r = find_state_event(live, k, name, fields, &event, e);

	if (r < 0)
		return r;
	kft_live_emit_wakeup(&code, &k->maps, &event.rules, &w);
	return attach_event(live, &code, &event.record, e);
}

static int attach_states(struct kft_live *live, const struct kft_live_kind *k,
			 struct kft_err *e)
{
	int r = attach_switch(live, k, e);

	if (!r)
		r = attach_wakeup(live, k, "sched_waking", false, e);
	return r < 0 ? r : attach_wakeup(live, k, "sched_wakeup_new", true, e);
}

int kft_live_attach(struct kft_live *live, const struct kft_live_kind *k,
		    struct kft_err *e)
{
	return k->kind == &kft_kind_task ? attach_states(live, k, e)
					 : attach_pairs(live, k, e);
}

static int attach_fork(struct kft_live *live, const struct kft_live_maps *maps,
		       struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_value parent;
	struct kft_live_value child;
	struct kft_live_event event;
	const struct wanted fields[] = {
		{"parent_pid", .number = &parent}, {"child_pid", .number = &child}, {}};
	int r = find_event(live, "sched_process_fork", fields, &event, e);

	if (r < 0)
		return r;
	kft_live_emit_fork(&code, maps, &parent, &child);
	return attach_event(live, &code, &event, e);
}

/* A task's last events follow sched_process_exit: its pid is forgotten when it is free. */
static int attach_free(struct kft_live *live, const struct kft_live_maps *maps,
		       struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_value pid;
	struct kft_live_event event;
	const struct wanted fields[] = {{"pid", .number = &pid}, {}};
	int r = find_event(live, "sched_process_free", fields, &event, e);

	if (r < 0)
		return r;
	kft_live_emit_free(&code, maps, &pid);
	return attach_event(live, &code, &event, e);
}

int kft_live_attach_tasks(struct kft_live *live, struct kft_err *e)
{
	const struct kft_live_maps maps = {.tasks = live->tasks_fd};
	int r = attach_fork(live, &maps, e);

	return r < 0 ? r : attach_free(live, &maps, e);
}
