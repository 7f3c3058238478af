// SPDX-License-Identifier: LGPL-2.1-or-later
/* The functions of the part of a detached session that tracefs records. */
#include "tracefs/detached/part.h"

#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/persistent.h"
#include "tracefs/detached/budget.h"
#include "tracefs/detached/grow.h"
#include "tracefs/detached/modules.h"
#include "tracefs/detached/names.h"
#include "tracefs/detached/stack_tracer.h"
#include "tracefs/detached/switched.h"
#include "tracefs/sources/entries.h"
#include "tracefs/sources/graph.h"
#include "tracefs/sources/probes.h"

#define HEADER_MAX_BYTES 4096 /* of events/header_page; kernels write 300 */

static int open_part(struct kft_run *r, struct kft_part **ret, struct kft_err *e)
{
	struct kft_tracefs_part *p = calloc(1, sizeof(*p));
	int n = p ? kft_ledger_init(&p->ledger, r->host, r->dir.fd, e)
		  : kft_err_memory(e);

	if (n < 0) {
		free(p);
		return n;
	}
	p->base = (struct kft_part){.ops = &kft_tracefs_backend, .run = r};
	p->place.fd = -1;
	*ret = &p->base;
	return 0;
}

static int attach(struct kft_part *part, struct kft_err *e)
{
	struct kft_tracefs_part *p = kft_tracefs_part_of(part);
	const struct kft_run *r = part->run;
	int n = kft_tracefs_dir_open(&p->ledger, r->dir.name, r->rec.setup.top,
				     &p->place);

	if (n == 0 && r->rec.entries)
		n = kft_entries_open(&p->place, r->dir.name, NULL);
	if (n < 0)
		kft_tracefs_dir_close(&p->place);
	part->survives = n == 0 && kft_instance_is_kept(p->place.fd);
	return n < 0 && n != -ENOENT
		       ? kft_err_sys(e, n, "cannot open the place of session '%s'",
				     r->dir.name)
		       : n;
}

static int disarm(struct kft_part *part, const struct kft_plan *plan)
{
	const struct kft_tracefs_part *p = kft_tracefs_part_of(part);

	return kft_probes_disarm(&p->place, part->run->dir.name, &plan->start,
				 KFT_PROBE_START);
}

static int record(struct kft_part *part, bool on)
{
	return kft_tracefs_dir_switch(&kft_tracefs_part_of(part)->place, on);
}

static int mark(struct kft_part *part, const char *text, size_t len)
{
	return kft_write_at(kft_tracefs_part_of(part)->place.fd, "trace_marker", 0, text,
			    len);
}

int kft_tracefs_part_counts(const struct kft_tracefs_part *p, struct kft_cpu_counts *ret)
{
	int n = 0;

	*ret = (struct kft_cpu_counts){};
	for (const struct kft_tracefs_dir *d = &p->place; d && n == 0; d = d->beside) {
		struct kft_cpu_counts one = {};

		n = kft_cpu_counts_sum(d->fd, &one);
		kft_cpu_counts_add(ret, &one);
	}
	return n;
}

static int counts(const struct kft_part *part, struct kft_cpu_counts *ret)
{
	return kft_tracefs_part_counts(kft_tracefs_part_of_const(part), ret);
}

/*
 * Whether the stop trigger fired. It fires only while recording is on, so it proves a
 * start even without records.
 */
static bool stop_fired(const struct kft_tracefs_part *p, const struct kft_plan *plan)
{
	return kft_probe_is_needed(&plan->stop) &&
	       kft_probe_fired(&p->place, p->base.run->dir.name, &plan->stop,
			       KFT_PROBE_STOP);
}

/* A file that cannot be read is no disturbance. */
static unsigned int disturbance(const struct kft_tracefs_part *p)
{
	const struct kft_graph_setup *setup = &p->base.run->rec.setup;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracer = {};
	uint64_t thresh_us;
	unsigned int found = 0;

	if (kft_control_file_read(p->place.fd, "current_tracer", &tracer) == 0 &&
	    strcmp(tracer.buf, kft_graph_tracer_name(setup->tracer)) != 0)
		found |= KFT_DISTURBED_TRACER;
	if (setup->tracer == KFT_TRACER_CALLS &&
	    kft_control_file_read_u64(p->ledger.tracefs_fd, "tracing_thresh",
				      &thresh_us) == 0 &&
	    thresh_us != setup->thresh_us)
		found |= KFT_DISTURBED_THRESH;
	return found;
}

/*
 * The counters are read before the switch: when a trigger fires in between, the switch is
 * on and the run has started. The other way round, the switch would have been read as off,
 * and records would be there: as if another program had stopped the run.
 */
static int look(struct kft_part *part, const struct kft_plan *plan,
		struct kft_part_look *ret, struct kft_err *e)
{
	const struct kft_tracefs_part *p = kft_tracefs_part_of(part);
	uint64_t is_on;
	int n = kft_tracefs_part_counts(p, &ret->counts);

	if (n < 0)
		return kft_err_sys(e, n, "cannot look into the buffers of session '%s'",
				   part->run->dir.name);
	ret->has_stopped = stop_fired(p, plan);
	n = kft_control_file_read_u64(p->place.fd, "tracing_on", &is_on);
	if (n < 0)
		return kft_err_sys(e, n, "cannot look at session '%s'",
				   part->run->dir.name);
	ret->is_on = is_on;
	ret->was_stopped = !is_on && stop_fired(p, plan);
	ret->disturbed = disturbance(p);
	return 0;
}

