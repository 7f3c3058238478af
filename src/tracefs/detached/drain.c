// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the records of a detached session out of tracefs, while it records or at the end. */
#include "tracefs/detached/part.h"

#include <errno.h>

#include "base/err.h"
#include "tracefs/detached/modules.h"
#include "tracefs/detached/names.h"
#include "tracefs/control/control_file.h"
#include "tracefs/drain/drains.h"
#include "tracefs/sources/pids.h"
#include "tracefs/sources/probes.h"

/* The losses that the last drain accounted for, for the next one: see kft_drains_save(). */
#define LOSSES_FILE "losses"

/* Returns the group of the run's probes if no other events are in the buffer, else NULL. */
static const char *only_group(const struct kft_tracefs_part *r,
			      const struct kft_plan *plan,
			      char group[static KFT_PROBE_GROUP_MAX])
{
	kft_probes_group(r->base.run->dir.name, group);
	return plan->n_events || r->base.run->rec.options.is_recording ? NULL : group;
}

static int save_losses(const struct kft_tracefs_part *r, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (!r->base.run->rec.options.is_recording)
		return 0;
	kft_drains_save(r->transfer.drains, &text);
	return kft_rundir_write(&r->base.run->dir, LOSSES_FILE, text.buf, text.len, e);
}

/*
 * Accounts for losses since the last drain, and saves the account before this drain takes
 * a page: if this process is killed, the next one finds the pages that are in no file.
 */
static int restore_losses(const struct kft_tracefs_part *r, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int n = 0;

	if (!r->base.run->rec.options.is_recording)
		return 0;
	(void)!kft_rundir_read(&r->base.run->dir, LOSSES_FILE, &text, NULL);
	/* Other recordings have no losses with a place before their first drain. */
	if (text.len || r->base.run->rec.options.stream)
		n = kft_drains_restore(r->transfer.drains, kft_strbuf_cstr(&text));
	return n < 0 ? kft_err_sys(e, n, "cannot keep account of losses")
		     : save_losses(r, e);
}

/*
 * Clears the tasks that are not traced: threads of the last drain, which have ended, so
 * that other tasks may have their ids. Returns whether the new drain has to add its own
 * threads: events of moving pages would fill pages.
 */
static bool forget_untraced(const struct kft_tracefs_part *r, const struct kft_plan *plan)
{
	if (!r->base.run->rec.options.stream || !plan->functions.enabled ||
	    !kft_pids_are_known(r->base.run->host))
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
static struct kft_blob look_for_modules(const struct kft_tracefs_part *r,
					struct kft_strbuf *text)
{
	kft_run_modules_look(r, NULL);
	kft_run_modules_read(r, text);
	return (struct kft_blob){text->buf, text->len};
}

/* The account of losses may be of an earlier run of the session. */
static int forget_losses(const struct kft_tracefs_part *r, struct kft_err *e)
{
	const struct kft_run *run = r->base.run;

	return run->rec.options.is_recording && !run->rec.drained
		       ? kft_rundir_remove_file(&run->dir, LOSSES_FILE, e)
		       : 0;
}

int kft_tracefs_part_drain_begin(struct kft_part *p, const struct kft_part_drain *how,
				 struct kft_err *e)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};
	char group[KFT_PROBE_GROUP_MAX];
	/* A session that survived a crash has no directory, and modules of an earlier boot. */
	bool has_dir = p->run->dir.fd >= 0;
	const struct kft_blob modules = how->resume || !has_dir
						? (struct kft_blob){}
						: look_for_modules(r, &blocks);
	const struct kft_transfer_opts opts = {
		.host = p->run->host,
		.instance_fd = r->place.fd,
		.beside = r->place.beside,
		.sink = how->sink,
		.only_group = how->plan ? only_group(r, how->plan, group) : NULL,
		.modules = has_dir ? &modules : NULL,
		.command_line = how->command_line,
		.notify = how->notify,
		.resume = how->resume,
		.without_tasks = p->run->without_tasks,
		.untraced = !how->at_end && how->plan && forget_untraced(r, how->plan),
		.notice_readers = p->run->rec.options.is_recording,
	};

	r->drains_at_end = how->at_end;
	int n = forget_losses(r, e);
	return n == 0 ? kft_transfer_begin(&r->transfer, &opts, e) : n;
}

static int move(struct kft_tracefs_part *r, struct kft_err *e)
{
	const struct kft_run *run = r->base.run;
	struct kft_transfer *t = &r->transfer;
	int n = restore_losses(r, e);

	if (n == 0)
		n = kft_transfer_start(t, e);
	if (n == 0 && !r->drains_at_end && run->linger && run->rec.options.stream)
		run->linger(run->linger_arg, kft_drains_failed_fd(t->drains));
	return n == 0 ? kft_transfer_finish(t, e) : n;
}

/*
 * Losses are noted after a failure, too, because records may have been read in vain. The names
 * follow the records.
 */
int kft_tracefs_part_drain_move(struct kft_part *p, struct kft_progress *ret,
				struct kft_err *e)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);
	struct kft_transfer *t = &r->transfer;
	int n = kft_transfer_open(
		t, r->drains_at_end ? KFT_TRANSFER_AT_END : KFT_TRANSFER_NOW, e);

	if (n < 0)
		return n;
	n = move(r, e);
	kft_transfer_progress(t, ret);
	int noted = save_losses(r, n < 0 ? NULL : e);
	if (n < 0 || noted < 0)
		return n < 0 ? n : noted;
	if (p->run->dir.fd >= 0)
		kft_run_names_move(r, t->opts.sink, t->opts.notify);
	if (p->run->dir.fd >= 0 && t->opts.resume)
		kft_run_modules_move(r, t->opts.sink);
	return 0;
}

int kft_tracefs_part_drain_end(struct kft_part *p, struct kft_err *e)
{
	return kft_transfer_end(&kft_tracefs_part_of(p)->transfer, e);
}

void kft_tracefs_part_drain_close(struct kft_part *p)
{
	struct kft_tracefs_part *r = kft_tracefs_part_of(p);

	kft_transfer_close(&r->transfer);
	r->transfer = (struct kft_transfer){};
}
