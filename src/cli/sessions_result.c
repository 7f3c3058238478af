// SPDX-License-Identifier: GPL-2.0-only
/* Prints the result of `kft status` for programs. */
#include "cli/sessions_result.h"

#include "tracefs/detached/budget.h"
#include "tracefs/detached/switched.h"
#include "cli/record_detached.h"
#include "plan/format.h"
#include "session/daemon.h"
#include "watch/lock.h"
#include "watch/status.h"

static const struct kft_result_column session_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"run", "RUN"},
	{"state", "STATE", .is_text = true},
	{"started_by", "STARTED BY", .is_text = true},
	{"start", "START"},
	{"stopped_by", "STOPPED BY", .is_text = true},
	{"stop", "STOP"},
	{"records", "RECORDS"},
	{"calls", "CALLS"},
	{"open_calls", "OPEN"},
	{"lost", "LOST"},
	{"lowest_stack", "LOWEST STACK"},
	{"instance", "INSTANCE"},
	{"threshold", "THRESHOLD"},
	{"keeper", "KEEPER"},
	{"keeper_pid", "PID"},
	{"output", "OUTPUT", .is_text = true},
	{"cost", "COST"},
	{"max_cost", "MAX COST"},
	{"missing_module", "MISSING MODULE", .is_text = true},
};

static const struct kft_result_column window_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"started_by", "STARTED BY", .is_text = true},
	{"start", "START"},
	{"stopped_by", "STOPPED BY", .is_text = true},
	{"stop", "STOP"},
};

static const struct kft_result_column dropped_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"why", "WHY", .is_text = true},
	{"records", "RECORDS"},
};

static const struct kft_result_column clause_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"clause", "CLAUSE", .is_text = true},
};

static const struct kft_result_column switched_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"set", "SET", .is_text = true},
	{"on", "ON"},
};

static const struct kft_result_column left_out_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"event", "EVENT", .is_text = true},
	{"rate", "RATE"},
};

static const struct kft_result_column condition_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"condition", "CONDITION", .is_text = true},
	{"times", "COUNT"},
	{"last", "LAST"},
	{"why", "WHY", .is_text = true},
	{"in_kernel", "IN KERNEL"},
};

static const struct kft_result_column watcher_columns[] = {
	{"session", "SESSION", .is_text = true},
	{"watches", "WATCHES"},
	{"missed", "MISSED"},
	{"snapshots", "SNAPSHOTS"},
	{"last_snapshot", "LAST SNAPSHOT", .is_text = true},
	{"trouble", "PROBLEM", .is_text = true},
};

void cli_sessions_init(struct cli_sessions *s, struct kft_result *result)
{
	s->result = result;
	s->sessions = kft_result_add_table(result, "sessions", session_columns,
					   ARRAY_SIZE(session_columns));
	s->windows = kft_result_add_table(result, "windows", window_columns,
					  ARRAY_SIZE(window_columns));
	s->dropped = kft_result_add_table(result, "dropped", dropped_columns,
					  ARRAY_SIZE(dropped_columns));
	s->clauses = kft_result_add_table(result, "clauses", clause_columns,
					  ARRAY_SIZE(clause_columns));
	s->switched = kft_result_add_table(result, "switched", switched_columns,
					   ARRAY_SIZE(switched_columns));
	s->left_out = kft_result_add_table(result, "left_out", left_out_columns,
					   ARRAY_SIZE(left_out_columns));
	s->conditions = kft_result_add_table(result, "conditions", condition_columns,
					     ARRAY_SIZE(condition_columns));
	s->watchers = kft_result_add_table(result, "watchers", watcher_columns,
					   ARRAY_SIZE(watcher_columns));
}

void cli_sessions_add_foreground(const char *name, struct cli_sessions *s)
{
	kft_result_put(s->sessions, kft_value_text(s->result, name));
	kft_result_put(s->sessions, kft_value_none());
	kft_result_put(s->sessions, kft_value_word("foreground"));
	for (size_t i = 3; i < ARRAY_SIZE(session_columns); i++)
		kft_result_put(s->sessions, kft_value_none());
}

static struct kft_value cause(enum kft_run_cause cause)
{
	static const char *const words[] = {
		[KFT_CAUSE_USER] = "user",	    [KFT_CAUSE_TRIGGER] = "trigger",
		[KFT_CAUSE_TIME] = "time",	    [KFT_CAUSE_FULL] = "full",
		[KFT_CAUSE_ENTRIES] = "logentries", [KFT_CAUSE_OTHER] = "other",
		[KFT_CAUSE_LIMIT] = "limit",	    [KFT_CAUSE_DISK] = "disk",
	};

	return cause == KFT_CAUSE_NONE ? kft_value_none() : kft_value_word(words[cause]);
}

static struct kft_value moment(enum kft_run_cause cause, uint64_t ns)
{
	return cause == KFT_CAUSE_NONE || !ns || ns == UINT64_MAX
		       ? kft_value_none()
		       : kft_value_number(KFT_VALUE_TIME, ns);
}

