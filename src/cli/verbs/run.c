// SPDX-License-Identifier: GPL-2.0-only
/* `kft run`: carries out a KFT configuration, from load to save. */
#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "capture/command.h"
#include "capture/interrupt.h"
#include "session/run/retention.h"
#include "cli/answer.h"
#include "cli/command.h"
#include "cli/config_file.h"
#include "cli/dry_run.h"
#include "cli/input.h"
#include "cli/record_plan.h"
#include "cli/run_session.h"
#include "plan/kft/lower.h"
#include "session/daemon.h"
#include "session/summary.h"

static struct {
	const char *name;
	const char *output;
	uint64_t buffer_bytes;
	bool quiet;
	bool dry_run;
	int format;
} arg = {.output = CLI_TRACE_DEFAULT};

static const struct kft_opt opts[] = {
	{'o', "output", "FILE",
	 "write the trace to FILE (" CLI_TRACE_DEFAULT "); of several runs to FILE-1, "
	 "FILE-2 and so on, before its suffix",
	 KFT_OPT_STRING, &arg.output},
	{'n', "name", "NAME", "name of the session (run-PID)", KFT_OPT_STRING, &arg.name},
	{'b', "buffer-size", "SIZE", "size of the kernel's buffer of each CPU (16M)",
	 KFT_OPT_CALLBACK, &arg.buffer_bytes, .parse = cli_parse_buffer_size},
	CLI_DRY_RUN_OPT(arg.dry_run),
	CLI_FORMAT_OPT(arg.format),
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

/* The open resources of `kft run`. */
struct running {
	struct cli *c;
	const char *path; /* path of the configuration */
	char name[KFT_RUN_NAME_MAX];
	struct kft_command command;
	struct kft_interrupt interrupt;
	int events_fd; /* epoll: readable when the wait has to end */
	bool has_command;
	bool not_executed;
	bool interrupted;
};

static int watch_fd(const struct running *r, int fd)
{
	struct epoll_event ev = {.events = EPOLLIN};

	if (fd < 0)
		return 0;
	return epoll_ctl(r->events_fd, EPOLL_CTL_ADD, fd, &ev) < 0 ? -errno : 0;
}

static int open_events(struct running *r)
{
	struct kft_err *e = &r->c->err;
	int n = kft_interrupt_open(&r->interrupt, e);

	if (n < 0)
		return n;
	r->events_fd = epoll_create1(EPOLL_CLOEXEC);
	n = r->events_fd < 0 ? -errno : watch_fd(r, r->interrupt.fd);
	if (n == 0 && r->has_command)
		n = watch_fd(r, r->command.pid_fd);
	return n < 0 ? kft_err_sys(e, n, "cannot wait") : 0;
}

static int release_command(struct running *r)
{
	if (!r->has_command || r->command.go_fd < 0)
		return 0;
	int n = kft_command_release(&r->command, &r->c->err);

	r->not_executed = n < 0;
	return n;
}

/* A run without a start trigger starts now, just before the command. */
static int begin(struct running *r, struct kft_detached *run)
{
	struct kft_err *e = &r->c->err;
	int n = run->plan.start.kind == KFT_TRIGGER_NONE
			? kft_run_start(&run->run, &run->plan, KFT_CAUSE_USER,
					kft_now_ns(), e)
			: kft_run_prime(&run->run, &run->plan, e);

	return n == 0 ? release_command(r) : n;
}

/*
 * Whether the run still waits for its start trigger. The command may have caused the
 * trigger at its end, so the kernel is checked once more. Errors are reported by the
 * next step that opens the run.
 */
static bool waits_in_vain(const struct running *r, struct kft_detached *run)
{
	struct kft_run now;

	if (run->plan.start.kind == KFT_TRIGGER_NONE ||
	    kft_run_open(run->host, r->name, &now, NULL) < 0)
		return false;
	bool waits = kft_run_refresh(&now, &run->plan, NULL) == 0 &&
		     now.rec.started == KFT_CAUSE_NONE;

	kft_run_close(&now);
	return waits;
}

/*
 * Waits until the run is complete, a signal arrives, or the command ends while
 * nothing else can end the run.
 */
static int wait_for_end(struct running *r, struct kft_detached *run)
{
	const struct kft_plan *plan = &run->plan;
	const struct kft_run_counter counter = {.count = kft_detached_count,
						.arg = (void *)&cli_run_notify,
						.notify = &cli_run_notify};
	bool ends_alone = plan->stop.kind != KFT_TRIGGER_NONE && !plan->autorepeat;
	_cleanup_close_ int dir_fd = kft_rundir_remember(&run->run.dir);
	_cleanup_close_ int keeper_fd = -1;
	int n;

	if (dir_fd < 0)
		return kft_err_sys(&r->c->err, dir_fd, "cannot wait");
	/* The lock shows 'kft status' that a process waits with this run. */
	(void)!kft_detached_lock_keeper(run, &keeper_fd);
	kft_run_close(&run->run);
	run->is_open = false;
	while ((n = kft_run_retention(run->host, r->name, dir_fd, &run->plan, &counter,
				      r->events_fd, &r->c->err)) == 0) {
		if (kft_interrupt_take(&r->interrupt)) {
			r->interrupted = true;
			break;
		}
		if (!r->has_command || !kft_command_ended(&r->command))
			continue;
		if (!ends_alone)
			break;
		if (waits_in_vain(r, run)) {
			cli_print_note("the command has ended before the start trigger "
				       "of the run: ending it");
			break;
		}
		/* The descriptor of an ended command stays readable. */
		(void)epoll_ctl(r->events_fd, EPOLL_CTL_DEL, r->command.pid_fd, NULL);
	}
	if (n < 0)
		return n;
	n = kft_run_open(run->host, r->name, &run->run, &r->c->err);
	run->is_open = n == 0;
	return n;
}

static int end(struct running *r, struct kft_detached *run)
{
	int n = kft_detached_refresh(run, &r->c->err);

	if (n == 0 && !kft_state_is_complete(run->run.rec.state)) {
		n = kft_run_stop(&run->run, &run->plan, KFT_CAUSE_USER, kft_now_ns(),
				 &r->c->err);
		if (n == 0)
			n = kft_detached_refresh(run, &r->c->err);
	}
	return n;
}

/* Makes "trace-2.dat" of "trace.dat" and 2. */
static void output_name(size_t index, size_t count, struct kft_strbuf *sb)
{
	const char *slash = strrchr(arg.output, '/');
	const char *dot = strrchr(arg.output, '.');

	if (count < 2) {
		kft_strbuf_adds(sb, arg.output);
		return;
	}
	if (!dot || (slash && dot < slash))
		dot = arg.output + strlen(arg.output);
	kft_strbuf_add(sb, arg.output, dot - arg.output);
	kft_strbuf_addf(sb, "-%zu%s", index + 1, dot);
}

static int save(struct running *r, struct kft_detached *run, size_t index, size_t count)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf output = {};
	struct kft_cut cut;

	output_name(index, count, &output);
	int n = kft_detached_save(run, kft_strbuf_cstr(&output), &cut, &r->c->err);
	if (n < 0)
		return n;
	if (!arg.quiet) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		kft_strbuf_adds(&text, "kft: ");
		kft_strbuf_add_escaped(&text, output.buf, output.len);
		kft_strbuf_adds(&text, ": ");
		kft_run_counts_text(&run->run.rec, &cut, &text);
		(void)fprintf(stderr, "%s\n", kft_strbuf_cstr(&text));
	}
	n = kft_detached_check(run, &cut, &r->c->err);
	kft_cut_finish(&cut);
	return n;
}