static int watch(struct kft_part *part, const struct kft_plan *plan, bool begins)
{
	const struct kft_tracefs_part *p = kft_tracefs_part_of(part);

	return begins ? kft_watch_begin(&p->place, plan, &part->run->rec)
		      : kft_watch_look(&p->place, plan, &part->run->rec);
}

static int adjust(struct kft_part *part, struct kft_part_rate *last, struct kft_err *e)
{
	const struct kft_tracefs_part *p = kft_tracefs_part_of(part);
	const struct kft_run_options *o = &part->run->rec.options;
	int n = o->keep_ns && last ? kft_run_grow(p, e) : 0;

	if (n < 0 || !o->max_cost_ppm)
		return n;
	return last ? kft_budget_tend(p, last, e) : kft_budget_begin(p, e);
}

static void note_names(struct kft_part *part, struct kft_module_events *events)
{
	kft_run_names_read(kft_tracefs_part_of(part));
	kft_run_modules_look(kft_tracefs_part_of(part), events);
}

static void repeat_marks(struct kft_part *part)
{
	kft_budget_mark(kft_tracefs_part_of(part));
	kft_switched_mark(kft_tracefs_part_of(part));
}

static bool lacks_module(const struct kft_part *part, const struct kft_plan *plan,
			 char ret[KFT_PROBE_MODULE_MAX])
{
	return kft_probe_lacks_module(part->run->host, part->run->dir.name, &plan->start,
				      KFT_PROBE_START, ret);
}

static void warn(const struct kft_part *part, const struct kft_notify *notify)
{
	kft_run_modules_warn(kft_tracefs_part_of_const(part), notify);
}

/* The buffers are counted in whole pages, which may be larger than the kernel's. */
static int shape(const struct kft_part *part, struct kft_part_shape *ret)
{
	const struct kft_tracefs_part *p = kft_tracefs_part_of_const(part);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	uint64_t page_kb = 0;
	uint64_t buffer_kb;
	uint64_t total_kb;
	int r = kft_control_file_read_u64(p->place.fd, "buffer_size_kb", &buffer_kb);

	if (r == 0)
		r = kft_control_file_read_u64(p->place.fd, "buffer_total_size_kb",
					      &total_kb);
	if (r == 0)
		r = kft_read_at(p->ledger.tracefs_fd, "events/header_page",
				HEADER_MAX_BYTES, &text);
	if (r == 0)
		r = kft_ring_layout_parse(kft_strbuf_cstr(&text), text.len,
					  KFT_HOST_BIG_ENDIAN, &ret->layout);
	if (r < 0)
		return r;
	if (kft_control_file_read_u64(p->place.fd, "buffer_subbuf_size_kb", &page_kb) <
		    0 ||
	    !page_kb)
		page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	ret->buffer_bytes = (buffer_kb + page_kb - 1) / page_kb * page_kb * 1024;
	ret->total_bytes = total_kb * 1024;
	return 0;
}

static int work_dirfd(const struct kft_part *part)
{
	return kft_tracefs_part_of_const(part)->place.fd;
}

static int undo(struct kft_part *part, struct kft_err *e)
{
	struct kft_tracefs_part *p = kft_tracefs_part_of(part);

	if (p->place.fd >= 0)
		(void)!kft_tracefs_dir_switch(&p->place, false);
	/* An instance with an open file cannot be removed. */
	kft_tracefs_part_drain_close(part);
	kft_tracefs_dir_close(&p->place);
	int n = kft_ledger_undo(&p->ledger, e);
	if (n == 0)
		kft_graph_release(&part->run->dir);
	return n;
}

static void close_part(struct kft_part *part)
{
	struct kft_tracefs_part *p = kft_tracefs_part_of(part);

	kft_tracefs_part_drain_close(part);
	kft_enable_finish(&p->enable);
	kft_tracefs_dir_close(&p->place);
	free(p);
}

static int open_survived(struct kft_run *r, struct kft_part **ret, struct kft_err *e)
{
	struct kft_part *part;
	int n = open_part(r, &part, e);

	if (n < 0)
		return n;
	n = attach(part, e);
	if (n == 0 && !part->survives)
		n = -ENOENT;
	if (n < 0)
		close_part(part);
	else
		*ret = part;
	return n;
}

static int empty(struct kft_part *part)
{
	return kft_instance_rest(kft_tracefs_part_of(part)->place.fd);
}

const struct kft_detached_ops kft_tracefs_detached = {
	.overwrites = true,
	.open = open_part,
	.attach = attach,
	.resolve = kft_tracefs_part_resolve,
	.set_up = kft_tracefs_part_set_up,
	.enable = kft_tracefs_part_enable,
	.disarm = disarm,
	.record = record,
	.mark = mark,
	.counts = counts,
	.look = look,
	.watch = watch,
	.adjust = adjust,
	.note_names = note_names,
	.repeat_marks = repeat_marks,
	.lacks_module = lacks_module,
	.switch_set = kft_switched_switch,
	.drain_begin = kft_tracefs_part_drain_begin,
	.drain_move = kft_tracefs_part_drain_move,
	.drain_end = kft_tracefs_part_drain_end,
	.drain_close = kft_tracefs_part_drain_close,
	.shape = shape,
	.warn = warn,
	.work_dirfd = work_dirfd,
	.undo = undo,
	.close = close_part,
	.open_survived = open_survived,
	.empty = empty,
};
