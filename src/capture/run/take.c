// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a run recorded, out of the kernel: while it records on, or when it is complete. */
#include "capture/run/run.h"

#include <errno.h>

#include "base/err.h"
#include "capture/run/names.h"
#include "capture/tracefs/probes.h"
#include "capture/tracefs/transfer.h"

static int note_drained(struct kft_run *r, struct kft_err *e)
{
	r->rec.drained = true;
	return kft_run_record_write(&r->dir, &r->rec, e);
}

/* The kernel says how many events were read, but not how many bytes. */
static int note_bytes(struct kft_run *r, const struct kft_transfer *t, struct kft_err *e)
{
	struct kft_progress p = {};

	if (!r->rec.options.max_bytes)
		return 0;
	kft_transfer_progress(t, &p);
	r->rec.drained_bytes += p.bytes;
	return kft_run_record_write(&r->dir, &r->rec, e);
}

/* Events of any group are in the buffer when the plan has events. */
static const char *only_group(const struct kft_run *r, const struct kft_plan *plan,
			      char group[static KFT_PROBE_GROUP_MAX])
{
	kft_probes_group(r->dir.name, group);
	return plan->n_events || r->rec.options.is_recording ? NULL : group;
}

int kft_run_drain(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		  const char *command_line, const struct kft_notify *notify,
		  struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};
	char group[KFT_PROBE_GROUP_MAX];
	const struct kft_transfer_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.beside = r->place.beside,
		.sink = sink,
		.only_group = only_group(r, plan, group),
		.command_line = command_line,
		.notify = notify,
		.resume = r->rec.drained,
		.without_tasks = r->without_tasks,
	};
	int n = kft_transfer_begin(&t, &opts, e);

	if (n == 0)
		n = note_drained(r, e);
	if (n == 0)
		n = kft_transfer_move(&t, KFT_TRANSFER_NOW, e);
	if (n == 0)
		n = note_bytes(r, &t, e);
	if (n == 0)
		kft_run_names_move(r, sink, notify);
	return n;
}

/* Everything, the sink's end included. */
static int move_all(const struct kft_run *r, const struct kft_transfer_opts *opts,
		    struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};
	int n = kft_transfer_begin(&t, opts, e);

	if (n == 0)
		n = kft_transfer_move(&t, KFT_TRANSFER_AT_END, e);
	if (n < 0)
		return n;
	kft_run_names_move(r, opts->sink, opts->notify);
	return kft_transfer_end(&t, e);
}

int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e)
{
	char group[KFT_PROBE_GROUP_MAX];
	const struct kft_transfer_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.beside = r->place.beside,
		.sink = sink,
		.only_group = only_group(r, plan, group),
		.command_line = command_line,
		.notify = notify,
	};

	if (r->rec.state != KFT_STATE_COMPLETE || r->place.fd < 0)
		return kft_err_set(e, -EINVAL, "session '%s' has nothing to be taken",
				   r->dir.name);
	/* Noted first: should this process die, another one goes on with what is there. */
	int n = note_drained(r, e);
	if (n == 0)
		n = move_all(r, &opts, e);
	if (n == -EALREADY && e)
		*e = (struct kft_err){};
	else if (n < 0 && n != -EALREADY)
		return n;
	r->rec.state = KFT_STATE_SAVED;
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
