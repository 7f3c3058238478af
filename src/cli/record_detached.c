// SPDX-License-Identifier: GPL-2.0-only
/* Starts detached recordings for record --detach, and shows them in status and save. */
#include "cli/record_detached.h"

#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "cli/input.h"
#include "cli/output.h"
#include "model/merge.h"
#include "session/daemon.h"
#include "session/flight.h"
#include "tracefs/detached/budget.h"
#include "tracefs/detached/switched.h"
#include "watch/status.h"

static void tell(const char *name, const struct kft_plan *plan, const char *output)
{
	if (plan->start.kind != KFT_TRIGGER_NONE)
		cli_print_note("session '%s' waits for its start", name);
	if (output) {
		cli_print_note("session '%s' records to '%s': 'kft status' shows it, "
			       "'kft stop -n %s' ends it",
			       name, output, name);
		return;
	}
	cli_print_note(
		"session '%s' records: 'kft status' shows it, 'kft stop -n %s' ends "
		"it, 'kft save -n %s -o FILE' writes its trace",
		name, name, name);
}

static const char *snapshot_dir(const struct cli_detached_what *what)
{
	if (!what->plan->overwrite)
		return NULL;
	return what->snapshot_dir ? what->snapshot_dir : KFT_FLIGHT_DIR;
}

static int record(struct cli *c, const struct cli_detached_what *what,
		  const struct cli_watch *watch)
{
	const char *name = what->name ? what->name : CLI_RUN_NAME;
	struct kft_host *host;
	struct kft_detached d;

	if (kft_host_open(NULL, &host, &c->err) < 0)
		return CLI_FAILED;
	int r = kft_detached_record(host, name, what->plan, &what->keeping,
				    &cli_run_notify, &d, &c->err);
	if (r < 0)
		return CLI_FAILED;
	kft_detached_close(&d);
	/*
	 * A keeper process is always needed for names of tasks; some sessions also need
	 * it for times and limits, or for snapshots.
	 */
	if (kft_detached_spawn_keeper(name, snapshot_dir(what), &c->err) < 0)
		return CLI_FAILED;
	if (cli_watch_start(watch, name, &c->err) < 0)
		return CLI_FAILED;
	if (!what->quiet)
		tell(name, what->plan, what->keeping.output);
	return CLI_OK;
}

int cli_record_detached(struct cli *c, const struct cli_detached_what *what)
{
	_cleanup_(cli_watch_finish) struct cli_watch watch = {};
	const char *dir = what->snapshot_dir ? what->snapshot_dir : KFT_FLIGHT_DIR;
	int r = what->watch ? cli_watch_parse(what->watch, dir, &watch, &c->err) : 0;

	if (r < 0)
		return r == -EINVAL ? CLI_USAGE : CLI_FAILED;
	return record(c, what, &watch);
}

static void add_counts(struct kft_strbuf *sb, uint64_t events, uint64_t lost)
{
	kft_strbuf_add_count(sb, events);
	kft_strbuf_adds(sb, " events, ");
	if (!lost) {
		kft_strbuf_adds(sb, "nothing lost");
		return;
	}
	kft_strbuf_adds(sb, "LOST ");
	kft_strbuf_add_count(sb, lost);
}

uint64_t cli_detached_cost_ppm(const struct kft_run_options *o,
			       const struct kft_cpu_counts *counts)
{
	if (!counts->oldest || counts->now <= counts->oldest)
		return 0;
	double s = (double)(counts->now - counts->oldest) / 1e9;

	return kft_budget_cost_ppm((uint64_t)((double)counts->entries / s), o->event_ns);
}

static void add_cost(struct kft_strbuf *sb, const struct kft_run_options *o,
		     const struct kft_cpu_counts *counts)
{
	if (o->max_cost_ppm)
		kft_strbuf_addf(sb,
				"  costs %.2f%% of a CPU (%" PRIu64
				" ns an event) of %.2f%%\n",
				(double)cli_detached_cost_ppm(o, counts) / 1e4,
				o->event_ns, (double)o->max_cost_ppm / 1e4);
}

