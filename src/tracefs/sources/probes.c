// SPDX-License-Identifier: LGPL-2.1-or-later
/* Arms the triggers that start and stop a run. */
#include "tracefs/sources/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/map.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/events.h"
#include "tracefs/sources/filter.h"

/*
 * The most concurrent calls of a function that a return probe can follow. The kernel's
 * default is 10 to some dozens, which a function that sleeps soon exceeds.
 */
#define MAX_ACTIVE 512

#define EVENT_MAX 256

#define MODULES_MAX_BYTES  (1U << 20)
#define KALLSYMS_MAX_BYTES (256U << 20)
#define EVENTS_MAX_BYTES   (4U << 20)

/* One of the two triggers of a plan. */
struct probe {
	const struct kft_tracefs_dir *place;
	const char *name; /* KFT_PROBE_START or KFT_PROBE_STOP */
	const char *verb; /* command of the trigger: traceon or traceoff */
	const struct kft_plan_trigger *trigger;
	char event[EVENT_MAX]; /* "system/event" */
	bool repeats;
	bool only_tasks; /* only the recorded tasks trigger it */
};

static bool at_function(const struct kft_plan_trigger *t)
{
	return t->kind == KFT_TRIGGER_ENTRY || t->kind == KFT_TRIGGER_EXIT;
}

bool kft_probe_is_needed(const struct kft_plan_trigger *t)
{
	return at_function(t) || t->kind == KFT_TRIGGER_EVENT;
}

static bool is_stop(const struct probe *p)
{
	return strcmp(p->name, KFT_PROBE_STOP) == 0;
}

/* Makes "system/event" of a trigger's event. */
static int event_of(const char *run_name, const struct kft_plan_trigger *t,
		    const char *name, char ret[EVENT_MAX])
{
	char group[KFT_PROBE_GROUP_MAX];
	int n;

	kft_probes_group(run_name, group);
	if (t->kind == KFT_TRIGGER_EVENT)
		n = snprintf(ret, EVENT_MAX, "%s", t->event.pattern);
	else
		n = snprintf(ret, EVENT_MAX, "%s/%s", group, name);
	if (n >= EVENT_MAX)
		return -ENAMETOOLONG;
	char *colon = strchr(ret, ':');
	if (colon)
		*colon = '/';
	return 0;
}

static int describe(const struct kft_tracefs_dir *place, const char *run_name,
		    const struct kft_plan *plan, const char *name, bool only_tasks,
		    struct probe *ret, struct kft_err *e)
{
	struct probe p = {
		.place = place,
		.name = name,
		.repeats = plan->autorepeat,
		.only_tasks = only_tasks,
	};

	p.trigger = is_stop(&p) ? &plan->stop : &plan->start;
	p.verb = is_stop(&p) ? "traceoff" : "traceon";
	int r = event_of(run_name, p.trigger, name, p.event);
	if (r < 0)
		return kft_err_set(e, r, "the trigger's event has too long a name");
	*ret = p;
	return 0;
}

/*
 * Returns the module of the only function of this name, from the text of /proc/kallsyms
 * with lines "ADDRESS TYPE NAME\t[MODULE]". NULL for a function of the kernel itself, and
 * for several.
 */
static const char *module_of(const char *kallsyms, const char *name, size_t *ret_len)
{
	const char *module = NULL;
	size_t len = strlen(name);

	for (const char *p = kallsyms; (p = strstr(p, name)); p += len) {
		if (p == kallsyms || p[-1] != ' ' || (p[len] != '\t' && p[len] != '\n'))
			continue;
		if (module || strncmp(p + len, "\t[", 2) != 0)
			return NULL;
		module = p + len + 2;
		*ret_len = strcspn(module, "]\n");
	}
	return module;
}

/*
 * Adds "MODULE:FUNCTION" for a function of a module: the kernel then sets the probe again
 * when the module is loaded again, which it does not do for "FUNCTION".
 */
static void add_function(const struct kft_host *host, const char *name,
			 struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf kallsyms = {};
	size_t len = 0;

	/* Without modules there is no need to read the megabytes of the kernel's symbols. */
	bool has_modules = kft_read_at(host->root_fd, "proc/modules", MODULES_MAX_BYTES,
				       &kallsyms) == 0 &&
			   kallsyms.len;

	kft_strbuf_clear(&kallsyms);
	if (has_modules && kft_read_at(host->root_fd, "proc/kallsyms", KALLSYMS_MAX_BYTES,
				       &kallsyms) == 0) {
		const char *module = module_of(kft_strbuf_cstr(&kallsyms), name, &len);

		if (module) {
			kft_strbuf_add(sb, module, len);
			kft_strbuf_addc(sb, ':');
		}
	}
	kft_strbuf_adds(sb, name);
}