/* Carries out one run of the file, from load to save. *ret_count: number of runs. */
static int execute(struct running *r, size_t index, size_t *ret_count)
{
	struct kft_detached run;
	struct kft_err reset_err = {};
	int n = cli_run_load(r->c, r->name, r->path, index, arg.buffer_bytes, &run,
			     ret_count);

	if (n < 0)
		return n;
	n = begin(r, &run);
	if (n == 0)
		n = wait_for_end(r, &run);
	if (n == 0)
		n = end(r, &run);
	if (n == 0)
		n = save(r, &run, index, *ret_count);
	if (!run.is_open)
		run.is_open = kft_run_open(run.host, r->name, &run.run, NULL) == 0;
	int undone = run.is_open ? kft_run_reset(&run.run, &reset_err) : 0;
	if (n == 0 && undone < 0) {
		r->c->err = reset_err;
		n = undone;
	}
	kft_detached_close(&run);
	return n;
}

static int execute_all(struct running *r)
{
	size_t count = 1;
	int n = open_events(r);

	for (size_t i = 0; n == 0 && i < count && !r->interrupted; i++)
		n = execute(r, i, &count);
	return n;
}

static int status_of(const struct running *r, int n)
{
	if (n < 0)
		return cli_command_failure(r->has_command, r->not_executed, n);
	return r->has_command ? kft_command_exit_code(&r->command) : CLI_OK;
}

