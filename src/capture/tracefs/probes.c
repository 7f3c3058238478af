// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arms a run's triggers at functions: kprobe events with triggers. */
#include "capture/tracefs/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "capture/tracefs/ctl.h"

/*
 * Calls of one function that may be under way at once and still be seen to return; the
 * kernel's default is 10 to some dozens, which a function that sleeps soon exceeds.
 */
#define MAX_ACTIVE 512

void kft_probes_group(const char *run_name, char ret[KFT_PROBE_GROUP_MAX])
{
	uint32_t hash = (uint32_t)kft_hash_bytes(run_name, strlen(run_name));

	(void)snprintf(ret, KFT_PROBE_GROUP_MAX, "kft_%08" PRIx32, hash);
}

struct probe {
	const struct kft_place *place;
	const char *group;
	const char *event;
	const struct kft_plan_trigger *trigger;
	/* What the event's trigger file gets, and what takes it out again. */
	const char *command;
	const char *undo;
};

static int make_event(const struct probe *p, struct kft_err *e)
{
	const struct kft_plan_func *f = &p->trigger->func;
	char where[600];
	char event[KFT_PROBE_GROUP_MAX + 16];
	char text[800];

	if (f->kind == KFT_FUNC_ADDR)
		(void)snprintf(where, sizeof(where), "0x%" PRIx64, f->addr);
	else
		(void)snprintf(where, sizeof(where), "%s", f->name);
	(void)snprintf(event, sizeof(event), "%s/%s", p->group, p->event);
	int r = kft_ledger_note_probe(p->place->ledger, event, e);
	if (r < 0)
		return r;
	int n = p->trigger->kind == KFT_TRIGGER_EXIT
			? snprintf(text, sizeof(text), "r%d:%s %s", MAX_ACTIVE, event,
				   where)
			: snprintf(text, sizeof(text), "p:%s %s", event, where);
	r = kft_write_at(p->place->ledger->tracefs_fd, "kprobe_events", O_APPEND, text,
			 n);
	if (r < 0) {
		kft_err_sys(e, r, "cannot put a probe on '%s'", where);
		if (r == -ENOENT || r == -EINVAL || r == -EADDRNOTAVAIL)
			kft_err_hint(e, "the kernel has no probe for this function: "
					"choose another for the trigger");
		else
			kft_host_hint(p->place->ledger->host, r, e);
	}
	return r;
}

/*
 * The event is enabled apart from its trigger: so that it is recorded too. Both are noted
 * even in an instance, which is removed after the event: events in use stay.
 */
static int arm_event(const struct probe *p, struct kft_err *e)
{
	char file[128];
	char path[KFT_PLACE_PREFIX_MAX + 128];

	(void)snprintf(file, sizeof(file), "events/%s/%s/enable", p->group, p->event);
	int r = kft_place_set_shared(p->place, file, "1", e);
	if (r < 0)
		return r;
	(void)snprintf(file, sizeof(file), "events/%s/%s/trigger", p->group, p->event);
	(void)snprintf(path, sizeof(path), "%s%s", p->place->prefix, file);
	r = kft_ledger_note_trigger(p->place->ledger, path, p->undo, e);
	if (r < 0)
		return r;
	r = kft_write_at(p->place->fd, file, 0, p->command, strlen(p->command));
	return r < 0 ? kft_err_sys(e, r, "cannot set the trigger of a probe") : 0;
}

static bool at_function(const struct kft_plan_trigger *t)
{
	return t->kind == KFT_TRIGGER_ENTRY || t->kind == KFT_TRIGGER_EXIT;
}

int kft_probes_arm(const struct kft_place *place, const char *run_name,
		   const struct kft_plan *plan, struct kft_err *e)
{
	char group[KFT_PROBE_GROUP_MAX];

	kft_probes_group(run_name, group);
	/* Always true; a trigger with a condition works once the event is recorded. */
	const struct probe stop = {
		.place = place,
		.group = group,
		.event = KFT_PROBE_STOP,
		.trigger = &plan->stop,
		.command = plan->autorepeat ? "traceoff if common_pid >= 0"
					    : "traceoff:1 if common_pid >= 0",
		.undo = "traceoff",
	};
	const struct probe start = {
		.place = place,
		.group = group,
		.event = KFT_PROBE_START,
		.trigger = &plan->start,
		.command = plan->autorepeat ? "traceon" : "traceon:1",
		.undo = "traceon",
	};
	int r = 0;

	if (at_function(stop.trigger))
		r = make_event(&stop, e);
	if (r == 0 && at_function(start.trigger))
		r = make_event(&start, e);
	if (r == 0 && at_function(stop.trigger))
		r = arm_event(&stop, e);
	if (r == 0 && at_function(start.trigger))
		r = arm_event(&start, e);
	return r;
}

int kft_probes_disarm(const struct kft_place *p, const char *run_name, const char *event)
{
	const char *command = strcmp(event, KFT_PROBE_START) == 0 ? "!traceon"
								  : "!traceoff";
	char group[KFT_PROBE_GROUP_MAX];
	char path[128];

	kft_probes_group(run_name, group);
	(void)snprintf(path, sizeof(path), "events/%s/%s/trigger", group, event);
	int r = kft_write_at(p->fd, path, 0, command, strlen(command));
	return r == -ENOENT ? 0 : r;
}

bool kft_probe_fired(const struct kft_place *p, const char *run_name, const char *event)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char group[KFT_PROBE_GROUP_MAX];
	char path[128];

	kft_probes_group(run_name, group);
	(void)snprintf(path, sizeof(path), "events/%s/%s/trigger", group, event);
	return kft_ctl_read(p->fd, path, &sb) == 0 && strstr(sb.buf, "count=0");
}
