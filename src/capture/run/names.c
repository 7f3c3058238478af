// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps which task got which name when, of a session that outlives its processes. */
#include "capture/run/names.h"

#include <stdio.h>

#include "base/io.h"
#include "capture/tasks.h"
#include "capture/tracefs/buffer.h"
#include "capture/tracefs/name_events.h"
#include "capture/tracefs/place.h"
#include "capture/tracefs/setup.h"
#include "decode/task_names.h"

/* The names from before, until they are handed on. */
#define FIRST_FILE "names"
/* Of the session's buffer: a process that is born and ends is worth dozens of events. */
#define BUFFER_SHARE	 16
#define BUFFER_MIN_BYTES (UINT64_C(256) << 10)

static void instance_of(const struct kft_run *r, char *ret, size_t size)
{
	char session[KFT_PLACE_PREFIX_MAX - 32];

	kft_place_instance_name(r->dir.name, session, sizeof(session));
	(void)snprintf(ret, size, "%s" KFT_NAME_EVENTS_SUFFIX, session);
}

static bool record(const struct kft_run *r, const struct kft_plan *session_plan)
{
	uint64_t bytes = session_plan->buffer_bytes ? session_plan->buffer_bytes
						    : kft_buffer_default_bytes(r->host);
	const struct kft_plan plan = {
		.clock = session_plan->clock,
		.buffer_bytes = KFT_MAX(bytes / BUFFER_SHARE, BUFFER_MIN_BYTES),
		.overwrite = true,
	};
	char instance[KFT_PLACE_PREFIX_MAX - 16];
	struct kft_place p;

	instance_of(r, instance, sizeof(instance));
	if (kft_place_make_instance(&r->ledger, instance, &p, NULL) < 0)
		return false;
	bool ok = kft_setup(&p, &plan, NULL) == 0 && kft_name_events_enable(p.fd) == 0;
	kft_place_close(&p);
	return ok;
}

void kft_run_names_begin(const struct kft_run *r, const struct kft_plan *plan)
{
	_cleanup_(kft_tasks_finish) struct kft_tasks tasks = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf first = {};

	/* Those of an earlier run of the session. */
	(void)!kft_rundir_remove_file(&r->dir, FIRST_FILE, NULL);
	/* In this order: no birth and no new name may fall in between. */
	if (!record(r, plan) || kft_tasks_begin(&tasks, r->host) < 0)
		return;
	kft_tasks_names(&tasks, 0, NULL, &first);
	if (kft_strbuf_ok(&first))
		(void)!kft_rundir_write(&r->dir, FIRST_FILE, first.buf, first.len, NULL);
}

/* Tasks that live now and were not named since the hole had their names then. */
static void fill_hole(const struct kft_run *r, uint64_t hole_ns,
		      struct kft_strbuf *records, const struct kft_notify *notify)
{
	_cleanup_(kft_task_table_finish) struct kft_task_table since = {};
	_cleanup_(kft_tasks_finish) struct kft_tasks now = {};

	kft_notify(notify,
		   "some names of tasks before %.6f are missing: too many were born",
		   (double)hole_ns / 1e9);
	if (kft_strbuf_ok(records) &&
	    kft_task_names_parse(records->buf, records->len, &since) == 0 &&
	    kft_tasks_begin(&now, r->host) == 0)
		kft_tasks_names(&now, hole_ns, &since.names_of, records);
}

static void read_new(const struct kft_run *r, struct kft_strbuf *records,
		     const struct kft_notify *notify)
{
	_cleanup_(kft_name_events_close) struct kft_name_events n = {};
	char instance[KFT_PLACE_PREFIX_MAX - 16];
	struct kft_place p;

	instance_of(r, instance, sizeof(instance));
	if (kft_place_open_instance(&r->ledger, instance, &p) < 0)
		return;
	if (kft_name_events_open(&n, r->host, p.fd) == 0) {
		(void)kft_name_events_read(&n, records);
		if (n.hole_ns)
			fill_hole(r, n.hole_ns, records, notify);
	}
	kft_place_close(&p);
}

static void hand_on(struct kft_sink *sink, const struct kft_strbuf *records)
{
	if (records->len && kft_strbuf_ok(records))
		sink->ops->names(sink, records->buf, records->len);
}

void kft_run_names_move(const struct kft_run *r, struct kft_sink *sink,
			const struct kft_notify *notify)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf first = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf since = {};

	if (!sink->ops->names)
		return;
	if (kft_read_at(r->dir.fd, FIRST_FILE, KFT_TASK_NAMES_MAX_BYTES, &first) == 0) {
		hand_on(sink, &first);
		(void)!kft_rundir_remove_file(&r->dir, FIRST_FILE, NULL);
	}
	read_new(r, &since, notify);
	hand_on(sink, &since);
}