static void wait_for_command(struct running *r)
{
	while (!r->interrupted && !kft_command_ended(&r->command)) {
		struct epoll_event ev;

		(void)epoll_wait(r->events_fd, &ev, 1, 200);
		r->interrupted = kft_interrupt_take(&r->interrupt) != 0;
	}
}

static int prepare_command(struct running *r, int argc, char **argv)
{
	/* For exec: options were removed from argv, which may no longer end with NULL. */
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));

	if (!copy)
		return kft_err_memory(&r->c->err);
	memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	int n = cli_command_fork(r->c, copy, &r->command);
	r->not_executed = n < 0;
	free(copy);
	return n;
}

/* Shows the plans of all runs of the file. */
static int dry_run(struct cli *c, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	int n = cli_config_read(c, path, &text, &config);
	struct kft_plan *plans = n < 0 ? NULL : calloc(config.runs.len, sizeof(*plans));
	int status = CLI_FAILED;

	if (n == 0 && !plans)
		n = kft_err_memory(&c->err);
	for (size_t i = 0; n == 0 && i < config.runs.len; i++)
		n = kft_run_config_lower(&config.runs.data[i], &plans[i], &c->err);
	if (n == 0)
		status = cli_dry_run(c, arg.format, plans, config.runs.len, true, NULL);
	for (size_t i = 0; plans && i < config.runs.len; i++)
		kft_plan_finish(&plans[i]);
	free(plans);
	return status;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct running r = {
		.c = c,
		.command = {.go_fd = -1, .error_fd = -1, .pid_fd = -1},
		.interrupt = {.fd = -1},
		.events_fd = -1,
		.has_command = argc > 1,
	};
	int n = 0;

	if (!argc) {
		(void)kft_err_set(&c->err, -EINVAL, "expected a configuration");
		return CLI_USAGE;
	}
	if (arg.dry_run)
		return dry_run(c, argv[0]);
	r.path = argv[0];
	if (arg.name)
		(void)snprintf(r.name, sizeof(r.name), "%s", arg.name);
	else
		(void)snprintf(r.name, sizeof(r.name), "run-%ld", (long)getpid());
	if (r.has_command)
		n = prepare_command(&r, argc - 1, argv + 1);
	if (n == 0)
		n = execute_all(&r);
	if (n == 0 && r.has_command)
		wait_for_command(&r);
	int status = status_of(&r, n);
	cli_command_end(&r.command, &r.interrupt);
	kft_interrupt_close(&r.interrupt);
	kft_closep(&r.events_fd);
	return status;
}

const struct cli_verb cli_verb_run = {
	.name = "run",
	.group = CLI_GROUP_KFT,
	.summary = "execute the runs of a KFT configuration and save their traces",
	.operands = "FILE [-- COMMAND [ARGUMENT...]]",
	.about =
		"Loads, primes and starts each run of FILE (kft.conf(5)), waits until it "
		"is complete, saves it, and leaves the kernel as it was. COMMAND is "
		"started as soon as the first run is primed; its exit status is passed "
		"on. A run without a stop trigger, or with autorepeat, ends with COMMAND. "
		"Ctrl-C ends a run.",
	.opts = opts,
	.max_operands = -1,
	.run = run,
};
