// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the records of a run out of the kernel, while it records or when it is complete. */
#include "session/run/run.h"

#include <errno.h>

#include "base/err.h"
#include "session/run/modules.h"
#include "session/run/names.h"
#include "tracefs/control/control_file.h"
#include "tracefs/drain/drains.h"
#include "tracefs/sources/pids.h"
#include "tracefs/sources/probes.h"
#include "tracefs/drain/transfer.h"
#include "model/event.h"

/* The losses that the last drain accounted for, for the next one: see kft_drains_save(). */
#define LOSSES_FILE "losses"

static int note_drained(struct kft_run *r, struct kft_err *e)
{
	if (!r->rec.drained && r->rec.options.is_recording) {
		int n = kft_rundir_remove_file(&r->dir, LOSSES_FILE, e);

		if (n < 0)
			return n;
	}
	r->rec.drained = true;
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/*
 * Counts the drained bytes: the kernel counts the events that were read, but not their
 * bytes.
 */
static int note_bytes(struct kft_run *r, const struct kft_transfer *t, struct kft_err *e)
{
	struct kft_progress p = {};

	if (!r->rec.options.max_bytes)
		return 0;
	kft_transfer_progress(t, &p);
	r->rec.drained_bytes += p.bytes;
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/*
 * Adds events that were read but are in no file to the run's losses: the disk was full,
 * or another program read them. Corrects the counts of a complete run.
 */
static int note_taken(struct kft_run *r, const struct kft_transfer *t, struct kft_err *e)
{
	struct kft_progress p = {};

	kft_transfer_progress(t, &p);
	if (p.taken <= r->rec.taken || p.taken == KFT_LOST_UNKNOWN)
		return 0;
	uint64_t more = p.taken - r->rec.taken;
	r->rec.taken = p.taken;
	if (kft_state_is_complete(r->rec.state)) {
		r->rec.lost += more;
		r->rec.events -= KFT_MIN(more, r->rec.events);
	}
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/* Returns the group of the run's probes if no other events are in the buffer, else NULL. */
static const char *only_group(const struct kft_run *r, const struct kft_plan *plan,
			      char group[static KFT_PROBE_GROUP_MAX])
{
	kft_probes_group(r->dir.name, group);
	return plan->n_events || r->rec.options.is_recording ? NULL : group;
}

static int save_losses(const struct kft_run *r, const struct kft_transfer *t,
		       struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (!r->rec.options.is_recording)
		return 0;
	kft_drains_save(t->drains, &text);
	return kft_rundir_write(&r->dir, LOSSES_FILE, text.buf, text.len, e);
}

/*
 * Accounts for losses since the last drain, and saves the account before this drain takes
 * a page: if this process is killed, the next one finds the pages that are in no file.
 */
static int restore_losses(const struct kft_run *r, struct kft_transfer *t,
			  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int n = 0;

	if (!r->rec.options.is_recording)
		return 0;
	(void)!kft_rundir_read(&r->dir, LOSSES_FILE, &text, NULL);
	/* Other recordings have no losses with a place before their first drain. */
	if (text.len || r->rec.options.stream)
		n = kft_drains_restore(t->drains, kft_strbuf_cstr(&text));
	return n < 0 ? kft_err_sys(e, n, "cannot keep account of losses")
		     : save_losses(r, t, e);
}

/*
 * Moves the records and notes losses. After a failure, too: records may have been read in
 * vain.
 */
static int move_and_note(struct kft_run *r, struct kft_transfer *t,
			 enum kft_transfer_mode mode, struct kft_err *e)
{
	int n = kft_transfer_open(t, mode, e);

	if (n < 0)
		return n;
	n = restore_losses(r, t, e);
	if (n == 0)
		n = kft_transfer_start(t, e);
	if (n == 0 && mode == KFT_TRANSFER_NOW && r->linger && r->rec.options.stream)
		r->linger(r->linger_arg, kft_drains_failed_fd(t->drains));
	if (n == 0)
		n = kft_transfer_finish(t, e);
	int noted = note_taken(r, t, n < 0 ? NULL : e);
	if (noted == 0)
		noted = save_losses(r, t, n < 0 ? NULL : e);
	return n < 0 ? n : noted;
}

/*
 * Clears the tasks that are not traced: threads of the last drain, which have ended, so
 * that other tasks may have their ids. Returns whether the new drain has to add its own
 * threads: events of moving pages would fill pages.
 */
static bool forget_untraced(const struct kft_run *r, const struct kft_plan *plan)
{
	if (!r->rec.options.stream || !plan->functions.enabled ||
	    !kft_pids_are_known(r->host))
		return false;
	(void)!kft_control_file_clear(r->place.fd, KFT_UNTRACED_FILE);
	if (r->place.beside)
		(void)!kft_control_file_clear(r->place.beside->fd, KFT_UNTRACED_FILE);
	return true;
}

/*
 * Returns blocks of all modules that were loaded, the new ones included, borrowed from
 * text.
 */
static struct kft_blob look_for_modules(const struct kft_run *r, struct kft_strbuf *text)
{
	kft_run_modules_look(r, NULL);
	kft_run_modules_read(r, text);
	return (struct kft_blob){text->buf, text->len};
}

int kft_run_drain(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		  const char *command_line, const struct kft_notify *notify,
		  struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};
	char group[KFT_PROBE_GROUP_MAX];
	bool resume = r->rec.drained;
	const struct kft_blob modules = resume ? (struct kft_blob){}
					       : look_for_modules(r, &blocks);
	const struct kft_transfer_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.beside = r->place.beside,
		.sink = sink,
		.only_group = only_group(r, plan, group),
		.modules = &modules,
		.command_line = command_line,
		.notify = notify,
		.resume = resume,
		.without_tasks = r->without_tasks,
		.untraced = forget_untraced(r, plan),
		.notice_readers = r->rec.options.is_recording,
	};
	int n = kft_transfer_begin(&t, &opts, e);

	if (n == 0)
		n = note_drained(r, e);
	if (n == 0)
		n = move_and_note(r, &t, KFT_TRANSFER_NOW, e);
	if (n == 0)
		n = note_bytes(r, &t, e);
	if (n == 0)
		kft_run_names_move(r, sink, notify);
	if (n == 0 && resume)
		kft_run_modules_move(r, sink);
	return n;
}

/* Moves all records and ends the sink. */
static int move_all(struct kft_run *r, const struct kft_transfer_opts *opts,
		    struct kft_err *e)
{
	_cleanup_(kft_transfer_close) struct kft_transfer t = {};
	int n = kft_transfer_begin(&t, opts, e);

	if (n == 0)
		n = move_and_note(r, &t, KFT_TRANSFER_AT_END, e);
	if (n < 0)
		return n;
	kft_run_names_move(r, opts->sink, opts->notify);
	return kft_transfer_end(&t, e);
}

int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};
	char group[KFT_PROBE_GROUP_MAX];
	const struct kft_blob modules = look_for_modules(r, &blocks);
	const struct kft_transfer_opts opts = {
		.host = r->host,
		.instance_fd = r->place.fd,
		.beside = r->place.beside,
		.sink = sink,
		.only_group = only_group(r, plan, group),
		.modules = &modules,
		.command_line = command_line,
		.notify = notify,
		.notice_readers = r->rec.options.is_recording,
	};

	if (r->rec.state != KFT_STATE_COMPLETE || r->place.fd < 0)
		return kft_err_set(e, -EINVAL, "session '%s' has nothing to be taken",
				   r->dir.name);
	/* Noted first: if this process dies, another one continues with the same file. */
	int n = note_drained(r, e);
	if (n == 0)
		n = move_all(r, &opts, e);
	if (n == -EALREADY && e)
		*e = (struct kft_err){};
	else if (n < 0 && n != -EALREADY)
		return n;
	r->rec.state = KFT_STATE_SAVED;
	n = kft_session_state_write(&r->dir, &r->rec, e);
	if (n < 0)
		return n;
	/* An instance with an open file cannot be removed. */
	kft_tracefs_dir_close(&r->place);
	n = kft_ledger_undo(&r->ledger, e);
	if (n == 0)
		kft_graph_release(&r->dir);
	return n;
}