static void add_left_out_event(void *arg, const char *event, uint64_t rate)
{
	struct kft_strbuf *sb = arg;

	kft_strbuf_adds(sb, sb->len ? ", " : "");
	kft_strbuf_add_escaped(sb, event, strlen(event));
	kft_strbuf_addf(sb, " (%" PRIu64 "/s)", rate);
}

static void add_left_out(struct kft_strbuf *sb, const struct kft_run *run)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_budget_each_left_out(run, add_left_out_event, &text);
	if (text.len)
		kft_strbuf_addf(sb, "  left out for their cost: %s\n",
				kft_strbuf_cstr(&text));
}

static void add_switched(struct kft_strbuf *sb, const struct kft_run *run)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_switched_text(run, &text);
	if (text.len)
		kft_strbuf_addf(sb, "  switched: %s\n", kft_strbuf_cstr(&text));
}

/* Appends the time that the buffers cover, and the rate of events. */
static void add_span(struct kft_strbuf *sb, const struct kft_run_options *o,
		     const struct kft_cpu_counts *counts)
{
	if (!counts->oldest || counts->now <= counts->oldest)
		return;
	double s = (double)(counts->now - counts->oldest) / 1e9;

	kft_strbuf_addf(sb, "  the buffers hold the last %.1f s: ", s);
	kft_strbuf_add_count(sb, counts->entries);
	kft_strbuf_adds(sb, " events, ");
	kft_strbuf_add_bytes(sb, counts->bytes);
	kft_strbuf_addf(sb, ", %.0f events/s\n", (double)counts->entries / s);
	add_cost(sb, o, counts);
}

/* Appends the process that drains the records, and its file. */
static void add_stream(struct kft_strbuf *sb, const struct kft_detached *d)
{
	char path[KFT_DETACHED_PATH_MAX];
	pid_t pid = kft_detached_keeper(d);

	kft_detached_raw_path(&d->run, path);
	kft_strbuf_adds(sb, "  to ");
	kft_strbuf_add_escaped(sb, path, strlen(path));
	if (kft_state_is_complete(d->run.rec.state))
		kft_strbuf_addc(sb, '\n');
	else if (pid)
		kft_strbuf_addf(sb, ", by process %ld\n", (long)pid);
	else
		kft_strbuf_adds(sb,
				", but no process takes it there any more: 'kft stop' "
				"does, from the kernel's buffers\n");
}

static void add_state(struct kft_strbuf *sb, const struct kft_session_state *rec)
{
	static const char *const ends[] = {
		[KFT_CAUSE_NONE] = "",
		[KFT_CAUSE_USER] = ", stopped by the user",
		[KFT_CAUSE_TRIGGER] = ", stopped by a trigger",
		[KFT_CAUSE_TIME] = ", stopped by time",
		[KFT_CAUSE_FULL] = ", stopped by a full buffer",
		[KFT_CAUSE_ENTRIES] = ", stopped by their number",
		[KFT_CAUSE_LIMIT] = ", stopped by its limit",
		[KFT_CAUSE_OTHER] = ", stopped by another program",
		[KFT_CAUSE_DISK] = ", stopped by a full disk",
	};

	kft_strbuf_addf(sb, "  %s%s%s\n", kft_state_name(rec->state),
			rec->options.overwrite ? ", keeps the newest" : "",
			ends[rec->stopped]);
	if (rec->options.keep_ns)
		kft_strbuf_addf(sb, "  is to hold the last %.1f s\n",
				(double)rec->options.keep_ns / 1e9);
}

void cli_detached_add_lacks(const struct kft_detached *d, struct kft_strbuf *sb)
{
	char module[KFT_PROBE_MODULE_MAX];

	if (!kft_run_lacks_module(&d->run, &d->plan, module))
		return;
	kft_strbuf_adds(sb, "  cannot start now: the module of its start function, ");
	kft_strbuf_add_escaped(sb, module, strlen(module));
	kft_strbuf_adds(sb, ", is not loaded. It can again when the module is\n");
}