static const char *state_of(const struct kft_session_state *rec)
{
	/* KFT's names of states, and one more. */
	if (kft_state_is_complete(rec->state))
		return "complete";
	if (rec->state == KFT_STATE_RECORDING)
		return "triggered";
	return kft_state_name(rec->state);
}

static struct kft_value count_if(bool known, uint64_t n)
{
	return known ? kft_value_count(n) : kft_value_none();
}

static struct kft_value text_if(struct kft_result *result, const char *text)
{
	return text ? kft_value_text(result, text) : kft_value_none();
}

/* The counters of a session, as far as they are known. */
struct counts {
	bool has_records; /* the run is in the kernel: records and lost are valid */
	/* the records were filtered: calls, open_calls and lost are valid */
	bool has_calls;
	uint64_t records;
	uint64_t calls;
	uint64_t open_calls;
	uint64_t lost;
	uint64_t cost_ppm; /* 0: not known */
};

static void add_windows(const struct kft_detached *r, const struct kft_cut *cut,
			struct kft_value session, struct kft_result_table *t)
{
	const struct kft_session_state *rec = &r->run.rec;

	kft_vec_for_each(&cut->windows, w) {
		enum kft_run_cause stopped = w->stopped ? w->stopped : rec->stopped;

		kft_result_put(t, session);
		kft_result_put(t, cause(w->started));
		kft_result_put(t, moment(w->started, w->start_ns));
		kft_result_put(t, cause(stopped));
		kft_result_put(t,
			       moment(stopped, w->stopped ? w->stop_ns : rec->stop_ns));
	}
}

static void add_dropped(const struct kft_cut *cut, struct kft_value session,
			struct kft_result_table *t)
{
	static const char *const words[KFT_VERDICT_COUNT] = {
		[KFT_VERDICT_OUTSIDE] = "outside",
		[KFT_VERDICT_SHORT] = "short",
		[KFT_VERDICT_LONG] = "long",
		[KFT_VERDICT_INTERRUPT] = "interrupt",
		[KFT_VERDICT_NO_INTERRUPT] = "no interrupt",
		[KFT_VERDICT_TASK] = "other task",
		[KFT_VERDICT_BEYOND] = "logentries",
	};

	for (size_t i = 0; i < KFT_VERDICT_COUNT; i++) {
		if (!words[i] || !cut->counts[i])
			continue;
		kft_result_put(t, session);
		kft_result_put(t, kft_value_word(words[i]));
		kft_result_put(t, kft_value_count(cut->counts[i]));
	}
}

static int count_result(struct cli *c, struct kft_detached *r, struct kft_value session,
			struct cli_sessions *s, struct counts *ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_cut_finish) struct kft_cut cut = {};
	int n = kft_detached_result(r, &t, &cut, &c->err);

	if (n < 0)
		return n;
	add_windows(r, &cut, session, s->windows);
	add_dropped(&cut, session, s->dropped);
	*ret = (struct counts){
		.has_calls = true,
		.calls = cut.counts[KFT_VERDICT_CALL],
		.open_calls = cut.counts[KFT_VERDICT_OPEN],
		.lost = kft_meta_lost(&t->meta, false),
	};
	return 0;
}

static int count_progress(struct cli *c, struct kft_detached *r, struct counts *ret)
{
	struct kft_cpu_counts counts;

	if (r->run.rec.state == KFT_STATE_LOADED)
		return 0;
	int n = kft_run_counts(&r->run, &counts, &c->err);
	if (n < 0)
		return n;
	*ret = (struct counts){
		.has_records = true,
		.cost_ppm = cli_detached_cost_ppm(&r->run.rec.options, &counts),
	};
	ret->records = cli_detached_count(&r->run.rec, &counts, &ret->lost);
	return 0;
}

static void add_clauses(const struct kft_run_config *run, struct kft_value session,
			struct cli_sessions *s)
{
	for (int clause = 0; clause < KFT_CLAUSE_COUNT; clause++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		if (!kft_run_config_has(run, clause))
			continue;
		kft_clause_format(run, clause, &text);
		kft_result_put(s->clauses, session);
		kft_result_put(s->clauses,
			       kft_value_text(s->result, kft_strbuf_cstr(&text)));
	}
}

/* A table, and the session that its new rows belong to. */
struct rows {
	struct kft_result_table *table;
	struct kft_value session;
};

static void add_switched(void *arg, const char *change)
{
	const struct rows *rows = arg;

	kft_result_put(rows->table, rows->session);
	kft_result_put(rows->table, kft_value_text(rows->table->result, change + 1));
	kft_result_put(rows->table, kft_value_bool(change[0] == '+'));
}

static void add_left_out(void *arg, const char *event, uint64_t rate)
{
	const struct rows *rows = arg;

	kft_result_put(rows->table, rows->session);
	kft_result_put(rows->table, kft_value_text(rows->table->result, event));
	kft_result_put(rows->table, kft_value_number(KFT_VALUE_RATE, rate * 1000));
}

