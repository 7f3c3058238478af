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

/* Finds a field for a step: of a raw tracepoint, or of the event. */
static int find_field(const struct kft_kind_event *of, const struct kft_live_event *event,
		      const char *name, struct kft_live_value *ret)
{
	if (event)
		return kft_live_event_field(event, name, ret);
	return kft_live_raw_field(of->system, of->name, name, ret) ? 0 : -ENOENT;
}

/* Makes the step of an event; event NULL: of its raw tracepoint. -ENOENT without a field. */
static int make_step(const struct kft_interval_kind *kind,
		     const struct kft_kind_event *of, const struct kft_live_event *event,
		     struct kft_live_step *ret)
{
	const struct kft_kind_pairs *pairs = &kind->pairs;
	int r = 0;

	*ret = (struct kft_live_step){.role = of->role, .key = constant(of->key)};
	if (pairs->has_constant_id)
		ret->ids[ret->n_ids++] = constant(of->key);
	while (!r && ret->n_ids < pairs->n_ids && of->fields[ret->n_ids]) {
		r = find_field(of, event, of->fields[ret->n_ids], &ret->ids[ret->n_ids]);
		ret->n_ids++;
	}
	if (!r && of->role == KFT_KIND_BEGINS && of->fields[pairs->key])
		r = find_field(of, event, of->fields[pairs->key], &ret->key);
	return r;
}

static struct kft_live_grouping grouping_of(const struct kft_live *live,
					    const struct kft_interval_kind *kind)
{
	return (struct kft_live_grouping){
		.by = live->by | (kind->is_of_cpu ? KFT_INTERVAL_BY_CPU : 0),
		.by_cpu = kind->pairs.by_cpu,
		.by_task = kind->pairs.by_task,
	};
}

static int attach_step(struct kft_live *live, const struct kft_live_kind *k,
		       const struct kft_kind_event *of,
		       const struct kft_live_event *event, struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	const struct kft_live_grouping how = grouping_of(live, k->kind);
	struct kft_live_step step;
	int r = make_step(k->kind, of, event, &step);

	if (r < 0)
		return event ? kft_err_sys(e, r, "the event %s:%s lacks a field of '%s'",
					   of->system, of->name, k->kind->name)
			     : r;
	kft_live_emit_step(&code, &k->maps, &how, &step);
	return event ? attach_event(live, &code, event, e)
		     : attach_raw(live, &code, of->name);
}

/* Whether an event of a kind begins, ends or cancels its intervals by itself. */
static bool is_step(const struct kft_kind_event *of)
{
	return !of->is_hint && !of->is_other_form && of->role != KFT_KIND_PREPARES;
}

/* Attaches to the raw tracepoint if all fields are among its arguments, else to the event. */
static int attach_either(struct kft_live *live, const struct kft_live_kind *k,
			 const struct kft_kind_event *of, struct kft_err *e)
{
	struct kft_live_event event;
	int r = kft_live_event_read(live->host, of->system, of->name, &live->arena,
				    &event);

	if (r == -ENOENT)
		return r;
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the format of the event %s:%s",
				   of->system, of->name);
	if (attach_step(live, k, of, NULL, NULL) == 0)
		return 0;
	r = attach_step(live, k, of, &event, e);
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
		       : kft_err_set(e, -ENOENT, "this kernel has no events of '%s'",
				     k->kind->name);
}

static int read_event(struct kft_live *live, const char *system, const char *name,
		      struct kft_live_event *ret, struct kft_err *e)
{
	int r = kft_live_event_read(live->host, system, name, &live->arena, ret);

	return r < 0 ? kft_err_sys(e, r, "cannot read the format of the event %s:%s",
				   system, name)
		     : 0;
}

static int refuse_format(int r, const struct kft_live_event *event, struct kft_err *e)
{
	return kft_err_sys(e, r, "the event %s:%s has unusual fields", event->cls.system,
			   event->cls.name);
}

static int attach_switch(struct kft_live *live, const struct kft_live_kind *k,
			 struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_event event;
	struct kft_live_switch s;
	int r = read_event(live, "sched", "sched_switch", &event, e);

	if (r < 0)
		return r;
	r = kft_live_event_field(&event, "prev_pid", &s.prev_pid);
	if (!r)
		r = kft_live_event_field(&event, "prev_state", &s.prev_state);
	if (!r)
		r = kft_live_event_field(&event, "next_pid", &s.next_pid);
	if (!r)
		r = kft_live_event_comm(&event, "prev_comm", &s.prev_comm);
	if (!r)
		r = kft_live_event_comm(&event, "next_comm", &s.next_comm);
	if (r < 0)
		return refuse_format(r, &event, e);
	kft_live_emit_switch(&code, &k->maps, live->by, &s);
	return attach_event(live, &code, &event, e);
}

static int attach_wakeup(struct kft_live *live, const struct kft_live_kind *k,
			 const char *name, bool is_new, struct kft_err *e)
{
	_cleanup_(kft_bpf_code_finish) struct kft_bpf_code code = {};
	struct kft_live_wakeup w = {.is_new = is_new};
	struct kft_live_event event;
	int r = read_event(live, "sched", name, &event, e);

	if (r < 0)
		return r;
	r = kft_live_event_field(&event, "pid", &w.pid);
	if (!r)
		r = kft_live_event_comm(&event, "comm", &w.comm);
	if (r < 0)
		return refuse_format(r, &event, e);
	if (kft_live_event_field(&event, "target_cpu", &w.target_cpu) < 0)
		w.target_cpu.bytes = 0;
	kft_live_emit_wakeup(&code, &k->maps, live->by, &w);
	return attach_event(live, &code, &event, e);
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
	int r = read_event(live, "sched", "sched_process_fork", &event, e);

	if (r < 0)
		return r;
	r = kft_live_event_field(&event, "parent_pid", &parent);
	if (!r)
		r = kft_live_event_field(&event, "child_pid", &child);
	if (r < 0)
		return refuse_format(r, &event, e);
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
	int r = read_event(live, "sched", "sched_process_free", &event, e);

	if (r < 0)
		return r;
	r = kft_live_event_field(&event, "pid", &pid);
	if (r < 0)
		return refuse_format(r, &event, e);
	kft_live_emit_free(&code, maps, &pid);
	return attach_event(live, &code, &event, e);
}

int kft_live_attach_tasks(struct kft_live *live, struct kft_err *e)
{
	const struct kft_live_maps maps = {.tasks = live->tasks_fd};
	int r = attach_fork(live, &maps, e);

	return r < 0 ? r : attach_free(live, &maps, e);
}
