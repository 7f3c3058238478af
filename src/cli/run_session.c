// SPDX-License-Identifier: GPL-2.0-only
#include "cli/run_session.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/units.h"
#include "capture/run/keep.h"
#include "capture/tracefs/probes.h"
#include "cli/command_line.h"
#include "cli/config_file.h"
#include "cli/run_info.h"
#include "config/format.h"
#include "config/lower.h"
#include "config/parser.h"
#include "file/registry.h"
#include "file/tracedat/live_sink.h"

/* What the kernel recorded, before anything was left out. */
#define RAW_FILE     "raw.dat"
#define RAW_PATH_MAX 128

static void raw_path(const char *name, char *ret, size_t size)
{
	(void)snprintf(ret, size, "/run/kft/%s/" RAW_FILE, name);
}

static int make_plan(struct cli *c, struct cli_run *r)
{
	int n = kft_run_config_lower(&r->config.runs.data[0], &r->plan, &c->err);

	if (n == 0)
		r->plan.buffer_bytes = r->run.rec.buffer_bytes;
	return n;
}

static int read_config(struct cli *c, struct cli_run *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	int n = kft_run_config(&r->run, &text, &c->err);

	if (n < 0)
		return n;
	n = kft_config_parse(kft_strbuf_cstr(&text), text.len, &diags, &r->config);
	if (kft_diags_any(&diags))
		return kft_diags_err(&diags, "the loaded configuration", &c->err);
	if (n < 0)
		return kft_err_sys(&c->err, n, "cannot read the loaded configuration");
	return make_plan(c, r);
}

void cli_run_close(struct cli_run *r)
{
	if (r->is_open)
		kft_run_close(&r->run);
	kft_config_finish(&r->config);
	kft_plan_finish(&r->plan);
	r->host = kft_host_close(r->host);
	r->is_open = false;
}

int cli_run_open(struct cli *c, const char *name, struct cli_run *ret)
{
	*ret = (struct cli_run){};
	int n = kft_host_open(NULL, &ret->host, &c->err);

	if (n == 0)
		n = kft_run_open(ret->host, name, &ret->run, &c->err);
	ret->is_open = n == 0;
	if (n == 0)
		n = read_config(c, ret);
	if (n < 0)
		cli_run_close(ret);
	return n;
}

int cli_run_step(struct cli *c, const char *name,
		 int (*step)(struct cli *c, struct cli_run *r))
{
	struct cli_run r;
	int n = cli_run_open(c, name, &r);

	if (n < 0)
		return CLI_FAILED;
	n = step(c, &r);
	cli_run_close(&r);
	return n < 0 ? CLI_FAILED : CLI_OK;
}

/* Only the run that is meant, in a form that says all of it. */
static int canonical(struct kft_config *config, size_t index, struct kft_strbuf *sb)
{
	struct kft_config one = {};

	if (!kft_vec_push(&one.runs, config->runs.data[index]))
		return -ENOMEM;
	kft_config_format(&one, sb);
	kft_vec_finish(&one.runs);
	return kft_strbuf_ok(sb) ? 0 : -ENOMEM;
}

static int check(struct cli *c, struct kft_host *host, const char *path,
		 struct kft_config *config)
{
	struct kft_config_caps caps;

	cli_config_caps(host, &caps);
	int n = cli_config_possible(c, path, config, &caps);
	return n == 0 ? cli_config_resolve(c, path, host, config) : n;
}

int cli_run_load(struct cli *c, const char *name, const char *path, size_t index,
		 uint64_t buffer_bytes, struct cli_run *ret, size_t *ret_count)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf one = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	struct cli_run r = {};
	int n = cli_config_read(c, path, &text, &config);

	if (n < 0)
		return n;
	n = kft_host_open(NULL, &r.host, &c->err);
	if (n == 0)
		n = check(c, r.host, path, &config);
	if (n == 0)
		n = canonical(&config, index, &one);
	*ret = r;
	if (n == 0)
		n = kft_run_load(ret->host, name, one.buf, one.len, buffer_bytes,
				 &ret->run, &c->err);
	ret->is_open = n == 0;
	if (n == 0)
		n = read_config(c, ret);
	if (n < 0)
		cli_run_close(ret);
	else
		*ret_count = config.runs.len;
	return n;
}

