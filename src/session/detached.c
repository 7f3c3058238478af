// SPDX-License-Identifier: LGPL-2.1-or-later
/* Drives sessions that live in the kernel between commands. */
#include "session/detached.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "base/command_line.h"
#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "session/run/retention.h"
#include "session/run/triggers.h"
#include "file/registry.h"
#include "file/tracedat/live_sink.h"
#include "file/tracedat/read/recover.h"
#include "plan/format.h"
#include "plan/kft/lower.h"
#include "plan/kft/parser.h"
#include "session/crash.h"
#include "session/run_info.h"
#include "session/summary.h"

/* The kernel's records before any filter of kft. */
#define RAW_FILE     KFT_DETACHED_RAW
#define RAW_PATH_MAX KFT_DETACHED_PATH_MAX
/*
 * Has the absolute path of the file of a session that streams: processes that drain it
 * may be in any directory.
 */
#define OUTPUT_FILE "output"

void kft_detached_raw_path(const struct kft_run *run,
			   char ret[static KFT_DETACHED_PATH_MAX])
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (run->rec.options.stream &&
	    kft_read_regular_at(run->dir.fd, OUTPUT_FILE, KFT_DETACHED_PATH_MAX - 1,
				&sb) == 0)
		(void)snprintf(ret, KFT_DETACHED_PATH_MAX, "%s", kft_strbuf_cstr(&sb));
	else
		(void)snprintf(ret, KFT_DETACHED_PATH_MAX, "/run/kft/%s/" RAW_FILE,
			       run->dir.name);
}

static int make_plan(struct kft_detached *d, struct kft_err *e)
{
	int n = kft_run_config_lower(&d->config.runs.data[0], &d->plan, e);

	if (n == 0)
		d->plan.buffer_bytes = d->run.rec.options.buffer_bytes;
	return n;
}

/*
 * The events of a recording are enabled in the kernel already: its plan has only the
 * rest, the buffers and the triggers.
 */
static int make_recording_plan(struct kft_detached *d, struct kft_err *e)
{
	const struct kft_run_options *o = &d->run.rec.options;

	d->plan = (struct kft_plan){.overwrite = o->overwrite,
				    .buffer_bytes = o->buffer_bytes};
	return kft_run_triggers_read(&d->run.dir, &d->plan, e);
}

static int read_config(struct kft_detached *d, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	d->run.notify = d->notify;
	if (kft_detached_is_recording(d))
		return make_recording_plan(d, e);
	int n = kft_run_config(&d->run, &text, e);

	if (n < 0)
		return n;
	n = kft_config_parse(kft_strbuf_cstr(&text), text.len, &diags, &d->config);
	if (kft_diags_any(&diags))
		return kft_diags_err(&diags, "the loaded configuration", e);
	if (n < 0)
		return kft_err_sys(e, n, "cannot read the loaded configuration");
	return make_plan(d, e);
}

void kft_detached_close(struct kft_detached *d)
{
	if (d->is_open)
		kft_run_close(&d->run);
	kft_config_finish(&d->config);
	kft_plan_finish(&d->plan);
	d->host = kft_host_close(d->host);
	d->is_open = false;
}

int kft_detached_open(const char *name, const struct kft_notify *notify,
		      struct kft_detached *ret, struct kft_err *e)
{
	*ret = (struct kft_detached){.notify = notify};
	int n = kft_host_open(NULL, &ret->host, e);

	if (n == 0)
		n = kft_run_open(ret->host, name, &ret->run, e);
	ret->is_open = n == 0;
	if (n == 0)
		n = read_config(ret, e);
	if (n < 0)
		kft_detached_close(ret);
	return n;
}

/* Writes a configuration of only the run at index, with all of its clauses. */
static int canonical(const struct kft_config *config, size_t index, struct kft_strbuf *sb)
{
	struct kft_config one = {};

	if (!kft_vec_push(&one.runs, config->runs.data[index]))
		return -ENOMEM;
	kft_config_format(&one, sb);
	kft_vec_finish(&one.runs);
	return kft_strbuf_ok(sb) ? 0 : -ENOMEM;
}