static int make_event(const struct probe *p, struct kft_err *e)
{
	const struct kft_plan_func *f = &p->trigger->func;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf at = {};
	char text[800];

	if (f->kind == KFT_FUNC_ADDR)
		kft_strbuf_addf(&at, "0x%" PRIx64, f->addr);
	else
		add_function(p->place->ledger->host, f->name, &at);
	const char *where = kft_strbuf_cstr(&at);
	int r = kft_ledger_note_probe(p->place->ledger, p->event, e);
	if (r < 0)
		return r;
	int n = p->trigger->kind == KFT_TRIGGER_EXIT
			? snprintf(text, sizeof(text), "r%d:%s %s", MAX_ACTIVE, p->event,
				   where)
			: snprintf(text, sizeof(text), "p:%s %s", p->event, where);
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
 * Enables the event of a trigger, so that it is recorded, too. This is noted even in an
 * instance, because events in use cannot be removed, and the event is removed before the
 * instance.
 */
static int enable(const struct probe *p, struct kft_err *e)
{
	char file[EVENT_MAX + 32];

	(void)snprintf(file, sizeof(file), "events/%s/enable", p->event);
	return kft_tracefs_dir_set_shared(p->place, file, "1", e);
}

/*
 * A trigger without a filter runs before its event is recorded. One with a filter runs
 * after it, and only for the recorded tasks: a stop always has one.
 */
static void add_command(const struct probe *p, struct kft_strbuf *sb)
{
	const char *filter = p->trigger->event.filter;

	kft_strbuf_adds(sb, p->verb);
	if (!p->repeats)
		kft_strbuf_adds(sb, ":1");
	if (!filter && (is_stop(p) || p->only_tasks))
		filter = "common_pid >= 0";
	if (filter)
		kft_strbuf_addf(sb, " if %s", filter);
}

static int cannot_arm(const struct probe *p, const struct kft_tracefs_dir *place,
		      int code, struct kft_err *e)
{
	const char *name = p->trigger->event.pattern ? p->trigger->event.pattern
						     : p->event;

	if (code == -EEXIST) {
		kft_err_set(e, code, "%s has a trigger already that switches recording",
			    name);
		kft_err_hint(e, "the kernel has one for each event: start and stop need "
				"two");
		return code;
	}
	if (p->trigger->event.filter)
		return kft_filter_explain(place->fd, name, p->trigger->event.filter, code,
					  e);
	return kft_err_sys(e, code, "cannot set the trigger of %s", name);
}

static int arm_at(const struct probe *p, const struct kft_tracefs_dir *place,
		  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf command = {};
	char file[EVENT_MAX + 32];
	char path[KFT_PLACE_PREFIX_MAX + EVENT_MAX + 32];

	(void)snprintf(file, sizeof(file), "events/%s/trigger", p->event);
	(void)snprintf(path, sizeof(path), "%s%s", place->prefix, file);
	add_command(p, &command);
	if (!kft_strbuf_ok(&command))
		return kft_err_memory(e);
	int r = kft_ledger_note_trigger(place->ledger, path, p->verb, e);
	if (r < 0)
		return r;
	r = kft_write_at(place->fd, file, 0, command.buf, command.len);
	return r < 0 ? cannot_arm(p, place, r, e) : 0;
}

/* Arms a trigger in both instances; the event itself is recorded in the main one only. */
static int arm(const struct probe *p, struct kft_err *e)
{
	int r = p->place->beside ? arm_at(p, p->place->beside, e) : 0;

	return r < 0 ? r : arm_at(p, p->place, e);
}

/* Checks that the event of a trigger exists; the error has the nearest names. */
static int check_event(struct kft_host *host, const struct kft_plan_trigger *t,
		       struct kft_err *e)
{
	_cleanup_(kft_event_choices_finish) struct kft_event_choices c = {};
	struct kft_plan_event event = t->event;
	const struct kft_plan plan = {.events = &event, .n_events = 1};

	return t->kind == KFT_TRIGGER_EVENT
		       ? kft_event_choices_resolve(host, &plan, &c, e)
		       : 0;
}

int kft_probes_prepare(const struct kft_tracefs_dir *place, const char *run_name,
		       const struct kft_plan *plan, struct kft_err *e)
{
	struct probe stop;
	struct probe start;
	int r = describe(place, run_name, plan, KFT_PROBE_STOP, false, &stop, e);

	if (r == 0)
		r = describe(place, run_name, plan, KFT_PROBE_START, false, &start, e);
	if (r == 0)
		r = check_event(place->ledger->host, stop.trigger, e);
	if (r == 0)
		r = check_event(place->ledger->host, start.trigger, e);
	if (r == 0 && at_function(stop.trigger))
		r = make_event(&stop, e);
	if (r == 0 && at_function(start.trigger))
		r = make_event(&start, e);
	if (r == 0 && at_function(stop.trigger))
		r = enable(&stop, e);
	if (r == 0 && at_function(start.trigger))
		r = enable(&start, e);
	return r == 0 && kft_probe_is_needed(stop.trigger) ? arm(&stop, e) : r;
}

int kft_probes_arm(const struct kft_tracefs_dir *place, const char *run_name,
		   const struct kft_plan *plan, bool only_tasks, struct kft_err *e)
{
	struct probe start;
	int r = describe(place, run_name, plan, KFT_PROBE_START, only_tasks, &start, e);

	return r == 0 && kft_probe_is_needed(start.trigger) ? arm(&start, e) : r;
}

static int path_of(const char *run_name, const struct kft_plan_trigger *t,
		   const char *name, char *ret, size_t size)
{
	char event[EVENT_MAX];
	int r = event_of(run_name, t, name, event);

	(void)snprintf(ret, size, "events/%s/trigger", r < 0 ? "" : event);
	return r;
}

int kft_probes_disarm(const struct kft_tracefs_dir *p, const char *run_name,
		      const struct kft_plan_trigger *t, const char *name)
{
	const char *command = strcmp(name, KFT_PROBE_START) == 0 ? "!traceon"
								 : "!traceoff";
	char path[EVENT_MAX + 32];
	int r = path_of(run_name, t, name, path, sizeof(path));

	for (; p && (r == 0 || r == -ENOENT); p = p->beside)
		r = kft_write_at(p->fd, path, 0, command, strlen(command));
	return r == -ENOENT ? 0 : r;
}

bool kft_probe_fired(const struct kft_tracefs_dir *p, const char *run_name,
		     const struct kft_plan_trigger *t, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char path[EVENT_MAX + 32];

	if (path_of(run_name, t, name, path, sizeof(path)) < 0 ||
	    kft_control_file_read(p->fd, path, &sb) < 0)
		return false;
	/*
	 * A trigger that has fired is "traceoff:count=0 if ...", among triggers of other
	 * programs.
	 */
	const char *verb = strcmp(name, KFT_PROBE_START) == 0 ? "traceon:count=0"
							      : "traceoff:count=0";
	return strstr(sb.buf, verb) != NULL;
}

/*
 * Finds the module of an event in kprobe_events, "p:EVENT MODULE:FUNCTION". False for a
 * function of the kernel itself.
 */
static bool probed_module(const char *events, const char *event,
			  char ret[KFT_PROBE_MODULE_MAX])
{
	const char *p = strstr(events, event);
	const char *module = p ? p + strlen(event) : NULL;

	if (!module || *module != ' ')
		return false;
	size_t len = strcspn(++module, ":+ \n");
	if (module[len] != ':' || len >= KFT_PROBE_MODULE_MAX)
		return false;
	memcpy(ret, module, len);
	ret[len] = '\0';
	return true;
}

/* Lines of /proc/modules begin with the name. */
static bool is_loaded(const char *modules, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = modules; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, name, len) == 0 && p[len] == ' ')
			return true;
	}
	return false;
}

bool kft_probe_lacks_module(const struct kft_host *host, const char *run_name,
			    const struct kft_plan_trigger *t, const char *name,
			    char ret[KFT_PROBE_MODULE_MAX])
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf events = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf modules = {};
	char event[EVENT_MAX];

	return at_function(t) && event_of(run_name, t, name, event) == 0 &&
	       kft_read_at(host->root_fd, "proc/modules", MODULES_MAX_BYTES, &modules) ==
		       0 &&
	       kft_read_at(host->tracefs_fd, "kprobe_events", EVENTS_MAX_BYTES,
			   &events) == 0 &&
	       probed_module(kft_strbuf_cstr(&events), event, ret) &&
	       !is_loaded(kft_strbuf_cstr(&modules), ret);
}
