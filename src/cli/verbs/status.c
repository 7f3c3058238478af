// SPDX-License-Identifier: GPL-2.0-only
/* `kft status`: lists the sessions of this machine and their states. */
#include "cli/run_session.h"

#include <inttypes.h>

#include "base/units.h"
#include "cli/answer.h"
#include "cli/record_detached.h"
#include "cli/sessions_result.h"
#include "plan/status.h"
#include "session/daemon.h"
#include "session/summary.h"

static const char *arg_name;
static int arg_format;

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "show this session only", KFT_OPT_STRING, &arg_name},
	CLI_FORMAT_OPT(arg_format),
	{},
};

static void add_time(struct kft_strbuf *sb, uint64_t ns)
{
	kft_strbuf_addf(sb, "%" PRIu64 ".%06" PRIu64, ns / 1000000000,
			ns / 1000 % 1000000);
}

static void add_cause(struct kft_strbuf *sb, const char *what, enum kft_run_cause cause,
		      const struct kft_config_trigger *t, uint64_t ns)
{
	static const char *const texts[] = {
		[KFT_CAUSE_NONE] = "not yet",
		[KFT_CAUSE_USER] = "by the user",
		[KFT_CAUSE_TRIGGER] = "by ",
		[KFT_CAUSE_TIME] = "by time",
		[KFT_CAUSE_FULL] = "by a full log",
		[KFT_CAUSE_ENTRIES] = "by logentries",
		[KFT_CAUSE_LIMIT] = "by its limit",
		[KFT_CAUSE_OTHER] = "by another program",
		[KFT_CAUSE_DISK] = "by a full disk",
	};

	kft_strbuf_addf(sb, "  %s %s", what, texts[cause]);
	if (cause == KFT_CAUSE_TRIGGER) {
		const char *word = t->kind == KFT_TRIGGER_EVENT ? t->event.pattern
								: t->func.word;
		const char *kind = t->kind == KFT_TRIGGER_EVENT	 ? "event "
				   : t->kind == KFT_TRIGGER_EXIT ? "exit from "
								 : "entry to ";

		kft_strbuf_adds(sb, kind);
		kft_strbuf_add_escaped(sb, word, strlen(word));
	}
	if (cause != KFT_CAUSE_NONE && ns && ns != UINT64_MAX) {
		kft_strbuf_adds(sb, " at ");
		add_time(sb, ns);
	}
	kft_strbuf_addc(sb, '\n');
}

static void add_windows(struct kft_strbuf *sb, const struct kft_detached *r,
			const struct kft_cut *cut)
{
	const struct kft_run_config *config = &r->config.runs.data[0];
	const struct kft_session_state *rec = &r->run.rec;

	kft_vec_for_each(&cut->windows, w) {
		enum kft_run_cause stopped = w->stopped ? w->stopped : rec->stopped;

		add_cause(sb, "started", w->started, &config->start, w->start_ns);
		add_cause(sb, "stopped", stopped, &config->stop,
			  w->stopped ? w->stop_ns : rec->stop_ns);
	}
	if (!cut->windows.len)
		kft_strbuf_adds(sb, "  was stopped before it had started\n");
}

static void add_others(struct kft_strbuf *sb, const struct kft_session_state *rec,
		       const struct kft_cut *cut)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_run_others_text(rec, cut, &text);
	if (text.len)
		kft_strbuf_addf(sb, "  not complete: %s\n", kft_strbuf_cstr(&text));
}

static int add_result(struct cli *c, struct kft_detached *r)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_cut_finish) struct kft_cut cut = {};
	struct kft_strbuf *sb = &c->out.sb;
	int n = kft_detached_result(r, &t, &cut, &c->err);

	if (n < 0)
		return n;
	add_windows(sb, r, &cut);
	kft_strbuf_adds(sb, "  ");
	kft_run_counts_text(&r->run.rec, &cut, sb);
	kft_strbuf_adds(sb, "; lost: ");
	kft_strbuf_add_count(sb, kft_meta_lost(&t->meta, false));
	kft_strbuf_addc(sb, '\n');
	add_others(sb, &r->run.rec, &cut);
	return 0;
}

static int add_progress(struct cli *c, struct kft_detached *r)
{
	const struct kft_session_state *rec = &r->run.rec;
	struct kft_strbuf *sb = &c->out.sb;
	struct kft_cpu_counts counts;

	add_cause(sb, "started", rec->started, &r->config.runs.data[0].start,
		  rec->started == KFT_CAUSE_TRIGGER ? 0 : rec->start_ns);
	cli_detached_add_lacks(r, sb);
	if (rec->state == KFT_STATE_LOADED)
		return 0;
	int n = kft_run_counts(&r->run, &counts, &c->err);
	if (n < 0)
		return n;
	kft_strbuf_adds(sb, "  ");
	kft_strbuf_add_count(sb, counts.entries + counts.read);
	kft_strbuf_adds(sb, " records so far, before the filters of kft; lost: ");
	kft_strbuf_add_count(sb, kft_cpu_counts_lost(&counts));
	kft_strbuf_addc(sb, '\n');
	add_others(sb, rec, &(struct kft_cut){});
	if (!kft_detached_keeper(r))
		kft_strbuf_adds(sb, "  no kft waits with this run: times pass unnoticed "
				    "until the next command\n");
	return 0;
}

