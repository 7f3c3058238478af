// SPDX-License-Identifier: LGPL-2.1-or-later
/* Loads, primes, starts, stops, takes and resets a KFT run. */
#include "session/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "session/run/parts.h"
#include "session/run/steps.h"

#define CONFIG_FILE    "config"
#define BOOT_ID_FILE   "boot_id"
#define KERNEL_BOOT_ID "proc/sys/kernel/random/boot_id"
#define BOOT_ID_MAX    64

int kft_run_save(struct kft_run *r, struct kft_err *e)
{
	return kft_session_state_write(&r->dir, &r->rec, e);
}

int kft_run_note_boot(const struct kft_run *r, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};

	if (kft_read_at(r->host->root_fd, KERNEL_BOOT_ID, BOOT_ID_MAX, &now) < 0)
		return kft_rundir_remove_file(&r->dir, BOOT_ID_FILE, e);
	return kft_rundir_write(&r->dir, BOOT_ID_FILE, now.buf, now.len, e);
}

/* False for a session of an older kft, which did not note the boot. */
static bool is_of_another_boot(const struct kft_run *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf noted = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};

	if (kft_rundir_read(&r->dir, BOOT_ID_FILE, &noted, NULL) < 0 ||
	    kft_read_at(r->host->root_fd, KERNEL_BOOT_ID, BOOT_ID_MAX, &now) < 0)
		return false;
	return strcmp(kft_strbuf_cstr(&noted), kft_strbuf_cstr(&now)) != 0;
}

static int refuse_rebooted(const struct kft_run *r, struct kft_err *e)
{
	(void)kft_err_set(e, -ENOENT,
			  "the machine was rebooted: the records of session '%s' in the "
			  "kernel are lost",
			  r->dir.name);
	kft_err_hint(e, "'kft reset -n %s' forgets the run", r->dir.name);
	return -ENOENT;
}

int kft_run_open_place(struct kft_run *r, struct kft_err *e)
{
	if (r->rec.state == KFT_STATE_LOADED || r->rec.state == KFT_STATE_SAVED)
		return 0;
	/* The top level of tracefs and a persistent instance exist after a reboot, too. */
	if (is_of_another_boot(r))
		return refuse_rebooted(r, e);
	int n = kft_run_parts_attach(r, e);

	if (n == -ENOENT) {
		(void)kft_err_set(e, n,
				  "another program removed the tracefs instance or "
				  "probes of session '%s'",
				  r->dir.name);
		kft_err_hint(e, "'kft reset -n %s' forgets the run", r->dir.name);
		return n;
	}
	return n;
}

/* The parts point to *ret, so they are opened last. */
static int open_dir(struct kft_host *host, const char *name, bool create,
		    struct kft_run *ret, struct kft_err *e)
{
	struct kft_run r = {.host = host};
	int n = kft_rundir_open(host, name, create, &r.dir, e);

	if (n < 0)
		return n;
	*ret = r;
	n = kft_session_state_read(&ret->dir, &ret->rec, e);
	if (n == 0 || n == -ENOENT)
		n = kft_run_parts_open(ret, e);
	if (n < 0)
		kft_run_close(ret);
	return n;
}

int kft_run_open_to_reset(struct kft_host *host, const char *name, struct kft_run *ret)
{
	struct kft_run r = {.host = host};
	int n = kft_rundir_open(host, name, false, &r.dir, NULL);

	if (n < 0)
		return n;
	*ret = r;
	n = kft_run_parts_open(ret, NULL);
	if (n < 0)
		kft_run_close(ret);
	return n;
}

int kft_run_open(struct kft_host *host, const char *name, struct kft_run *ret,
		 struct kft_err *e)
{
	int n = open_dir(host, name, false, ret, e);

	if (n < 0)
		return n;
	n = kft_run_open_place(ret, e);
	if (n < 0 && n != -ENOENT)
		kft_run_close(ret);
	return n == -ENOENT ? 0 : n;
}

void kft_run_close(struct kft_run *r)
{
	kft_run_parts_close(r);
	kft_rundir_close(&r->dir);
}

int kft_run_load(struct kft_host *host, const char *name, const char *config, size_t len,
		 const struct kft_run_options *options, struct kft_run *ret,
		 struct kft_err *e)
{
	int n = open_dir(host, name, true, ret, e);

	if (n < 0)
		return n;
	if (kft_state_is_under_way(ret->rec.state)) {
		n = kft_err_set(e, -EBUSY, "session '%s' is under way", name);
		kft_err_hint(e, "'kft stop -n %s' ends it, 'kft reset -n %s' forgets it",
			     name, name);
	}
	if (n == 0)
		n = kft_run_parts_undo(ret, e);
	if (n == 0)
		n = kft_rundir_write(&ret->dir, CONFIG_FILE, config, len, e);
	if (n == 0) {
		uint64_t id = ret->rec.id;
		bool is_first = !kft_session_state_exists(&ret->dir);

		ret->rec = (struct kft_session_state){
			.id = is_first ? 0 : id + 1,
			.options = *options,
		};
		n = kft_run_save(ret, e);
	}
	if (n < 0)
		kft_run_close(ret);
	return n;
}