static void note(void *unused, const char *text)
{
	cli_print_note("%s", text);
}

/*
 * Where records go. Those of this run that are there already, because they were counted or
 * because who took them was killed, stay.
 */
static int open_sink(const struct kft_run *run, struct kft_sink **ret, struct kft_err *e)
{
	const struct kft_tracedat_opts opts = {};
	char path[RAW_PATH_MAX];

	raw_path(run->dir.name, path, sizeof(path));
	if (run->rec.drained && kft_find_at(run->dir.fd, RAW_FILE) == 0)
		return kft_tracedat_sink_resume(path, &opts, ret, e);
	/* An earlier run of the session. */
	int n = kft_rundir_remove_file(&run->dir, RAW_FILE, e);
	if (n == 0)
		n = kft_rundir_remove_file(&run->dir, RAW_FILE ".parts", e);
	return n == 0 ? kft_tracedat_sink_create(path, &opts, ret, e) : n;
}

static int take(struct cli *c, struct cli_run *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	const struct kft_notify notify = {.note = note};
	struct kft_sink *sink;
	int n = open_sink(&r->run, &sink, &c->err);

	if (n < 0)
		return n;
	cli_add_command_line(&line);
	n = kft_run_take(&r->run, &r->plan, sink, kft_strbuf_cstr(&line), &notify,
			 &c->err);
	sink->ops->destroy(sink);
	return n;
}

/* All that was drained so far, judged. */
static int judge(const struct kft_run *run, const struct kft_plan *plan,
		 struct kft_trace **ret_trace, struct kft_trim *ret_trim,
		 struct kft_err *e)
{
	struct kft_trace *t;
	char path[RAW_PATH_MAX];
	char group[KFT_PROBE_GROUP_MAX];

	raw_path(run->dir.name, path, sizeof(path));
	int n = kft_file_open(path, &t, e);
	if (n < 0)
		return n;
	kft_probes_group(run->dir.name, group);
	const struct kft_trim_opts opts = {
		.plan = plan, .rec = &run->rec, .probe_group = group};
	n = kft_trim_scan(t, &opts, ret_trim, e);
	if (n < 0)
		t = kft_trace_destroy(t);
	else
		*ret_trace = t;
	return n;
}

int cli_run_count(void *unused, struct kft_run *run, const struct kft_plan *plan,
		  struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_trim_finish) struct kft_trim trim = {};
	const struct kft_notify notify = {.note = note};
	struct kft_sink *sink;
	int n = open_sink(run, &sink, e);

	if (n < 0)
		return n;
	cli_add_command_line(&line);
	n = kft_run_drain(run, sink, kft_strbuf_cstr(&line), &notify, e);
	sink->ops->destroy(sink);
	if (n == 0)
		n = judge(run, plan, &t, &trim, e);
	if (n < 0)
		return n;
	/* All that have ended and pass the filters. */
	uint64_t calls = trim.counts[KFT_VERDICT_CALL] + trim.counts[KFT_VERDICT_LATE] +
			 trim.counts[KFT_VERDICT_BEYOND];
	return kft_run_counted(run, plan, calls, trim.verdicts.len, e);
}

int cli_run_tend(struct cli *c, struct cli_run *r)
{
	int n = kft_run_tend(&r->run, &r->plan, &c->err);

	if (n == 0 && r->run.count_due)
		n = cli_run_count(NULL, &r->run, &r->plan, &c->err);
	if (n == 0 && r->run.rec.complete && !r->run.rec.taken)
		n = take(c, r);
	return n;
}

int cli_run_result(struct cli *c, struct cli_run *r, struct kft_trace **ret_trace,
		   struct kft_trim *ret_trim)
{
	if (!r->run.rec.taken) {
		(void)kft_err_set(&c->err, -EINVAL, "session '%s' is not complete",
				  r->run.dir.name);
		kft_err_hint(&c->err, "'kft stop -n %s' ends it, 'kft status' shows it",
			     r->run.dir.name);
		return -EINVAL;
	}
	return judge(&r->run, &r->plan, ret_trace, ret_trim, &c->err);
}