static void add_conditions(const struct kft_watch_said *said, struct kft_value session,
			   struct kft_result_table *t)
{
	kft_vec_for_each(&said->rows, row) {
		kft_result_put(t, session);
		kft_result_put(t, kft_value_text(t->result, row->condition));
		kft_result_put(t, kft_value_count(row->times));
		kft_result_put(t, row->times ? kft_value_number(KFT_VALUE_TIME,
								row->last_s * 1000000000)
					     : kft_value_none());
		kft_result_put(t, text_if(t->result, row->times ? row->why : NULL));
		kft_result_put(t, kft_value_bool(row->in_kernel));
	}
}

static void add_watcher(const struct kft_detached *r, struct kft_value session,
			struct cli_sessions *s)
{
	_cleanup_(kft_watch_said_finish) struct kft_watch_said said = {};
	struct kft_result_table *t = s->watchers;

	if (kft_watch_said_read(&r->run.dir, &said) < 0)
		return;
	add_conditions(&said, session, s->conditions);
	kft_result_put(t, session);
	kft_result_put(t, kft_value_bool(kft_watch_lock_is_held(&r->run.dir)));
	kft_result_put(t, count_if(said.missed != KFT_LOST_UNKNOWN, said.missed));
	kft_result_put(t, kft_value_count(said.files));
	kft_result_put(t, text_if(t->result, said.last_file));
	kft_result_put(t, text_if(t->result, said.trouble));
}

static int add_recording(struct cli *c, const struct kft_detached *r,
			 struct kft_value session, struct cli_sessions *s)
{
	struct rows left_out = {s->left_out, session};
	struct rows switched = {s->switched, session};

	add_watcher(r, session, s);
	kft_budget_each_left_out(&r->run, add_left_out, &left_out);
	return kft_switched_each(&r->run, add_switched, &switched, &c->err);
}

static struct kft_value ratio_if(uint64_t ppm)
{
	return ppm ? kft_value_number(KFT_VALUE_RATIO, ppm) : kft_value_none();
}

/* The file that a session streams to. */
static struct kft_value output_of(const struct kft_detached *r, struct kft_result *result)
{
	char path[KFT_DETACHED_PATH_MAX];

	if (!r->run.rec.options.stream)
		return kft_value_none();
	kft_detached_raw_path(&r->run, path);
	return kft_value_text(result, path);
}

static void add_session(const struct kft_detached *r, struct kft_value session,
			const struct counts *n, struct kft_result_table *t)
{
	const struct kft_session_state *rec = &r->run.rec;
	const struct kft_graph_setup *setup = &rec->setup;
	pid_t keeper = kft_detached_keeper(r);
	char module[KFT_PROBE_MODULE_MAX];
	bool lacks_module = kft_run_lacks_module(&r->run, &r->plan, module);

	kft_result_put(t, session);
	kft_result_put(t, kft_value_number(KFT_VALUE_ID, rec->id));
	kft_result_put(t, kft_value_word(state_of(rec)));
	kft_result_put(t, cause(rec->started));
	kft_result_put(t, moment(rec->started, rec->start_ns));
	kft_result_put(t, cause(rec->stopped));
	kft_result_put(t, moment(rec->stopped, rec->stop_ns));
	kft_result_put(t, count_if(n->has_records, n->records));
	kft_result_put(t, count_if(n->has_calls, n->calls));
	kft_result_put(t, count_if(n->has_calls, n->open_calls));
	kft_result_put(t, count_if(n->has_calls || n->has_records, n->lost));
	kft_result_put(
		t, rec->lowest_stack_bytes
			   ? kft_value_number(KFT_VALUE_BYTES, rec->lowest_stack_bytes)
			   : kft_value_none());
	kft_result_put(t, rec->state != KFT_STATE_LOADED ? kft_value_bool(!setup->top)
							 : kft_value_none());
	kft_result_put(t, setup->thresh_us ? kft_value_duration(setup->thresh_us * 1000)
					   : kft_value_none());
	kft_result_put(t, kft_value_bool(keeper != 0));
	kft_result_put(t, kft_value_pid(keeper ? keeper : -1));
	kft_result_put(t, output_of(r, t->result));
	kft_result_put(t, ratio_if(n->cost_ppm));
	kft_result_put(t, ratio_if(rec->options.max_cost_ppm));
	kft_result_put(t, text_if(t->result, lacks_module ? module : NULL));
}

int cli_sessions_add(struct cli *c, struct kft_detached *r, const char *name,
		     struct cli_sessions *s)
{
	struct kft_value session = kft_value_text(s->result, name);
	struct counts counts = {};
	const struct kft_session_state *rec = &r->run.rec;
	int n = 0;

	if (kft_detached_is_recording(r) && kft_state_is_complete(rec->state))
		counts = (struct counts){
			.has_records = true, .records = rec->events, .lost = rec->lost};
	else
		n = rec->state == KFT_STATE_SAVED
			    ? count_result(c, r, session, s, &counts)
			    : count_progress(c, r, &counts);

	if (n < 0)
		return n;
	add_session(r, session, &counts, s->sessions);
	if (kft_detached_is_recording(r))
		return add_recording(c, r, session, s);
	add_clauses(&r->config.runs.data[0], session, s);
	return 0;
}