int kft_run_config(const struct kft_run *r, struct kft_strbuf *sb, struct kft_err *e)
{
	int n = kft_rundir_read(&r->dir, CONFIG_FILE, sb, e);

	return n == -ENOENT ? kft_err_set(e, n, "session '%s' has no configuration",
					  r->dir.name)
			    : n;
}

int kft_run_mark(const struct kft_run *r, const char *what, enum kft_run_cause cause,
		 uint64_t at_ns)
{
	static const char *const causes[] = {
		[KFT_CAUSE_NONE] = "none",	 [KFT_CAUSE_USER] = "user",
		[KFT_CAUSE_TRIGGER] = "trigger", [KFT_CAUSE_TIME] = "time",
		[KFT_CAUSE_FULL] = "full",	 [KFT_CAUSE_ENTRIES] = "entries",
		[KFT_CAUSE_LIMIT] = "limit",	 [KFT_CAUSE_OTHER] = "other",
		[KFT_CAUSE_DISK] = "disk",
	};

	char text[96];
	int len = snprintf(text, sizeof(text), "%s%s %" PRIu64, what, causes[cause],
			   at_ns);

	return kft_part_ops(kft_run_lead(r))->mark(kft_run_lead(r), text, (size_t)len);
}

/* Checks that a step fits the run's state, and does not change the state. */
static int check_step(const struct kft_run *r, enum kft_step step, struct kft_err *e)
{
	int n = kft_state_after(r->rec.state, step, r->dir.name, e);

	return n < 0 ? n : 0;
}

int kft_run_prime(struct kft_run *r, const struct kft_plan *plan, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_PRIME, e);

	return n < 0 || r->rec.state == KFT_STATE_PRIMED
		       ? n
		       : kft_run_set_up(r, plan, true, e);
}

/* It must not fire after the run has started otherwise, or has ended. */
static int disarm_start(struct kft_run *r, const struct kft_plan *plan)
{
	struct kft_part *lead = kft_run_lead(r);

	return kft_part_ops(lead)->disarm ? kft_part_ops(lead)->disarm(lead, plan) : 0;
}

int kft_run_start(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, uint64_t at_ns, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_START, e);

	if (n < 0)
		return n;
	if (r->rec.state == KFT_STATE_LOADED)
		n = kft_run_set_up(r, plan, false, e);
	else if (!plan->autorepeat)
		n = disarm_start(r, plan);
	if (n < 0)
		return n;
	/*
	 * Noted first: if this process dies here, recording that is off means that the
	 * run has ended.
	 */
	r->rec.started = cause;
	r->rec.start_ns = 0;
	r->rec.state = KFT_STATE_RECORDING;
	n = kft_run_save(r, e);
	if (n < 0)
		return n;
	n = kft_run_parts_record(r, true);
	if (n == 0)
		n = kft_run_mark(r, KFT_MARK_START, cause, at_ns);
	if (n < 0)
		return kft_err_sys(e, n, "cannot start session '%s'", r->dir.name);
	/*
	 * Getting here can take longer than the run should last, so its time counts from
	 * now.
	 */
	r->rec.start_ns = KFT_MAX(at_ns, kft_now_ns());
	return kft_run_save(r, e);
}

static int switch_off(struct kft_run *r, const char *what, enum kft_run_cause cause,
		      uint64_t at_ns, struct kft_err *e)
{
	/*
	 * No marker is recorded if recording is off already, which shows the stop as
	 * well.
	 */
	(void)!kft_run_mark(r, what, cause, at_ns);
	int n = kft_run_parts_record(r, false);

	return n < 0 ? kft_err_sys(e, n, "cannot stop session '%s'", r->dir.name) : 0;
}

/*
 * Notes the counts of a recording; 0 if the kernel's cannot be read. The calls of a KFT
 * run are counted when its records are read.
 */
static void note_counts(struct kft_run *r)
{
	struct kft_cpu_counts counts = {};

	if (!r->rec.options.is_recording || kft_run_counts(r, &counts, NULL) < 0)
		return;
	r->rec.events = counts.entries + counts.read;
	r->rec.lost = counts.dropped + counts.commit_overrun;
	/* The kernel also counts events as read that are in no file. */
	if (r->rec.taken <= r->rec.events) {
		r->rec.events -= r->rec.taken;
		r->rec.lost += r->rec.taken;
	}
}

int kft_run_wait_again(struct kft_run *r, uint64_t at_ns, struct kft_err *e)
{
	int n = switch_off(r, KFT_MARK_STOP, KFT_CAUSE_TIME, at_ns, e);

	return n < 0 ? n : kft_run_note_start(r, 0, e);
}

