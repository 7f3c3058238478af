// SPDX-License-Identifier: LGPL-2.1-or-later
/* Moves the records of a detached session to a sink, while it records or at the end. */
#include "session/run/run.h"

#include <errno.h>

#include "base/err.h"
#include "capture/shared_sink.h"
#include "session/run/parts.h"

static int note_drained(struct kft_run *r, struct kft_err *e)
{
	r->rec.drained = true;
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/*
 * Counts the drained bytes: the kernel counts the events that were read, but not their
 * bytes.
 */
static int note_bytes(struct kft_run *r, const struct kft_progress *p, struct kft_err *e)
{
	if (!r->rec.options.max_bytes)
		return 0;
	r->rec.drained_bytes += p->bytes;
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/*
 * Adds events that were read but are in no file to the run's losses: the disk was full,
 * or another program read them. Corrects the counts of a complete run.
 */
static int note_taken(struct kft_run *r, const struct kft_progress *p, struct kft_err *e)
{
	if (p->taken <= r->rec.taken || p->taken == KFT_LOST_UNKNOWN)
		return 0;
	uint64_t more = p->taken - r->rec.taken;
	r->rec.taken = p->taken;
	if (kft_state_is_complete(r->rec.state)) {
		r->rec.lost += more;
		r->rec.events -= KFT_MIN(more, r->rec.events);
	}
	return kft_session_state_write(&r->dir, &r->rec, e);
}

/* Gives each part its sink, and begins the trace. */
static int begin_all(struct kft_run *r, struct kft_part_drain *how,
		     struct kft_shared_sink *shared, struct kft_err *e)
{
	struct kft_sink *trace = how->sink;
	const char *names[KFT_BACKENDS_MAX];
	int n = 0;

	for (size_t i = 0; i < r->n_parts; i++)
		names[i] = r->parts[i]->ops->name;
	if (kft_backends_share(r->n_parts))
		n = kft_shared_sink_init(shared, trace, names, r->n_parts, e);
	for (size_t i = 0; i < r->n_parts && n == 0; i++) {
		how->sink = kft_shared_sink_of(shared, trace, r->n_parts, i);
		n = kft_part_ops(r->parts[i])->drain_begin(r->parts[i], how, e);
	}
	return n;
}

/* Notes losses after a failure, too: records may have been read in vain. */
static int move_all(struct kft_run *r, struct kft_progress *ret, struct kft_err *e)
{
	int n = 0;

	for (size_t i = 0; i < r->n_parts && n == 0; i++)
		n = kft_part_ops(r->parts[i])->drain_move(r->parts[i], ret, e);
	int noted = note_taken(r, ret, n < 0 ? NULL : e);
	return n < 0 ? n : noted;
}

static int end_all(struct kft_run *r, struct kft_shared_sink *shared, struct kft_err *e)
{
	int n = 0;

	for (size_t i = r->n_parts; i-- > 0 && n == 0;)
		n = kft_part_ops(r->parts[i])->drain_end(r->parts[i], e);
	return n == 0 && kft_backends_share(r->n_parts) ? kft_shared_sink_end(shared, e)
							: n;
}

static int drain(struct kft_run *r, struct kft_part_drain *how, struct kft_err *e)
{
	struct kft_shared_sink shared = {};
	struct kft_progress p = {};
	int n = begin_all(r, how, &shared, e);

	if (n == 0)
		n = note_drained(r, e);
	if (n == 0)
		n = move_all(r, &p, e);
	if (n == 0)
		n = how->at_end ? end_all(r, &shared, e) : note_bytes(r, &p, e);
	for (size_t i = 0; i < r->n_parts; i++)
		kft_part_ops(r->parts[i])->drain_close(r->parts[i]);
	return n;
}

static struct kft_part_drain drain_into(struct kft_sink *sink,
					const struct kft_plan *plan,
					const char *command_line,
					const struct kft_notify *notify)
{
	return (struct kft_part_drain){
		.sink = sink,
		.plan = plan,
		.command_line = command_line,
		.notify = notify,
	};
}

int kft_run_drain(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		  const char *command_line, const struct kft_notify *notify,
		  struct kft_err *e)
{
	struct kft_part_drain how = drain_into(sink, plan, command_line, notify);

	how.resume = r->rec.drained;
	return drain(r, &how, e);
}

int kft_run_take(struct kft_run *r, const struct kft_plan *plan, struct kft_sink *sink,
		 const char *command_line, const struct kft_notify *notify,
		 struct kft_err *e)
{
	struct kft_part_drain how = drain_into(sink, plan, command_line, notify);

	how.at_end = true;
	if (r->rec.state != KFT_STATE_COMPLETE || !r->is_attached)
		return kft_err_set(e, -EINVAL, "session '%s' has nothing to be taken",
				   r->dir.name);
	int n = drain(r, &how, e);
	if (n == -EALREADY && e)
		*e = (struct kft_err){};
	else if (n < 0 && n != -EALREADY)
		return n;
	r->rec.state = KFT_STATE_SAVED;
	n = kft_session_state_write(&r->dir, &r->rec, e);
	return n < 0 ? n : kft_run_parts_undo(r, e);
}
