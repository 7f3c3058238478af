// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/run/take.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "capture/run/run.h"
#include "capture/tasks.h"
#include "capture/tracefs/collect.h"
#include "capture/tracefs/ctl.h"
#include "capture/tracefs/drain.h"
#include "capture/tracefs/probes.h"

/* What goes into a sink, beside the pages. */
struct taking {
	struct kft_meta meta;
	struct kft_collect collect;
	struct kft_tasks tasks;
	struct kft_drains *drains; /* owned */
};

static void taking_finish(struct taking *t)
{
	kft_drains_close(t->drains);
	kft_collect_finish(&t->collect);
	kft_tasks_finish(&t->tasks);
	kft_meta_finish(&t->meta);
}

static int collect_tasks(struct taking *t, struct kft_host *host)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};
	int n = kft_tasks_begin(&t->tasks, host);

	if (n < 0)
		return n;
	kft_tasks_text(&t->tasks, &comms, &tgids);
	if (!kft_strbuf_ok(&comms) || !kft_strbuf_ok(&tgids))
		return -ENOMEM;
	n = kft_meta_set_blob(&t->meta, &t->meta.cmdlines, kft_strbuf_cstr(&comms),
			      comms.len);
	return n < 0 ? n
		     : kft_meta_set_blob(&t->meta, &t->meta.tgids,
					 kft_strbuf_cstr(&tgids), tgids.len);
}

static int set_text(struct taking *t, struct kft_blob *blob, const char *text)
{
	return text ? kft_meta_set_blob(&t->meta, blob, text, strlen(text)) : 0;
}

static int collect(struct taking *t, const struct kft_take_opts *o, struct kft_err *e)
{
	t->collect = (struct kft_collect){
		.host = o->host,
		.instance_fd = o->instance_fd,
		.notify = o->notify,
		.meta = &t->meta,
		.only_group = o->only_group,
	};
	int n = kft_collect_begin(&t->collect, e);

	if (n < 0)
		return n;
	n = set_text(t, &t->meta.command, o->command_line);
	if (n == 0)
		n = set_text(t, &t->meta.kernel_line, o->kernel_line);
	if (n == 0)
		n = collect_tasks(t, o->host);
	return n < 0 ? kft_err_sys(e, n, "cannot collect what the trace needs") : 0;
}

/*
 * Recording is off: all that there is comes with the end. Or it is not, and what is there
 * now is taken.
 */
static int drain(struct taking *t, int instance_fd, bool is_recording,
		 struct kft_sink *sink, struct kft_err *e)
{
	struct kft_drains_opts opts = {
		.instance_fd = instance_fd,
		.sink = sink,
		.page_size = t->meta.page_size,
		.overwrite = true,
		.once = is_recording,
	};
	uint64_t buffer_kb = 0;

	(void)!kft_ctl_read_u64(instance_fd, "buffer_size_kb", &buffer_kb);
	opts.buffer_bytes = buffer_kb * 1024;
	int n = kft_drains_open(&opts, &t->drains, e);
	if (n == 0)
		n = kft_drains_start(t->drains, e);
	if (n == 0)
		n = kft_drains_finish(t->drains, e);
	if (n < 0)
		return n;
	n = kft_drains_report(t->drains, &t->meta);
	return n < 0 ? kft_err_sys(e, n, "cannot complete the trace") : 0;
}

int kft_take(const struct kft_take_opts *o, struct kft_sink *sink, struct kft_err *e)
{
	_cleanup_(taking_finish) struct taking t = {};
	int n = collect(&t, o, e);

	if (n == 0)
		n = sink->ops->begin(sink, &t.meta, e);
	if (n == 0)
		n = drain(&t, o->instance_fd, false, sink, e);
	return n == 0 ? sink->ops->end(sink, &t.meta, e) : n;
}

/* For a sink that knows the rest from before. */
static int collect_shape(struct taking *t, const struct kft_take_opts *o,
			 struct kft_err *e)
{
	t->collect = (struct kft_collect){
		.host = o->host, .instance_fd = o->instance_fd, .meta = &t->meta};
	return kft_collect_shape(&t->collect, e);
}

int kft_run_drain(struct kft_run *r, struct kft_sink *sink, const char *command_line,
		  const struct kft_notify *notify, struct kft_err *e)
{
	_cleanup_(taking_finish) struct taking t = {};
	char group[KFT_PROBE_GROUP_MAX];
	const struct kft_take_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.only_group = group,
		.command_line = command_line,
		.notify = notify,
	};

	kft_probes_group(r->dir.name, group);
	int n = r->rec.drained ? collect_shape(&t, &opts, e) : collect(&t, &opts, e);

	if (n == 0)
		n = sink->ops->begin(sink, &t.meta, e);
	if (n < 0)
		return n;
	r->rec.drained = true;
	n = kft_run_record_write(&r->dir, &r->rec, e);
	return n == 0 ? drain(&t, r->place.fd, true, sink, e) : n;
}

int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e)
{
	char group[KFT_PROBE_GROUP_MAX];
	const struct kft_take_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.only_group = group,
		.command_line = command_line,
		.notify = notify,
	};

	if (!r->rec.complete || r->rec.taken || r->place.fd < 0)
		return kft_err_set(e, -EINVAL, "session '%s' has nothing to be taken",
				   r->dir.name);
	kft_probes_group(r->dir.name, group);
	/* Noted first: should this process die, another one goes on with what is there. */
	r->rec.drained = true;
	int n = kft_run_record_write(&r->dir, &r->rec, e);
	if (n == 0)
		n = kft_take(&opts, sink, e);
	if (n == -EALREADY && e)
		*e = (struct kft_err){};
	else if (n < 0 && n != -EALREADY)
		return n;
	r->rec.taken = true;
	n = kft_run_record_write(&r->dir, &r->rec, e);
	if (n < 0)
		return n;
	/* An instance with an open file cannot be removed. */
	kft_place_close(&r->place);
	n = kft_ledger_undo(&r->ledger, e);
	if (n == 0)
		kft_graph_release(&r->dir);
	return n;
}