int kft_detached_load(struct kft_host *host, const char *name,
		      const struct kft_detached_what *what,
		      const struct kft_notify *notify, struct kft_detached *ret,
		      struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf one = {};

	*ret = (struct kft_detached){.host = host, .notify = notify};
	int n = canonical(what->config, what->index, &one);

	if (n < 0)
		(void)kft_err_sys(e, n, "cannot load the configuration");
	else
		n = kft_run_load(
			host, name, one.buf, one.len,
			&(struct kft_run_options){.buffer_bytes = what->buffer_bytes},
			&ret->run, e);
	ret->is_open = n == 0;
	if (n == 0)
		n = read_config(ret, e);
	if (n < 0)
		kft_detached_close(ret);
	return n;
}

static int note_output(const struct kft_run *run, const char *output, struct kft_err *e)
{
	_cleanup_free_ char *dir = output[0] == '/' ? NULL : getcwd(NULL, 0);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf path = {};

	if (dir)
		kft_strbuf_addf(&path, "%s/", dir);
	kft_strbuf_adds(&path, output);
	if (!kft_strbuf_ok(&path) || path.len >= RAW_PATH_MAX)
		return kft_err_set(e, -ENAMETOOLONG, "'%s' cannot be written", output);
	return kft_rundir_write(&run->dir, OUTPUT_FILE, path.buf, path.len, e);
}

static int open_sink(const struct kft_run *run, struct kft_sink **ret, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {};
	char path[RAW_PATH_MAX];

	kft_detached_raw_path(run, path);
	if (run->rec.drained && access(path, F_OK) == 0)
		return kft_tracedat_sink_resume(path, &opts, ret, e);
	if (run->rec.options.stream)
		return kft_tracedat_sink_create(path, &opts, ret, e);
	/* These files are of an earlier run of the session. */
	int n = kft_rundir_remove_file(&run->dir, RAW_FILE, e);
	if (n == 0)
		n = kft_rundir_remove_file(&run->dir, RAW_FILE ".parts", e);
	return n == 0 ? kft_tracedat_sink_create(path, &opts, ret, e) : n;
}

/*
 * Adds the command line for the trace: for a recording, that of the command that made it,
 * even if another process drains it.
 */
static void add_command(const struct kft_run *run, struct kft_strbuf *sb)
{
	if (!run->rec.options.is_recording || kft_run_config(run, sb, NULL) < 0)
		kft_add_command_line(sb);
}

/*
 * Moves the records from the kernel's buffers to the session's file, by kft_run_drain()
 * or kft_run_take(). Signals are blocked: a process that ends between taking pages and
 * writing them would lose them.
 */
static int move(const struct kft_notify *notify, struct kft_run *run,
		const struct kft_plan *plan, typeof(kft_run_drain) *how,
		struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	struct kft_sink *sink;
	sigset_t all;
	sigset_t before;
	int n = open_sink(run, &sink, e);

	if (n < 0)
		return n;
	add_command(run, &line);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	n = how(run, plan, sink, kft_strbuf_cstr(&line), notify, e);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	sink->ops->destroy(sink);
	return n;
}

int kft_detached_drain(const struct kft_notify *notify, struct kft_run *run,
		       const struct kft_plan *plan, struct kft_err *e)
{
	int n = move(notify, run, plan, kft_run_drain, e);

	/*
	 * The drain has switched recording off: the next check would blame another
	 * program.
	 */
	if (run->rec.options.stream && kft_state_is_under_way(run->rec.state) &&
	    (n == -ENOSPC || n == -EDQUOT || n == -EFBIG))
		(void)!kft_run_stop(run, plan, KFT_CAUSE_DISK, kft_now_ns(), NULL);
	return n;
}

/*
 * Pages that are taken out of the kernel and cannot be written are lost, so they stay
 * there until the file system has room for them. The check is rough: it doubles the
 * bytes, for headers of pages and for pages that are not full. If the check itself fails,
 * the pages are moved.
 */
#define LAST_BYTES \
	UINT64_C(262144) /* for the last page of each CPU, and the trace's end */