static void add_setup(struct kft_strbuf *sb, const struct kft_session_state *rec)
{
	const struct kft_graph_setup *s = &rec->setup;

	if (rec->state == KFT_STATE_LOADED)
		return;
	if (rec->lowest_stack_bytes)
		kft_strbuf_addf(sb, "  lowest stack: %" PRIu64 " bytes were left\n",
				rec->lowest_stack_bytes);
	kft_strbuf_addf(sb, "  carried out by function_graph %s\n",
			s->top ? "at the top level of tracefs"
			       : "in an instance of its own");
	kft_strbuf_adds(sb, "  in the kernel:");
	if (s->thresh_us)
		kft_strbuf_addf(sb, " durations from %" PRIu64 " us;", s->thresh_us);
	if (s->functions_filtered)
		kft_strbuf_adds(sb, " functions;");
	if (s->tasks_filtered)
		kft_strbuf_adds(sb, " tasks;");
	if (s->skips_irqs)
		kft_strbuf_adds(sb, " no hard interrupts;");
	kft_strbuf_adds(sb, " triggers at functions. The rest when it is read\n");
}

static int show_text(struct cli *c, struct kft_detached *r, const char *name)
{
	const struct kft_session_state *rec = &r->run.rec;
	const struct kft_run_state st = {
		.id = (uint32_t)rec->id,
		.primed = rec->state != KFT_STATE_LOADED,
		.triggered = rec->started != KFT_CAUSE_NONE,
		.complete = kft_state_is_complete(rec->state),
	};

	kft_strbuf_addf(&c->out.sb, "session %s\n", name);
	kft_run_status_text(&r->config.runs.data[0], &st, &c->out.sb);
	kft_strbuf_adds(&c->out.sb, "\nrun:\n");
	int n = rec->state == KFT_STATE_SAVED ? add_result(c, r) : add_progress(c, r);
	if (n == 0)
		add_setup(&c->out.sb, rec);
	return n;
}

struct shown {
	struct cli *c;
	struct kft_host *host; /* borrowed; for all sessions */
	size_t count;
	bool failed; /* an error of one of all sessions was printed */
	struct cli_sessions sessions; /* for all formats but text */
};

static void note_failure(struct shown *s)
{
	cli_print_err(&s->c->err);
	s->c->err = (struct kft_err){};
	s->failed = true;
}

static int show_one(struct shown *s, const char *name)
{
	struct cli *c = s->c;
	struct kft_detached r;
	int n = kft_detached_open(name, &cli_run_notify, &r, &c->err);

	if (n < 0)
		return n;
	/* A session that cannot continue is listed with the reason. */
	if (kft_detached_refresh(&r, &c->err) < 0)
		note_failure(s);
	if (arg_format == KFT_OUTPUT_text) {
		if (s->count++)
			kft_strbuf_addc(&c->out.sb, '\n');
		n = kft_detached_is_recording(&r) ? cli_detached_status(c, &r, name)
						  : show_text(c, &r, name);
	} else {
		n = cli_sessions_add(c, &r, name, &s->sessions);
	}
	kft_detached_close(&r);
	return n;
}

/* Shows a session in the foreground; only its own process knows its progress. */
static void show_foreground(struct shown *s, const char *session)
{
	_cleanup_close_ int alive_fd = kft_rundir_find_attached(s->host, session);

	if (alive_fd < 0)
		return;
	if (arg_format != KFT_OUTPUT_text) {
		cli_sessions_add_foreground(session, &s->sessions);
		return;
	}
	if (s->count++)
		kft_strbuf_addc(&s->c->out.sb, '\n');
	kft_strbuf_addf(
		&s->c->out.sb,
		"session %s\n  recorded by a process in the foreground; 'kft pause "
		"%s' and 'kft resume %s' reach it\n",
		session, session, session);
}

static int show_listed(void *arg, const char *name)
{
	struct shown *s = arg;
	const char *session = kft_rundir_attached(name);

	if (session && kft_run_name_is_valid(session))
		show_foreground(s, session);
	if (kft_run_name_is_valid(name) && show_one(s, name) < 0)
		note_failure(s);
	return 0;
}

static int note_foreign(void *arg, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};

	kft_strbuf_add_escaped(&shown, name, strlen(name));
	cli_print_note(
		"left out /run/kft/%s: it is not a directory of root or this user, or "
		"others may write to it",
		kft_strbuf_cstr(&shown));
	return 0;
}

static int show_all(struct shown *s)
{
	struct kft_host *host;
	int n = kft_host_open(NULL, &host, &s->c->err);

	if (n < 0)
		return n;
	s->host = host;
	/* A small build omits these. */
	if (HAVE_PLAIN)
		n = kft_rundir_list_foreign(host, note_foreign, NULL, &s->c->err);
	if (n == 0)
		n = kft_rundir_list(host, show_listed, s, &s->c->err);
	host = kft_host_close(host);
	if (n == 0 && !s->count && !s->failed && arg_format == KFT_OUTPUT_text)
		kft_strbuf_adds(&s->c->out.sb, "No logging run registered\n");
	return n;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &arg_name);
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct shown s = {.c = c};

	cli_sessions_init(&s.sessions, &result);
	int n = arg_name ? show_one(&s, arg_name) : show_all(&s);
	if (n < 0)
		return CLI_FAILED;
	int status = arg_format == KFT_OUTPUT_text
			     ? CLI_OK
			     : cli_answer(c, arg_format, true, &result);

	return s.failed ? CLI_FAILED : status;
}

const struct cli_verb cli_verb_status = {
	.name = "status",
	.group = CLI_GROUP_SESSIONS,
	.summary = "show sessions and their state",
	.about =
		"Shows all sessions that outlive their command, or one: state, number of "
		"events, and how far back they reach; for a KFT run its "
		"configuration in KFT's words, its triggers with their times "
		"(seconds of CLOCK_MONOTONIC), the numbers of kept, dropped "
		"and lost calls, and the part of the work that the kernel "
		"does.",
	CLI_RUN_OPERAND,
	.opts = opts,
	.run = run,
};