bool kft_run_lacks_module(const struct kft_run *r, const struct kft_plan *plan,
			  char ret[KFT_PROBE_MODULE_MAX])
{
	const struct kft_part *lead = kft_run_lead(r);

	return r->rec.state == KFT_STATE_PRIMED && r->rec.started == KFT_CAUSE_NONE &&
	       kft_part_ops(lead)->lacks_module &&
	       kft_part_ops(lead)->lacks_module(lead, plan, ret);
}

int kft_run_pause(struct kft_run *r, const struct kft_plan *plan,
		  enum kft_run_cause cause, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_PAUSE, e);

	if (n < 0 || r->rec.state == KFT_STATE_PAUSED)
		return n;
	if (plan->autorepeat)
		return kft_err_set(e, -EINVAL,
				   "session '%s' is started and stopped by its triggers",
				   r->dir.name);
	/* Noted first: recording that is off would look like a stop by another program. */
	r->rec.state = KFT_STATE_PAUSED;
	n = kft_run_save(r, e);
	return n < 0 ? n : switch_off(r, KFT_MARK_PAUSE, cause, kft_now_ns(), e);
}

int kft_run_resume(struct kft_run *r, enum kft_run_cause cause, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_RESUME, e);

	if (n < 0 || r->rec.state == KFT_STATE_RECORDING)
		return n;
	n = kft_run_parts_record(r, true);
	if (n == 0)
		n = kft_run_mark(r, KFT_MARK_RESUME, cause, kft_now_ns());
	if (n < 0)
		return kft_err_sys(e, n, "cannot resume session '%s'", r->dir.name);
	kft_run_repeat_marks(r);
	r->rec.state = KFT_STATE_RECORDING;
	return kft_run_save(r, e);
}

int kft_run_stop(struct kft_run *r, const struct kft_plan *plan, enum kft_run_cause cause,
		 uint64_t at_ns, struct kft_err *e)
{
	int n = check_step(r, KFT_STEP_STOP, e);

	if (n < 0)
		return n;
	if (!r->is_attached)
		n = kft_run_open_place(r, e);
	if (n < 0)
		return n;
	/* Disarmed first: an armed start trigger could switch recording on again. */
	n = disarm_start(r, plan);
	if (n < 0)
		return kft_err_sys(e, n, "cannot disarm session '%s'", r->dir.name);
	kft_run_repeat_marks(r);
	n = switch_off(r, KFT_MARK_STOP, cause, at_ns, e);
	if (n < 0)
		return n;
	r->rec.state = KFT_STATE_COMPLETE;
	note_counts(r);
	r->rec.stopped = cause;
	r->rec.stop_ns = at_ns;
	return kft_run_save(r, e);
}

/*
 * Sets the next count after half of the records that are likely to be needed, or, if no
 * call was kept so far, after as many records as there are.
 */
int kft_run_counted(struct kft_run *r, const struct kft_plan *plan, uint64_t kept,
		    uint64_t records, struct kft_err *e)
{
	uint64_t max = plan->functions.max_calls;
	uint64_t likely = records;

	r->count_due = false;
	if (kept >= max)
		return kft_run_stop(r, plan, KFT_CAUSE_ENTRIES, kft_now_ns(), e);
	if (kept && !kft_mul(max - kept, records, &likely))
		likely = likely / kept / 2;
	r->rec.count_at = KFT_MAX(max - kept, likely);
	return kft_run_save(r, e);
}

static int check_recording(const struct kft_run *r, struct kft_err *e)
{
	if (!r->rec.options.is_recording)
		return kft_err_set(e, -EINVAL,
				   "session '%s' records the events of its configuration",
				   r->dir.name);
	if (!kft_state_is_under_way(r->rec.state) || !r->is_attached)
		return kft_err_set(e, -EINVAL, "session '%s' is %s", r->dir.name,
				   kft_state_name(r->rec.state));
	return 0;
}

int kft_run_switch(struct kft_run *r, const struct kft_plan *plan, const char *name,
		   bool on, struct kft_err *e)
{
	struct kft_part *lead = kft_run_lead(r);
	int n = check_recording(r, e);

	if (n < 0)
		return n;
	return kft_part_ops(lead)->switch_set
		       ? kft_part_ops(lead)->switch_set(lead, plan, name, on, e)
		       : kft_err_set(e, -EOPNOTSUPP, "'%s' has no sets", lead->ops->name);
}

void kft_run_warn(const struct kft_run *r, const struct kft_notify *notify)
{
	const struct kft_part *lead = kft_run_lead(r);

	if (kft_part_ops(lead)->warn)
		kft_part_ops(lead)->warn(lead, notify);
}

void kft_run_repeat_marks(const struct kft_run *r)
{
	struct kft_part *lead = kft_run_lead(r);

	if (kft_part_ops(lead)->repeat_marks)
		kft_part_ops(lead)->repeat_marks(lead);
}

int kft_run_reset(struct kft_run *r, struct kft_err *e)
{
	int n = kft_run_parts_undo(r, e);

	return n < 0 ? n : kft_rundir_remove(&r->dir, e);
}
