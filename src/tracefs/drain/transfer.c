// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves all of a recording from tracefs to a sink: metadata, pages, names. */
#include "tracefs/drain/transfer.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "tracefs/control/control_file.h"
#include "decode/task_names.h"

/* Stores the current tables; the arena of the meta keeps the older ones, too. */
static int store_tasks(struct kft_transfer *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};

	kft_tasks_text(&t->tasks, &comms, &tgids);
	if (!kft_strbuf_ok(&comms) || !kft_strbuf_ok(&tgids))
		return -ENOMEM;
	int r = kft_meta_set_blob(&t->meta, &t->meta.cmdlines, kft_strbuf_cstr(&comms),
				  comms.len);
	return r < 0 ? r
		     : kft_meta_set_blob(&t->meta, &t->meta.tgids,
					 kft_strbuf_cstr(&tgids), tgids.len);
}

static int set_text(struct kft_transfer *t, struct kft_blob *blob, const char *text)
{
	return text ? kft_meta_set_blob(&t->meta, blob, text, strlen(text)) : 0;
}

static int collect(struct kft_transfer *t, struct kft_err *e)
{
	if (t->opts.resume)
		return kft_collect_shape(&t->collect, e);
	int r = kft_collect_begin(&t->collect, e);

	if (r < 0)
		return r;
	r = set_text(t, &t->meta.command, t->opts.command_line);
	if (r == 0)
		r = set_text(t, &t->meta.kernel_line, t->opts.kernel_line);
	if (r == 0)
		r = kft_tasks_begin(&t->tasks, t->opts.host);
	if (r == 0)
		r = store_tasks(t);
	return r < 0 ? kft_err_sys(e, r, "cannot collect the trace's metadata") : 0;
}

static void hand_on_tasks(struct kft_transfer *t)
{
	struct kft_sink *sink = t->opts.sink;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};

	kft_tasks_text(&t->tasks, &comms, &tgids);
	struct kft_blob cmdlines = {.data = kft_strbuf_cstr(&comms), .len = comms.len};
	struct kft_blob groups = {.data = kft_strbuf_cstr(&tgids), .len = tgids.len};
	if (kft_strbuf_ok(&comms) && kft_strbuf_ok(&tgids))
		(void)!sink->ops->tasks(sink, &cmdlines, &groups);
}

int kft_transfer_begin(struct kft_transfer *t, const struct kft_transfer_opts *o,
		       struct kft_err *e)
{
	t->opts = *o;
	t->collect = (struct kft_collect){
		.host = o->host,
		.instance_fd = o->instance_fd,
		.notify = o->notify,
		.meta = &t->meta,
		.only_group = o->only_group,
		.earlier_modules = o->modules,
	};
	int r = collect(t, e);

	if (r == 0)
		r = o->sink->ops->begin(o->sink, &t->meta, e);
	/* Without resume, the sink got the tasks with its begin. */
	if (r == 0 && o->resume && !o->without_tasks &&
	    kft_tasks_begin(&t->tasks, o->host) == 0)
		hand_on_tasks(t);
	return r;
}

static int open_drains(struct kft_drains_opts *opts, enum kft_transfer_mode mode,
		       struct kft_drains **ret, struct kft_err *e)
{
	uint64_t buffer_kb = 0;

	/*
	 * The file has "X" when the CPUs' sizes differ. The size is 0 then, and the
	 * threads run at a high priority.
	 */
	(void)!kft_control_file_read_u64(opts->instance_fd, "buffer_size_kb", &buffer_kb);
	opts->buffer_bytes = buffer_kb * 1024;
	opts->overwrite = mode == KFT_TRANSFER_AT_END;
	opts->once = mode == KFT_TRANSFER_NOW;
	return kft_drains_open(opts, ret, e);
}

static int open_beside(struct kft_transfer *t, enum kft_transfer_mode mode,
		       struct kft_err *e)
{
	struct kft_sink *sink = t->opts.sink;
	struct kft_drains_opts opts = {
		.instance_fd = t->opts.beside->fd,
		.page_size = t->meta.page_size,
		.with = t->drains,
		.untraced = t->opts.untraced,
		.other_fd = t->opts.instance_fd,
	};

	if (!sink->ops->buffer)
		return kft_err_set(e, -EOPNOTSUPP,
				   "entries of functions beside their calls go to a file "
				   "only");
	int r = sink->ops->buffer(sink, KFT_ENTRIES_BUFFER, &(struct kft_buffer_shape){},
				  &opts.sink, e);
	return r < 0 ? r : open_drains(&opts, mode, &t->beside, e);
}