static int check_room(const struct kft_detached *d, struct kft_err *e)
{
	struct kft_cpu_counts counts;
	char path[RAW_PATH_MAX];
	struct statvfs fs;

	kft_detached_raw_path(&d->run, path);
	if (!d->run.rec.options.stream || statvfs(path, &fs) < 0 ||
	    kft_run_counts(&d->run, &counts, NULL) < 0 ||
	    fs.f_bavail >= (counts.bytes * 2 + LAST_BYTES) / fs.f_frsize)
		return 0;
	(void)kft_err_set(e, -ENOSPC, "no space to complete '%s'", path);
	kft_err_hint(e,
		     "the last events wait in the kernel: free some space and run "
		     "'kft stop -n %s'",
		     d->run.dir.name);
	return -ENOSPC;
}

/* Starts a recording, or primes one that has a start trigger. */
static int begin(struct kft_run *run, const struct kft_plan *plan, struct kft_err *e)
{
	return plan->start.kind == KFT_TRIGGER_NONE
		       ? kft_run_start(run, plan, KFT_CAUSE_USER, kft_now_ns(), e)
		       : kft_run_prime(run, plan, e);
}

/*
 * Reads the metadata of a snapshot in advance: reading 2,000 files of formats later would
 * cause events that overwrite those that the snapshot is for. Events that should survive
 * a crash are not taken out of their buffers.
 */
static int prepare_reading(struct kft_detached *d, const struct kft_plan *plan,
			   struct kft_err *e)
{
	const struct kft_session_state *rec = &d->run.rec;
	bool is_kept = kft_run_lead(&d->run)->survives;
	int n = 0;

	/* This also finds an output file that cannot be written. */
	if (rec->options.stream ||
	    (rec->options.overwrite && !is_kept && rec->state == KFT_STATE_RECORDING))
		n = kft_detached_drain(d->notify, &d->run, plan, e);
	return n == 0 && is_kept ? kft_crash_prepare(&d->run, e) : n;
}

int kft_detached_record(struct kft_host *host, const char *name,
			const struct kft_plan *plan,
			const struct kft_detached_keeping *keeping,
			const struct kft_notify *notify, struct kft_detached *ret,
			struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	struct kft_run_options options = {
		.buffer_bytes = plan->buffer_bytes,
		.is_recording = true,
		.overwrite = plan->overwrite,
		.keep_ns = keeping->times.keep_ns,
		.max_cost_ppm = keeping->times.max_cost_ppm,
		.stream = keeping->output,
		.max_bytes = keeping->max_bytes,
		.max_events = keeping->max_events,
	};

	*ret = (struct kft_detached){.host = host, .notify = notify};
	kft_add_command_line(&line);
	int n = kft_run_load(host, name, kft_strbuf_cstr(&line), line.len, &options,
			     &ret->run, e);
	ret->is_open = n == 0;
	if (n == 0)
		n = kft_run_triggers_write(&ret->run.dir, plan, e);
	if (n == 0)
		n = read_config(ret, e);
	if (n == 0 && keeping->output)
		n = note_output(&ret->run, keeping->output, e);
	if (n == 0)
		n = begin(&ret->run, plan, e);
	if (n == 0 && options.max_cost_ppm)
		n = kft_run_adjust(&ret->run, NULL, e);
	if (n == 0)
		n = prepare_reading(ret, plan, e);
	/* The session does not store its plan, so it cannot be started again. */
	if (n < 0 && ret->is_open)
		(void)!kft_run_reset(&ret->run, NULL);
	if (n < 0)
		kft_detached_close(ret);
	return n;
}

/* The function tracer empties its buffer when recording goes on (function_trace_start()). */
static bool forgets(const struct kft_session_state *rec)
{
	return rec->entries || rec->setup.tracer == KFT_TRACER_ENTRIES;
}

int kft_detached_resume(struct kft_detached *d, struct kft_err *e)
{
	const struct kft_session_state *rec = &d->run.rec;
	int n = rec->state == KFT_STATE_PAUSED && forgets(rec)
			? kft_detached_drain(d->notify, &d->run, &d->plan, e)
			: 0;

	return n < 0 ? n : kft_run_resume(&d->run, KFT_CAUSE_USER, e);
}

/* Decides which of the drained records belong to the run. */
static int judge(const struct kft_run *run, const struct kft_plan *plan,
		 struct kft_trace **ret_trace, struct kft_cut *ret_cut, struct kft_err *e)
{
	struct kft_trace *t;
	char path[RAW_PATH_MAX];
	char group[KFT_PROBE_GROUP_MAX];