uint64_t cli_detached_count(const struct kft_session_state *rec,
			    const struct kft_cpu_counts *counts, uint64_t *ret_lost)
{
	/* The kernel also counts events as read that are in no file. */
	const uint64_t taken = KFT_MIN(rec->taken, counts->read);

	/* Events that are overwritten on purpose do not count as lost. */
	*ret_lost = kft_cpu_counts_lost(counts) + taken -
		    (rec->options.overwrite ? counts->overrun : 0);
	return counts->entries + counts->read - taken;
}

int cli_detached_status(struct cli *c, const struct kft_detached *d, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	const struct kft_session_state *rec = &d->run.rec;
	struct kft_strbuf *sb = &c->out.sb;
	struct kft_cpu_counts counts;
	int n = kft_run_config(&d->run, &line, &c->err);

	if (n < 0)
		return n;
	kft_strbuf_addf(sb, "session %s\n  ", name);
	kft_strbuf_add_escaped(sb, line.buf, line.len);
	kft_strbuf_addc(sb, '\n');
	add_state(sb, rec);
	cli_detached_add_lacks(d, sb);
	if (rec->options.stream)
		add_stream(sb, d);
	add_switched(sb, &d->run);
	add_left_out(sb, &d->run);
	if (kft_state_is_complete(rec->state)) {
		kft_strbuf_adds(sb, "  ");
		add_counts(sb, rec->events, rec->lost);
		kft_strbuf_addc(sb, '\n');
		kft_watcher_status(&d->run.dir, false, sb);
		return 0;
	}
	n = kft_run_counts(&d->run, &counts, &c->err);
	if (n < 0)
		return n;
	kft_strbuf_adds(sb, "  ");
	uint64_t lost;
	uint64_t records = cli_detached_count(rec, &counts, &lost);
	add_counts(sb, records, lost);
	if (counts.overrun) {
		kft_strbuf_adds(sb, ", ");
		kft_strbuf_add_count(sb, counts.overrun);
		kft_strbuf_adds(sb, " older ones overwritten");
	}
	kft_strbuf_addc(sb, '\n');
	add_span(sb, &rec->options, &counts);
	pid_t keeper = kft_detached_keeper(d);
	if (keeper && rec->options.overwrite)
		kft_strbuf_addf(sb, "  'kill -USR1 %ld' takes a snapshot\n",
				(long)keeper);
	kft_watcher_status(&d->run.dir, true, sb);
	return 0;
}

static int count_events(const char *file, uint64_t *ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	uint64_t count = 0;
	int n = cli_input_open(file, &t, e);

	if (n == 0)
		n = kft_merge_create(t, NULL, &m);
	while (n >= 0 && (n = kft_merge_next(m, &ev)) > 0)
		count++;
	if (n == 0)
		*ret = count;
	return n;
}

int cli_detached_check_output(const struct kft_detached *d, const char *output,
			      struct kft_err *e)
{
	char raw[KFT_DETACHED_PATH_MAX];

	/* A streaming run has only the file that its user named: that file may be overwritten. */
	if (d->run.rec.options.stream)
		return 0;
	kft_detached_raw_path(&d->run, raw);
	int n = cli_output_is_apart(raw, e);
	return n < 0 ? n : cli_output_differs(output, raw, e);
}

void cli_detached_saved(struct cli *c, const struct kft_detached *d, const char *file)
{
	const struct kft_session_state *rec = &d->run.rec;
	uint64_t events = rec->events;

	/*
	 * For a flight recorder, the kernel's count includes events that earlier
	 * snapshots drained and that were dropped since.
	 */
	if (rec->options.overwrite)
		(void)!count_events(file, &events, NULL);
	kft_strbuf_add_escaped(&c->out.sb, file, strlen(file));
	kft_strbuf_adds(&c->out.sb, ": ");
	add_counts(&c->out.sb, events, rec->lost);
	kft_strbuf_addc(&c->out.sb, '\n');
}
