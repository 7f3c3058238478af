// SPDX-License-Identifier: GPL-2.0-only
/* Prints statistics that the kernel computes, without a trace. */
#include "cli/stats_live.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <unistd.h>

#include "base/err.h"
#include "base/now.h"
#include "capture/command.h"
#include "capture/interrupt.h"
#include "cli/answer.h"
#include "cli/command.h"
#include "cli/record_first.h"
#include "derive/kinds/kinds.h"
#include "live/live.h"
#include "live/names.h"

/* Interval of polling for the command's end on a kernel without pidfds. */
#define LOOK_MS 100

/* The kinds that are counted, borrowed. */
struct chosen {
	const struct kft_interval_kind *list[KFT_INTERVAL_KINDS_MAX];
	size_t n;
};

struct counting {
	struct cli *cli;
	const struct cli_stats_live *q;
	struct kft_host *host;
	struct kft_command command; /* pid 0: none */
	struct kft_interrupt interrupt;
	struct kft_live *live;
	struct kft_trace *names;
	struct kft_interval_where *where;
	bool was_refused; /* the command could not be executed */
};

/*
 * Kinds that the kernel cannot count are left out, with a note if they were asked for. It is an
 * error if none is left.
 */
static int choose(const struct cli_kinds *kinds, struct chosen *ret, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf without = {};
	struct cli_kinds all = {};

	if (!kinds->n)
		(void)cli_kinds_add_word(&all, "all", 3);
	const struct cli_kinds *from = kinds->n ? kinds : &all;

	for (size_t i = 0; i < from->n; i++)
		if (kft_live_has_kind(from->list[i]))
			ret->list[ret->n++] = from->list[i];
		else
			kft_strbuf_addf(&without, "%s%s", without.len ? ", " : "",
					from->list[i]->name);
	if (ret->n && kinds->n && without.len)
		cli_print_note("not counted in the kernel, as their intervals are more "
			       "than pairs of events: %s",
			       kft_strbuf_cstr(&without));
	if (ret->n)
		return 0;
	(void)kft_err_set(
		e, -EOPNOTSUPP,
		"the kernel cannot count intervals of '%s', which are more than "
		"pairs of events",
		kft_strbuf_cstr(&without));
	kft_err_hint(e, "kft stats %s -d 10s records events and counts those",
		     kft_strbuf_cstr(&without));
	return -EOPNOTSUPP;
}

static int ms_until(uint64_t end_ns, bool polls)
{
	uint64_t at = kft_now_ns();
	uint64_t left = end_ns > at ? (end_ns - at + 999999) / 1000000 : 0;

	if (end_ns == UINT64_MAX)
		return polls ? LOOK_MS : -1;
	return (int)KFT_MIN(left, polls ? (uint64_t)LOOK_MS : (uint64_t)INT32_MAX);
}

static void add_losses(const struct kft_live_losses *l, struct kft_result *r)
{
	kft_result_add_optional(r, "unbegun", "Ends without a beginning",
				kft_value_count(l->unbegun));
	kft_result_add_optional(r, "unended", "Beginnings without an end",
				kft_value_count(l->unended));
	kft_result_add_optional(r, "missed_events", "Events at which no program ran",
				kft_value_count(l->missed));
	kft_result_add_optional(r, "rows_full", "Intervals without a row",
				kft_value_count(l->full));
}

static void note_losses(const struct kft_live_losses *l)
{
	if (l->unbegun)
		cli_print_note(
			"%" PRIu64
			" %s not counted, as the beginning was before the start, in "
			"another task, or missed",
			l->unbegun, l->unbegun == 1 ? "end is" : "ends are");
	if (l->unended)
		cli_print_note("%" PRIu64 " intervals ended unseen: they are not counted",
			       l->unended);
	if (l->full)
		cli_print_note("%" PRIu64
			       " intervals are not counted, as the kernel's table "
			       "of rows was full: another --by has fewer",
			       l->full);
	if (l->missed)
		cli_print_note("the kernel did not run kft's program at %" PRIu64
			       " events, as another one was running",
			       l->missed);
}

static int answer(const struct counting *n)
{
	_cleanup_(kft_interval_stats_finish) struct kft_interval_stats stats = {};
	_cleanup_(kft_result_finish) struct kft_result result = {};
	struct kft_live_losses losses;
	int r = kft_live_read(n->live, &stats, &losses);

	if (r < 0)
		return kft_err_sys(&n->cli->err, r, "cannot read the kernel's counts");
	kft_result_add(&result, "start", "Counted from",
		       kft_value_number(KFT_VALUE_TIME, stats.first_ns));
	kft_result_add(
		&result, "duration", "Counted for",
		kft_value_number(KFT_VALUE_DURATION, stats.last_ns - stats.first_ns));
	add_losses(&losses, &result);
	size_t left_out = kft_interval_stats_result(n->names, &stats, &n->q->view,
						    &result);

	if (!stats.list.len)
		cli_print_note("there were no such intervals");
	if (left_out)
		cli_print_note("%zu more rows: --all shows them", left_out);
	note_losses(&losses);
	return cli_answer(n->cli, n->q->format, n->q->all, &result) == CLI_OK ? 0 : -EIO;
}