	kft_detached_raw_path(run, path);
	int n = kft_file_open(path, &t, e);
	if (n < 0)
		return n;
	kft_probes_group(run->dir.name, group);
	n = kft_run_cut(t, plan, &run->rec, group, NULL, ret_cut, e);
	if (n < 0)
		t = kft_trace_destroy(t);
	else
		*ret_trace = t;
	return n;
}

int kft_detached_count(void *notify, struct kft_run *run, const struct kft_plan *plan,
		       struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_cut_finish) struct kft_cut cut = {};
	int n = kft_detached_drain(notify, run, plan, e);

	if (n < 0 || run->rec.options.stream)
		return n;
	n = judge(run, plan, &t, &cut, e);
	if (n < 0)
		return n;
	/* All that have ended and pass the filters. */
	uint64_t calls = cut.counts[KFT_VERDICT_CALL] + cut.counts[KFT_VERDICT_LATE] +
			 cut.counts[KFT_VERDICT_BEYOND];
	return kft_run_counted(run, plan, calls, cut.verdicts.len, e);
}

int kft_detached_refresh(struct kft_detached *d, struct kft_err *e)
{
	int n = kft_run_tend(&d->run, &d->plan, e);

	if (n == 0 && d->run.count_due)
		n = kft_detached_count((void *)d->notify, &d->run, &d->plan, e);
	if (n < 0 || d->run.rec.state != KFT_STATE_COMPLETE)
		return n;
	n = check_room(d, e);
	if (n == 0)
		n = move(d->notify, &d->run, &d->plan, kft_run_take, e);
	/* Other sessions warn when they are saved or copied. */
	if (n == 0 && d->run.rec.options.stream)
		kft_run_warn(&d->run, d->notify);
	return n;
}

static int check_saved(const struct kft_detached *d, struct kft_err *e)
{
	if (d->run.rec.state != KFT_STATE_SAVED) {
		(void)kft_err_set(e, -EINVAL, "session '%s' is not complete",
				  d->run.dir.name);
		kft_err_hint(e, "'kft stop -n %s' ends it, 'kft status' shows it",
			     d->run.dir.name);
		return -EINVAL;
	}
	return 0;
}

int kft_detached_result(const struct kft_detached *d, struct kft_trace **ret_trace,
			struct kft_cut *ret_cut, struct kft_err *e)
{
	int n = check_saved(d, e);

	return n < 0 ? n : judge(&d->run, &d->plan, ret_trace, ret_cut, e);
}

int kft_detached_copy(const struct kft_detached *d, const char *output, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {
		.compress = kft_tracedat_default_compress(7)};
	struct kft_tracedat_recovered unused;
	char path[RAW_PATH_MAX];
	int n = check_saved(d, e);

	kft_detached_raw_path(&d->run, path);
	if (n == 0)
		n = kft_tracedat_recover(path, output, &opts, &unused, e);
	if (n == 0)
		kft_run_warn(&d->run, d->notify);
	return n;
}

int kft_detached_save(const struct kft_detached *d, const char *output,
		      struct kft_cut *ret_cut, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const struct kft_tracedat_opts opts = {
		.is_copy = true, .compress = kft_tracedat_default_compress(7)};
	struct kft_cut cut = {};
	struct kft_sink *sink;
	int n = kft_detached_result(d, &t, &cut, e);

	if (n < 0)
		return n;
	n = kft_run_retention_info(&d->plan, &d->run.rec, &cut, t, e);
	if (n == 0)
		n = kft_tracedat_sink_create(output, &opts, &sink, e);
	if (n == 0) {
		n = kft_cut_write(t, &cut, sink, e);
		sink->ops->destroy(sink);
	}
	if (n < 0) {
		kft_cut_finish(&cut);
		return n;
	}
	kft_run_warn(&d->run, d->notify);
	*ret_cut = cut;
	return 0;
}

int kft_detached_check(const struct kft_detached *d, const struct kft_cut *cut,
		       struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_run_others_text(&d->run.rec, cut, &text);
	if (!text.len)
		return 0;
	return kft_err_set(e, -EIO, "session '%s' is not complete: %s", d->run.dir.name,
			   kft_strbuf_cstr(&text));
}