int cli_run_save(struct cli *c, struct cli_run *r, const char *output,
		 struct kft_trim *ret_trim)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const struct kft_tracedat_opts opts = {.is_copy = true};
	struct kft_trim trim = {};
	struct kft_sink *sink;
	int n = cli_run_result(c, r, &t, &trim);

	if (n < 0)
		return n;
	n = cli_run_keep_info(&r->plan, &r->run.rec, &trim, t, &c->err);
	if (n == 0)
		n = kft_tracedat_sink_create(output, &opts, &sink, &c->err);
	if (n == 0) {
		n = kft_trim_write(t, &trim, sink, &c->err);
		sink->ops->destroy(sink);
	}
	if (n < 0)
		kft_trim_finish(&trim);
	else
		*ret_trim = trim;
	return n;
}

void cli_run_counts_text(const struct kft_trim *trim, struct kft_strbuf *sb)
{
	static const struct {
		enum kft_verdict verdict;
		const char *text;
	} dropped[] = {
		{KFT_VERDICT_OUTSIDE, "outside the run"},
		{KFT_VERDICT_EARLIER, "entered before it"},
		{KFT_VERDICT_SHORT, "too short"},
		{KFT_VERDICT_LONG, "too long"},
		{KFT_VERDICT_INTERRUPT, "in interrupts"},
		{KFT_VERDICT_NO_INTERRUPT, "not in interrupts"},
		{KFT_VERDICT_TASK, "of other tasks"},
		{KFT_VERDICT_BEYOND, "beyond logentries"},
	};

	uint64_t open = trim->counts[KFT_VERDICT_LATE] + trim->counts[KFT_VERDICT_OPEN];
	const char *before = "; records dropped: ";

	kft_strbuf_add_count(sb, trim->counts[KFT_VERDICT_CALL] + open);
	kft_strbuf_adds(sb, " calls kept");
	if (open) {
		kft_strbuf_adds(sb, ", ");
		kft_strbuf_add_count(sb, open);
		kft_strbuf_adds(sb, " of them under way at the stop");
	}
	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++) {
		if (!trim->counts[dropped[i].verdict])
			continue;
		kft_strbuf_adds(sb, before);
		before = ", ";
		kft_strbuf_add_count(sb, trim->counts[dropped[i].verdict]);
		kft_strbuf_addf(sb, " %s", dropped[i].text);
	}
}

void cli_run_others_text(const struct kft_run_record *rec, const struct kft_trim *trim,
			 struct kft_strbuf *sb)
{
	static const struct {
		enum kft_run_disturbance bit;
		const char *text;
	} texts[] = {
		{KFT_DISTURBED_TRACER, "took the tracer"},
		{KFT_DISTURBED_THRESH,
		 "changed tracing_thresh, by which calls are left out"},
		{KFT_DISTURBED_BUFFER, "emptied the buffer"},
	};
	const char *before = "another program ";
	unsigned int disturbed = rec->disturbed | (trim->start_missing && !trim->taken
							   ? KFT_DISTURBED_BUFFER
							   : 0);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!(disturbed & texts[i].bit))
			continue;
		kft_strbuf_addf(sb, "%s%s", before, texts[i].text);
		before = ", ";
	}
	if (rec->stopped == KFT_CAUSE_OTHER && !(disturbed & KFT_DISTURBED_TRACER)) {
		kft_strbuf_addf(sb, "%sswitched recording off", before);
		before = ", ";
	}
	if (!trim->taken)
		return;
	kft_strbuf_addf(sb, "%sread ", before);
	kft_strbuf_add_count(sb, trim->taken);
	kft_strbuf_adds(sb, " of the records");
}

int cli_run_check(struct cli *c, const struct cli_run *r, const struct kft_trim *trim)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	cli_run_others_text(&r->run.rec, trim, &text);
	if (!text.len)
		return 0;
	return kft_err_set(&c->err, -EIO, "session '%s' is not complete: %s",
			   r->run.dir.name, kft_strbuf_cstr(&text));
}