/* Answers for the period that is over. The next one ends in time even if this one was late. */
static int turn(struct counting *n, uint64_t *next_ns, struct kft_err *e)
{
	int r = kft_live_turn(n->live, e);

	if (!r)
		r = answer(n);
	/* Tables for people have an empty line between them. */
	if (n->q->format != KFT_OUTPUT_json)
		kft_strbuf_addc(&n->cli->out.sb, '\n');
	while (*next_ns <= kft_now_ns())
		*next_ns += n->q->every_ns;
	return r;
}

static uint64_t after(uint64_t ns)
{
	return ns ? kft_now_ns() + ns : UINT64_MAX;
}

/* Answers for each period until the command or the time ends, or a signal comes. */
static int wait_for_end(struct counting *n, struct kft_err *e)
{
	struct kft_command *command = &n->command;
	uint64_t end_ns = after(cli_first.duration_ns);
	uint64_t next_ns = after(n->q->every_ns);
	struct pollfd fds[] = {
		{.fd = n->interrupt.fd, .events = POLLIN},
		{.fd = command->pid_fd, .events = POLLIN},
	};
	bool polls = command->pid && command->pid_fd < 0;
	int r = 0;

	if (!command->pid && !cli_first.duration_ns)
		cli_print_note("counting until Ctrl-C");
	while (!r && !kft_interrupt_take(&n->interrupt) && kft_now_ns() < end_ns &&
	       (!command->pid || !kft_command_ended(command))) {
		(void)poll(fds, ARRAY_SIZE(fds),
			   ms_until(KFT_MIN(end_ns, next_ns), polls));
		if (kft_now_ns() >= next_ns)
			r = turn(n, &next_ns, e);
	}
	return r;
}

/* Counts from now on, and lets the command run. */
static int start(struct counting *n, struct kft_err *e)
{
	struct kft_command *command = &n->command;
	int r = 0;

	if (command->pid && !cli_first.all)
		r = kft_live_follow_task(n->live, (uint32_t)command->pid);
	if (r < 0)
		return kft_err_sys(e, r, "cannot follow the command");
	r = kft_live_start(n->live, e);
	if (r < 0 || !command->pid)
		return r;
	r = kft_command_release(command, e);
	n->was_refused = r < 0;
	return r;
}

/* Reads the names of the machine; options choose events, kinds and intervals by them. */
static int choose_intervals(struct counting *n, const struct chosen *kinds,
			    struct kft_err *e)
{
	const struct cli_stats_live *q = n->q;

	if (kft_live_names(n->host, kinds->list, kinds->n, &n->names) < 0)
		return kft_err_memory(e);
	int r = cli_kinds_check(q->kinds, n->names, e);

	if (!r)
		r = cli_scope_resolve(q->scope, n->names, e);
	if (!r && q->where)
		r = kft_interval_where_parse(q->where, &n->where, e);
	return r;
}

static int prepare(struct counting *n, struct kft_err *e)
{
	struct chosen kinds = {};
	int r = choose(n->q->kinds, &kinds, e);

	if (!r)
		r = kft_host_open(NULL, &n->host, e);
	if (!r)
		r = choose_intervals(n, &kinds, e);
	const struct kft_live_opts opts = {
		.kinds = kinds.list,
		.n_kinds = kinds.n,
		.by = n->q->view.by,
		.where = n->where,
		.scope = &n->q->scope->scope,
		.names = n->names,
		.follows_tasks = n->command.pid && !cli_first.all,
		.skips_absent = n->q->kinds->n != 1,
	};

	return r < 0 ? r : kft_live_create(n->host, &opts, &n->live, e);
}

static int count(struct counting *n, struct kft_err *e)
{
	/* A signal while the programs are loaded ends it with an answer, too. */
	int r = kft_interrupt_open(&n->interrupt, e);

	if (r < 0)
		return r;
	r = prepare(n, e);
	if (!r)
		r = start(n, e);
	if (!r)
		r = wait_for_end(n, e);
	if (!r)
		r = kft_live_stop(n->live, e);
	cli_command_end(&n->command, &n->interrupt);
	kft_interrupt_close(&n->interrupt);
	return r;
}

static void finish(struct counting *n)
{
	const struct kft_interrupt none = {.fd = -1};

	kft_live_destroy(n->live);
	kft_interval_where_destroy(n->where);
	kft_trace_destroy(n->names);
	kft_host_close(n->host);
	cli_command_end(&n->command, &none);
}

int cli_stats_live(struct cli *c, const struct cli_stats_live *q)
{
	struct counting n = {
		.cli = c,
		.q = q,
		.command = {.pid_fd = -1, .go_fd = -1, .error_fd = -1},
	};
	int r = 0;

	/* A pager would show nothing before the first page is full. */
	if (q->every_ns)
		c->out.start = NULL;
	/* First of all: the command is to inherit nothing of kft's. */
	if (cli_first.command)
		r = cli_command_fork(c, cli_first.command, &n.command);
	n.was_refused = r < 0;
	if (!r)
		r = count(&n, &c->err);
	if (!r)
		r = answer(&n);
	finish(&n);
	return r < 0 ? cli_command_failure(cli_first.command, n.was_refused, r) : CLI_OK;
}
