// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tries dynamic events: kprobes, uprobes, fprobes, eprobes, synthetic. */
#include "decode/types/dwarf.h"
#include "doctor/mechanisms.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor/target.h"

#define PATH_BYTES 192

/*
 * Defines an event GROUP/name through file and notes its removal. The ledger's entry is
 * written first, so that killing doctor between the two leaves nothing behind.
 */
static int define(struct kft_doctor_env *env, const char *file, const char *name,
		  const char *definition)
{
	char text[PATH_BYTES];
	char path[PATH_BYTES];

	snprintf(text, sizeof(text), "-:%s/%s", env->group, name);
	snprintf(path, sizeof(path), "events/%s/%s", env->group, name);
	int r = kft_doctor_note_dynamic(env, path, file, text);

	return r < 0 ? r : kft_doctor_append(env->tracefs_fd, file, definition);
}

/*
 * Enables the event in doctor's instance, and notes that: an enabled
 * event cannot be deleted.
 */
static int enable(struct kft_doctor_env *env, const char *name)
{
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "instances/%s/events/%s/%s/enable", env->inst,
		 env->group, name);
	return kft_doctor_change_top(env, path, "0", "1");
}

/* Defines and enables an event, kicks, and counts the records. */
static void try_event(struct kft_doctor_env *env, struct kft_doctor_result *res,
		      const char *file, const char *name, const char *definition,
		      kft_doctor_kick_fn *kick)
{
	int64_t n = 0;

	if (!kft_doctor_need_instance(env, res))
		return;
	int r = define(env, file, name, definition);

	if (r == -ENOENT) {
		kft_doctor_refused_file(env, res, r, file);
		return;
	}
	if (r < 0) {
		kft_doctor_refused(env, res, r, "'%s' refuses '%s'", file, definition);
		return;
	}
	r = enable(env, name);
	if (r < 0) {
		kft_doctor_refused(env, res, r, "defined, but cannot be enabled");
		return;
	}
	if (!kft_doctor_try_record(env, res, kick, &n))
		return;
	if (!n)
		kft_doctor_no(res, KFT_DOCTOR_FAILED, "enabled, but records nothing");
	else
		kft_doctor_yes(res, "recorded %s", definition);
}

void kft_doctor_kprobe_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char def[128];

	snprintf(def, sizeof(def), "p:%s/k %s", env->group, KFT_DOCTOR_FUNC);
	try_event(env, res, "kprobe_events", "k", def, kft_doctor_kick_func);
}

void kft_doctor_kretprobe_events(struct kft_doctor_env *env,
				 struct kft_doctor_result *res)
{
	char def[128];

	snprintf(def, sizeof(def), "r:%s/r %s $retval", env->group, KFT_DOCTOR_FUNC);
	try_event(env, res, "kprobe_events", "r", def, kft_doctor_kick_func);
}

void kft_doctor_fprobe_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char def[128];

	snprintf(def, sizeof(def), "f:%s/f %s", env->group, KFT_DOCTOR_FUNC);
	try_event(env, res, "dynamic_events", "f", def, kft_doctor_kick_func);
}

void kft_doctor_event_probes(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	char def[128];

	if (!kft_doctor_need_instance(env, res))
		return;
	const char *event = kft_doctor_event(env);

	if (!event) {
		kft_doctor_unknown(res, KFT_DOCTOR_NEEDS_OTHER, "no event to attach to");
		return;
	}
	snprintf(def, sizeof(def), "e:%s/e %s", env->group, event);
	char *slash = strrchr(def, '/');

	*slash = '.';
	try_event(env, res, "dynamic_events", "e", def, kft_doctor_kick_sched);
}

void kft_doctor_uprobe_events(struct kft_doctor_env *env, struct kft_doctor_result *res)
{
	struct kft_doctor_place place;
	char def[KFT_DOCTOR_PLACE_MAX + 128];
	int r = kft_doctor_find_target(env->root_fd, &place);

	if (r < 0) {
		kft_doctor_refused(env, res, r,
				   "cannot find a function of kft in its file");
		return;
	}
	snprintf(def, sizeof(def), "p:%s/u %s:0x%llx", env->group, place.path,
		 (unsigned long long)place.offset);
	try_event(env, res, "uprobe_events", "u", def, kft_doctor_kick_target);
	if (res->state == KFT_DOCTOR_YES)
		kft_doctor_yes(res, "recorded %s; arguments by %s", def,
			       kft_dwarf_is_there()
				       ? "name or number"
				       : "number, for names libdw is missing");
}

void kft_doctor_synthetic_events(struct kft_doctor_env *env,
				 struct kft_doctor_result *res)
{
	char def[64];
	char text[PATH_BYTES];
	char path[PATH_BYTES];

	if (!kft_doctor_need_tracefs(env, res))
		return;
	snprintf(def, sizeof(def), "%s u64 latency", env->group);
	snprintf(text, sizeof(text), "!%s u64 latency", env->group);
	snprintf(path, sizeof(path), "events/synthetic/%s", env->group);
	int r = kft_doctor_note_dynamic(env, path, "synthetic_events", text);

	if (!r)
		r = kft_doctor_append(env->tracefs_fd, "synthetic_events", def);
	if (r < 0)
		kft_doctor_refused_file(env, res, r, "synthetic_events");
	else if (!kft_doctor_exists(env->tracefs_fd, path))
		kft_doctor_no(res, KFT_DOCTOR_FAILED,
			      "accepted, but the event does not "
			      "exist");
	else
		kft_doctor_yes(res, "defined %s", def);
}