int kft_transfer_open(struct kft_transfer *t, enum kft_transfer_mode mode,
		      struct kft_err *e)
{
	struct kft_drains_opts opts = {
		.instance_fd = t->opts.instance_fd,
		.sink = t->opts.sink,
		.page_size = t->meta.page_size,
		.layout = t->opts.notice_readers ? &t->collect.layout : NULL,
		.untraced = t->opts.untraced,
		.other_fd = t->opts.beside ? t->opts.beside->fd : -1,
	};
	int r = open_drains(&opts, mode, &t->drains, e);

	return r == 0 && t->opts.beside ? open_beside(t, mode, e) : r;
}

int kft_transfer_start(struct kft_transfer *t, struct kft_err *e)
{
	int r = kft_drains_start(t->drains, e);

	return r == 0 && t->beside ? kft_drains_start(t->beside, e) : r;
}

void kft_transfer_progress(const struct kft_transfer *t, struct kft_progress *ret)
{
	if (!t->drains)
		return;
	kft_drains_progress(t->drains, ret);
	if (t->opts.sink->ops->bytes)
		ret->bytes = t->opts.sink->ops->bytes(t->opts.sink);
	if (t->beside)
		kft_drains_progress(t->beside, ret);
}

void kft_transfer_tasks(struct kft_transfer *t)
{
	bool changed;

	if (kft_tasks_refresh(&t->tasks, t->opts.host, &changed) == 0 && changed)
		hand_on_tasks(t);
}

void kft_transfer_modules(struct kft_transfer *t)
{
	if (!t->opts.resume)
		kft_collect_modules(&t->collect);
}

/* Completes the tables for readers that support one name for each pid. */
static int complete_tasks(struct kft_transfer *t)
{
	_cleanup_(kft_task_table_finish) struct kft_task_table names = {};
	const struct kft_blob *records = &t->meta.names;
	bool changed;
	int r = kft_tasks_refresh(&t->tasks, t->opts.host, &changed);

	if (r == 0)
		r = kft_task_names_parse(records->data, records->len, &names);
	if (r == 0)
		r = kft_tasks_take_names(&t->tasks, &names);
	return r == 0 ? store_tasks(t) : r;
}

static int complete_meta(struct kft_transfer *t, struct kft_err *e)
{
	int r = t->opts.resume ? 0 : kft_collect_end(&t->collect, e);

	if (r < 0)
		return r;
	if (!t->opts.resume)
		r = complete_tasks(t);
	if (r == 0)
		r = kft_drains_report(t->drains, NULL, &t->meta);
	if (r == 0 && t->beside)
		r = kft_drains_report(t->beside, KFT_ENTRIES_BUFFER, &t->meta);
	return r < 0 ? kft_err_sys(e, r, "cannot complete the trace") : 0;
}

int kft_transfer_finish(struct kft_transfer *t, struct kft_err *e)
{
	struct kft_sink *sink = t->opts.sink;
	int r = sink->ops->release ? sink->ops->release(sink, e) : 0;
	int drained = kft_drains_finish(t->drains, r < 0 ? NULL : e);

	if (r == 0)
		r = drained;
	drained = t->beside ? kft_drains_finish(t->beside, r < 0 ? NULL : e) : 0;
	if (r == 0)
		r = drained;
	return r < 0 ? r : complete_meta(t, e);
}

int kft_transfer_end(struct kft_transfer *t, struct kft_err *e)
{
	return t->opts.sink->ops->end(t->opts.sink, &t->meta, e);
}

int kft_transfer_move(struct kft_transfer *t, enum kft_transfer_mode mode,
		      struct kft_err *e)
{
	int r = kft_transfer_open(t, mode, e);

	if (r == 0)
		r = kft_transfer_start(t, e);
	return r == 0 ? kft_transfer_finish(t, e) : r;
}

int kft_transfer_all(const struct kft_transfer_opts *o, struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};
	int r = kft_transfer_begin(&t, o, e);

	if (r == 0)
		r = kft_transfer_move(&t, KFT_TRANSFER_AT_END, e);
	return r == 0 ? kft_transfer_end(&t, e) : r;
}

void kft_transfer_close(struct kft_transfer *t)
{
	t->beside = kft_drains_close(t->beside);
	t->drains = kft_drains_close(t->drains);
	kft_collect_finish(&t->collect);
	kft_tasks_finish(&t->tasks);
	kft_meta_finish(&t->meta);
}
