// SPDX-License-Identifier: GPL-2.0-only
/* `kft record`: records events, functions and probes to a trace.dat file. */
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include <kft/session.h>

#include "base/command_line.h"
#include "base/err.h"
#include "capture/command.h"
#include "capture/interrupt.h"
#include "cli/answer.h"
#include "cli/command.h"
#include "cli/default_samples.h"
#include "cli/dry_run.h"
#include "cli/record_detached.h"
#include "cli/record_plan.h"
#include "cli/record_progress.h"
#include "cli/record_result.h"
#include "cli/record_stream.h"
#include "cli/scope.h"

/* Interval of updates of the progress line. */
#define PROGRESS_MS 200
/* Interval of checks of the limit: a disk writes some MB in this time. */
#define LIMIT_MS 20

static const char output_default[] = "trace.dat";

static struct {
	const char *output;
	struct kft_opt_strings events;
	struct kft_opt_strings sets;
	struct kft_opt_strings questions; /* of --for */
	struct cli_function_args functions;
	struct kft_opt_strings kernel_probes;
	struct kft_opt_strings user_probes;
	bool stack;
	bool user_stack;
	bool samples;
	bool no_samples; /* --sample=none */
	const char *sampled; /* argument of --sample; NULL: none was given */
	bool all;
	struct kft_opt_strings pids;
	uint64_t duration_ns;
	const char *start;
	const char *stop;
	const char *limit;
	uint64_t max_bytes;
	uint64_t max_events;
	uint64_t buffer_bytes;
	const char *clock;
	bool overwrite;
	const char *name;
	bool compress;
	bool plain;
	int file_version;
	bool quiet;
	bool detach;
	struct cli_watch_args watch;
	bool dry_run;
	int format;
} arg = {.output = output_default, .watch = CLI_WATCH_DEFAULTS};

static int parse_sample(const struct kft_opt *opt, const char *text, struct kft_err *e)
{
	arg.no_samples = text && strcmp(text, "none") == 0;
	arg.samples = !arg.no_samples;
	arg.sampled = text;
	return 0;
}

static const char *const versions[] = {"7", "6", NULL};
static const char *const times[] = {"elapsed", "cpu", NULL};

static const struct kft_opt opts[] = {
	{'o', "output", "FILE",
	 "write the trace to FILE (trace.dat); -: a stream to standard output, for "
	 "'kft report -' and its like",
	 KFT_OPT_STRING, &arg.output},
	{'e', "event", "EVENT[,EVENT][/FILTER/[stack]]",
	 "record system:event, a system or a glob, with a filter of the kernel's, with call "
	 "stacks; !EVENT: not these; can be given several times (sched, irq and raw_syscalls)",
	 KFT_OPT_STRINGS, &arg.events},
	{'s', "set", "SETS",
	 "record these sets of events: 'kft sets' lists them; can be given several times",
	 KFT_OPT_STRINGS, &arg.sets},
	{0, "for", "QUESTIONS",
	 "record the events that answers need: why, or why:KIND for 'kft why KIND', "
	 "several with commas",
	 KFT_OPT_STRINGS, &arg.questions},
	{'f', "function", "GLOBS",
	 "record calls of kernel functions with their durations; can be given several "
	 "times",
	 KFT_OPT_STRINGS, &arg.functions.calls},
	{0, "entries", "GLOBS",
	 "record entries of these functions and their callers, without durations; may be "
	 "combined with -f",
	 KFT_OPT_STRINGS, &arg.functions.entries},
	{0, "exclude", "GLOBS", "but not these functions", KFT_OPT_STRINGS,
	 &arg.functions.exclude},
	{0, "min", "TIME", "only calls that take at least TIME (100us)", KFT_OPT_DURATION,
	 &arg.functions.min_ns},
	{0, "max", "TIME", "only calls that take at most TIME; dropped at the end",
	 KFT_OPT_DURATION, &arg.functions.max_ns},
	{0, "max-depth", "N", "only calls nested at most N deep", KFT_OPT_U64,
	 &arg.functions.max_depth},
	{0, "graph-root", "FUNCTIONS", "only these functions and the calls within them",
	 KFT_OPT_STRINGS, &arg.functions.roots},
	{0, "no-irqs", NULL, "no calls in hard interrupts", KFT_OPT_FLAG,
	 &arg.functions.no_irqs},
	{0, "args", NULL, "with the functions' arguments", KFT_OPT_FLAG,
	 &arg.functions.args},
	{0, "retval", NULL, "record return values of the functions", KFT_OPT_FLAG,
	 &arg.functions.retval},
	{0, "times", "TIMES",
	 "which times of calls: elapsed, or cpu as well, for kft kd -f TL (elapsed)",
	 KFT_OPT_ENUM, &arg.functions.times, times},
	{'k', "kprobe", "FUNCTION[(ARGS)]",
	 "record where a kernel function is entered, or FUNCTION%return($retval), with "
	 "arguments by the names of the source; can be given several times",
	 KFT_OPT_STRINGS, &arg.kernel_probes},
	{'u', "uprobe", "PROGRAM:FUNCTION[(ARGS)]",
	 "the same of a program or library, FUNCTION a glob, arguments as $arg1",
	 KFT_OPT_STRINGS, &arg.user_probes},
	{0, "stack", NULL, "record the kernel's call stack with each event", KFT_OPT_FLAG,
	 &arg.stack},
	{0, "user-stack", NULL, "record the program's call stack with each event",
	 KFT_OPT_FLAG, &arg.user_stack},
	{0, "sample", "[SAMPLES]",
	 "record where tasks are, with call stacks: 997Hz or another rate of the cycles or the "
	 "clock, or EVENT, EVENT/PERIOD, EVENT/997Hz: cycles, instructions, cache-misses, "
	 "branch-misses, cpu-clock, page-faults, context-switches (997Hz); none: not even with "
	 "--for why",
	 KFT_OPT_CALLBACK, .parse = parse_sample},
	{'a', "all", NULL, "record the whole system, also with a COMMAND", KFT_OPT_FLAG,
	 &arg.all},
	{'P', "pid", "PID", "record this process and its later descendants",
	 KFT_OPT_STRINGS, &arg.pids},
	{'d', "duration", "TIME", "stop after TIME (10s, 500ms)", KFT_OPT_DURATION,
	 &arg.duration_ns},
	{0, "start", "WHEN",
	 "begin at enter:FUNCTION, exit:FUNCTION, SYSTEM:EVENT[/FILTER/], or after a time",
	 KFT_OPT_STRING, &arg.start},
	{0, "stop", "WHEN", "end at the same, or so long after the start", KFT_OPT_STRING,
	 &arg.stop},
	{0, "limit", "SIZE",
	 "stop when the trace has SIZE bytes (1G), or events (1000000ev)", KFT_OPT_STRING,
	 &arg.limit},
	{'b', "buffer-size", "SIZE", "size of the kernel's buffer of each CPU (16M)",
	 KFT_OPT_CALLBACK, &arg.buffer_bytes, .parse = cli_parse_buffer_size},
	{'C', "clock", "CLOCK", "use this trace clock", KFT_OPT_STRING, &arg.clock},
	{0, "overwrite", NULL,
	 "keep only the newest events that fit the buffers, write them at the end",
	 KFT_OPT_FLAG, &arg.overwrite},
	{'n', "name", "NAME", "name of the session, its instance is kft-NAME",
	 KFT_OPT_STRING, &arg.name},
	{0, "compress", NULL, "compress the trace with zstd", KFT_OPT_FLAG,
	 &arg.compress},
	{0, "no-compress", NULL, "compress nothing, for readers without zstd",
	 KFT_OPT_FLAG, &arg.plain},
	{0, "file-version", "VERSION", "version of trace.dat, 7 or 6 (7)", KFT_OPT_ENUM,
	 &arg.file_version, versions},
	{0, "detach", NULL,
	 "go on recording in the kernel when kft has ended; see kft status, pause, resume, "
	 "stop and save",
	 KFT_OPT_FLAG, &arg.detach},
	CLI_WATCH_OPTS(arg.watch),
	CLI_DRY_RUN_OPT(arg.dry_run),
	{'q', "quiet", NULL, "print errors and losses only", KFT_OPT_FLAG, &arg.quiet},
	{0, "format", "FORMAT",
	 "at the end, write a summary as json or csv to standard output; text is a line "
	 "on standard error (text)",
	 KFT_OPT_ENUM, &arg.format, kft_output_names},
#if HAVE_COMPLETION /* left out of a small build */
	CLI_FOREIGN_OPT('B', "-n NAME names the session, which has a buffer of its own"),
	CLI_FOREIGN_OPT('c', "-P PID includes the descendants of the process; kft stats "
			     "syscall counts system calls"),
	CLI_FOREIGN_OPT('D', "--start TIME begins so much later"),
	CLI_FOREIGN_OPT('F', "--sample=997Hz takes as many samples a second"),
	CLI_FOREIGN_OPT('g', "--stack and --user-stack record call stacks"),
	CLI_FOREIGN_OPT('l', "-f GLOBS records calls of these functions"),
	CLI_FOREIGN_OPT('m', "-b SIZE sets the size of each CPU's buffer"),
	CLI_FOREIGN_OPT('M',
			"all CPUs are recorded, and -C LIST of kft report shows some"),
	CLI_FOREIGN_OPT('N',
			"-o - writes a stream for a program that sends it: kft record "
			"-o - | ssh HOST kft report -"),
	CLI_FOREIGN_OPT('p', "-P PID records a process, -f '*' calls of all functions"),
	CLI_FOREIGN_OPT('R', "--start WHEN and --stop WHEN begin and end at an event"),
	CLI_FOREIGN_OPT('r', "the priority is that of kft: chrt -f 10 kft record"),
	CLI_FOREIGN_OPT('T', "--stack records the kernel's call stack with each event"),
	CLI_FOREIGN_OPT('t', "-P TID records a task"),
	CLI_FOREIGN_EXCLUDE_OPT,
#endif
	{},
};

static const char *const default_events[] = {"sched", "irq", "raw_syscalls"};

/* A recording and its open resources. */
struct recording {
	struct kft_plan plan;
	char **command_argv; /* borrowed; NULL: no command */
	struct kft_command command;
	struct kft_interrupt interrupt;
	struct kft_session *session;
	int stream_fd; /* owned; 0: the recording goes to a file */
	struct kft_progress progress;
	struct cli *cli; /* has the state in which kft was started */
	bool running; /* the command was released */
	bool not_executed; /* the command could not be executed */
	bool at_end; /* ended by -d, --limit or --stop */
};

static bool is_stream(void)
{
	return strcmp(arg.output, CLI_STREAM_OUTPUT) == 0;
}

/* Whether the recording is only a trial or a measurement. */
static bool is_discarded(void)
{
	return strcmp(arg.output, "/dev/null") == 0;
}

static int open_stream(int *ret_fd, struct kft_err *e)
{
	if (!is_discarded())
		return cli_record_stream_open(ret_fd, e);
	int fd = open(arg.output, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot open '%s'", arg.output);
	*ret_fd = fd;
	return 0;
}

static int check_stream(struct kft_err *e)
{
	if (is_stream() && (arg.format || arg.compress || arg.file_version))
		return kft_err_set(
			e, -EINVAL,
			"'-o -' cannot be combined with --format, --compress, "
			"--file-version: the stream is written to standard output");
	return 0;
}

static void note(void *unused, const char *text)
{
	if (arg.quiet)
		return;
	cli_record_progress_clear();
	cli_print_note("%s", text);
}

/* Exclusions alone apply to the default events. */
static bool has_event(const struct kft_plan *p)
{
	for (size_t i = 0; i < p->n_events; i++)
		if (p->events[i].pattern[0] != '!')
			return true;
	return false;
}

static int make_plan(struct recording *rec, struct kft_err *e)
{
	const struct kft_notify notify = {.note = note};
	struct kft_plan *p = &rec->plan;
	int r = cli_plan_add_sets(p, &arg.sets, &notify, e);

	for (size_t i = 0; i < arg.events.len && r >= 0; i++)
		r = cli_plan_add_events(p, arg.events.data[i], e);
	for (size_t i = 0; i < arg.kernel_probes.len && r >= 0; i++)
		r = cli_plan_add_probe(p, false, arg.kernel_probes.data[i], e);
	for (size_t i = 0; i < arg.user_probes.len && r >= 0; i++)
		r = cli_plan_add_probe(p, true, arg.user_probes.data[i], e);
	p->stack = arg.stack;
	p->user_stack = arg.user_stack;
	if (r >= 0)
		r = cli_plan_set_functions(p, &arg.functions, e);
	for (size_t i = 0; i < arg.questions.len && r >= 0; i++)
		r = kft_plan_add_for(p, arg.questions.data[i], e);
	/* The reason why a task waits is often found in other tasks. */
	arg.all |= arg.questions.len > 0;
	if (r >= 0 && arg.samples)
		r = kft_plan_set_samples(p, arg.sampled, e);
	bool is_empty = !has_event(p) && !p->functions.enabled && !p->n_probes &&
			!p->samples.enabled;

	for (size_t i = 0; is_empty && i < ARRAY_SIZE(default_events) && r >= 0; i++)
		r = kft_plan_add_event(p, default_events[i], NULL, e);
	for (size_t i = 0; i < arg.pids.len && r >= 0; i++)
		r = cli_plan_add_pid(p, arg.pids.data[i], e);
	if (r >= 0 && arg.start)
		r = cli_plan_set_trigger(&p->start, arg.start, true, e);
	if (r >= 0 && arg.stop)
		r = cli_plan_set_trigger(&p->stop, arg.stop, false, e);
	if (r >= 0 && arg.limit)
		r = cli_parse_limit(arg.limit, &arg.max_bytes, &arg.max_events, e);
	if (r >= 0 && arg.name)
		r = kft_plan_set_name(p, arg.name, e);
	if (r >= 0 && arg.clock)
		r = kft_plan_set_clock(p, arg.clock, e);
	if (r >= 0 && arg.all && arg.pids.len)
		r = kft_err_set(e, -EINVAL,
				"-a records the whole system, -P only some of it");
	p->buffer_bytes = arg.buffer_bytes;
	p->overwrite = arg.overwrite;
	p->follow_children = true;
	if (r >= 0 && !arg.samples && !arg.no_samples && !arg.detach && !is_stream() &&
	    !is_discarded())
		r = cli_add_default_samples(p, &arg.questions, arg.dry_run, e);
	return r;
}

/*
 * The command is forked first: it inherits the settings of kft's caller, not those that
 * kft makes for itself. Its pid is then added to the plan.
 */
static int prepare_command(struct recording *rec, struct kft_err *e)
{
	if (!rec->command_argv)
		return 0;
	int r = cli_command_fork(rec->cli, rec->command_argv, &rec->command);
	rec->not_executed = r < 0;
	if (r < 0 || arg.all)
		return r;
	return kft_plan_add_pid(&rec->plan, rec->command.pid, e);
}

static int open_session(struct recording *rec, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};

	kft_add_command_line(&line);
	const struct kft_session_opts session_opts = {
		.size = sizeof(session_opts),
		.output = rec->stream_fd ? NULL : arg.output,
		.stream_fd = rec->stream_fd,
		.command_line = kft_strbuf_cstr(&line),
		.notify = {.note = note},
		.file_version = arg.file_version == 1 ? 6 : 7,
		.compress = arg.compress,
		.plain = arg.plain,
		.drop_privileges = true,
	};
	return kft_session_open(&rec->plan, &session_opts, &rec->session, e);
}

static int start(struct recording *rec, struct kft_err *e)
{
	int r = kft_session_start(rec->session, e);

	if (r < 0 || !rec->command_argv)
		return r;
	r = kft_command_release(&rec->command, e);
	rec->running = r >= 0;
	rec->not_executed = r < 0;
	return r;
}

/* Whether the stop, the time limit or the limit of the size was reached. */
static bool is_at_end(const struct kft_progress *p)
{
	return p->over || (arg.duration_ns && p->elapsed_ns >= arg.duration_ns) ||
	       (arg.max_bytes && p->bytes >= arg.max_bytes) ||
	       (arg.max_events && p->events >= arg.max_events);
}

/* Time until the next action, -1 for never. */
static int timeout_ms(const struct kft_progress *p, bool show)
{
	int ms = arg.limit ? LIMIT_MS : show ? PROGRESS_MS : -1;

	if (!arg.duration_ns)
		return ms;
	if (p->elapsed_ns >= arg.duration_ns)
		return 0;
	uint64_t left_ms = (arg.duration_ns - p->elapsed_ns + 999999) / 1000000;
	return left_ms < (uint64_t)(ms < 0 ? INT32_MAX : ms) ? (int)left_ms : ms;
}

/* Waits for the command's end, the time limit or a signal. */
static int wait_for_end(struct recording *rec, struct kft_err *e)
{
	bool show = !arg.quiet && isatty(STDERR_FILENO);
	struct pollfd fds[] = {
		{.fd = rec->interrupt.fd, .events = POLLIN},
		{.fd = rec->command_argv ? rec->command.pid_fd : -1, .events = POLLIN},
	};
	/* A kernel without pidfds has to be polled. */
	bool look = rec->command_argv && rec->command.pid_fd < 0;

	for (;;) {
		(void)kft_session_progress(rec->session, &rec->progress);
		if (is_at_end(&rec->progress)) {
			rec->at_end = true;
			return 0;
		}
		if (show)
			cli_record_progress(&rec->progress);
		int r = kft_session_wait(rec->session, fds, ARRAY_SIZE(fds),
					 timeout_ms(&rec->progress, show || look), e);
		if (r < 0 && r != -EINTR)
			return r;
		if (kft_interrupt_take(&rec->interrupt) ||
		    (rec->command_argv && kft_command_ended(&rec->command)))
			return 0;
	}
}

static int record(struct recording *rec, struct kft_err *e)
{
	int r = is_stream() || is_discarded() ? open_stream(&rec->stream_fd, e) : 0;

	if (r >= 0)
		r = prepare_command(rec, e);
	if (r >= 0)
		r = kft_interrupt_open(&rec->interrupt, e);
	if (r >= 0)
		r = open_session(rec, e);
	if (r < 0)
		return r;
	r = start(rec, e);
	/* The stop reports the same error that made waiting fail. */
	if (r >= 0)
		r = wait_for_end(rec, e);
	else if (!rec->not_executed)
		return r;
	cli_record_progress_clear();
	int stopped = kft_session_stop(rec->session, rec->not_executed ? NULL : e);
	(void)kft_session_progress(rec->session, &rec->progress);
	return r < 0 && (rec->not_executed || stopped >= 0) ? r : stopped;
}

static void free_plan(struct recording *rec)
{
	kft_plan_finish(&rec->plan);
	kft_vec_finish(&arg.events);
	kft_vec_finish(&arg.sets);
	kft_vec_finish(&arg.questions);
	kft_vec_finish(&arg.functions.calls);
	kft_vec_finish(&arg.functions.entries);
	kft_vec_finish(&arg.functions.exclude);
	kft_vec_finish(&arg.functions.roots);
	kft_vec_finish(&arg.kernel_probes);
	kft_vec_finish(&arg.watch.on);
	kft_vec_finish(&arg.user_probes);
	kft_vec_finish(&arg.pids);
}

/* Removes kft's state from the kernel; the trace is final then. */
static void end_recording(struct recording *rec, int *result, struct kft_err *e)
{
	struct kft_err close_err = {};
	int r = kft_session_close(rec->session, &close_err);

	if (r < 0 && *result >= 0) {
		*result = r;
		*e = close_err;
	}
	if (rec->stream_fd)
		(void)close(rec->stream_fd);
	free_plan(rec);
}

/* The result for programs is printed after the command's output. */
static int answer(struct cli *c, const struct recording *rec)
{
	_cleanup_(kft_result_finish) struct kft_result result = {};

	cli_record_result(arg.output, &rec->progress, &result);
	return cli_answer(c, arg.format, true, &result);
}

/* Prints the summary before waiting for the command, which may take long. */
static void tell(struct recording *rec, int result, struct kft_err *e)
{
	if (result >= 0 && arg.format != KFT_OUTPUT_text)
		return;
	if (result >= 0) {
		cli_record_summary(rec->stream_fd ? NULL : arg.output, &rec->progress,
				   arg.quiet);
	} else if (rec->running && !kft_command_ended(&rec->command)) {
		cli_print_err(e);
		*e = (struct kft_err){};
		cli_print_note("the command goes on, it is not recorded any more");
	}
}

/* Without a note, kft would seem to record until the command ends. */
static void tell_wait(struct recording *rec)
{
	if (!arg.quiet && !kft_command_ended(&rec->command))
		cli_print_note("the recording is complete; kft waits until the command "
			       "ends, and a signal to kft ends the command");
}

/*
 * A time limit or a failed recording does not end the command: only a signal to kft does.
 */
static void end_command(struct recording *rec, int result)
{
	struct pollfd fds[] = {
		{.fd = rec->interrupt.fd, .events = POLLIN},
		{.fd = rec->command.pid_fd, .events = POLLIN},
	};
	int ms = rec->command.pid_fd < 0 ? PROGRESS_MS : -1;

	/* After a failure, the user already knows that the command continues. */
	if (rec->running && rec->at_end && result >= 0)
		tell_wait(rec);
	if (rec->running && (rec->at_end || result < 0))
		while (!kft_command_ended(&rec->command) &&
		       !kft_interrupt_take(&rec->interrupt))
			(void)poll(fds, ARRAY_SIZE(fds), ms);
	cli_command_end(&rec->command, &rec->interrupt);
	kft_interrupt_close(&rec->interrupt);
}

/* For exec: options were removed from argv, which may no longer end with NULL. */
static char **copy_argv(int argc, char **argv)
{
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));

	if (copy)
		memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	return copy;
}

/* Checks for options that need the recording process. */
static int check_detached(const struct recording *rec, struct kft_err *e)
{
	if (arg.duration_ns && (arg.start || arg.stop)) {
		(void)kft_err_set(e, -EINVAL,
				  "-d with --start or --stop cannot be combined with "
				  "--detach");
		kft_err_hint(e, "'--stop TIME' ends it so long after its start");
		return -EINVAL;
	}
	const struct {
		bool given;
		const char *text;
		bool is_of_file; /* an option for the file that is written at the end */
	} options[] = {
		{rec->command_argv, "a COMMAND"},
		{arg.functions.max_ns, "--max"},
		{arg.limit && arg.overwrite, "--limit with --overwrite"},
		{arg.overwrite && arg.output != output_default, "-o with --overwrite",
		 true},
		{arg.compress, "--compress", true},
		{arg.plain, "--no-compress", true},
		{arg.file_version, "--file-version", true},
		{arg.format, "--format", true},
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if (!options[i].given)
			continue;
		(void)kft_err_set(e, -EINVAL, "%s cannot be combined with --detach",
				  options[i].text);
		if (options[i].is_of_file)
			kft_err_hint(e, "without -o the records stay in the kernel until "
					"'kft stop', and 'kft save -o FILE' writes them");
		return -EINVAL;
	}
	return 0;
}

static int detach(struct cli *c, struct recording *rec)
{
	const struct cli_detached_what what = {
		.name = arg.name,
		.plan = &rec->plan,
		.keeping = {.output = arg.output == output_default ? NULL : arg.output,
			    .max_bytes = arg.max_bytes,
			    .max_events = arg.max_events},
		.watch = &arg.watch,
		.quiet = arg.quiet,
	};
	int r = check_detached(rec, &c->err);

	if (r == 0 && arg.duration_ns)
		rec->plan.stop = (struct kft_plan_trigger){.kind = KFT_TRIGGER_TIME,
							   .time_ns = arg.duration_ns};
	int status = r < 0 ? CLI_USAGE : cli_record_detached(c, &what);

	free_plan(rec);
	return status;
}

/* The pid of this process replaces that of the command, which is not started. */
static int dry_run(struct cli *c, struct recording *rec)
{
	int r = rec->command_argv && !arg.all
			? kft_plan_add_pid(&rec->plan, getpid(), &c->err)
			: 0;
	int status = r < 0 ? CLI_FAILED
			   : cli_dry_run(c, arg.format, &rec->plan, 1, arg.detach,
					 &arg.watch);

	free_plan(rec);
	return status;
}

static int run(struct cli *c, int argc, char **argv)
{
	_cleanup_free_ char **command_argv = argc ? copy_argv(argc, argv) : NULL;
	if (argc && !command_argv)
		return kft_err_memory(&c->err), CLI_RECORD_FAILED;
	struct recording rec = {
		.plan = {.size = sizeof(rec.plan)},
		.progress = {.size = sizeof(rec.progress)},
		.command_argv = command_argv,
		.cli = c,
		.command = {.go_fd = -1, .error_fd = -1, .pid_fd = -1},
		.interrupt = {.fd = -1},
	};
	int r = check_stream(&c->err);
	if (r >= 0)
		r = make_plan(&rec, &c->err);
	if (r >= 0 && arg.dry_run)
		return dry_run(c, &rec);
	if (r >= 0 && arg.watch.on.len && !arg.detach)
		r = kft_err_set(&c->err, -EINVAL, "--on needs --detach");
	if (r >= 0 && arg.detach)
		return detach(c, &rec);
	if (r < 0) {
		kft_plan_finish(&rec.plan);
		return r == -EINVAL ? CLI_USAGE : CLI_FAILED;
	}
	r = record(&rec, &c->err);
	end_recording(&rec, &r, &c->err);
	tell(&rec, r, &c->err);
	end_command(&rec, r);
	/* The output's reader is gone: ends like any other program. */
	if (r == -EPIPE && rec.stream_fd)
		c->out.error = r;
	if (r < 0)
		return cli_command_failure(rec.command_argv, rec.not_executed, r);
	/* A failed attempt may have left its error before another one succeeded. */
	c->err = (struct kft_err){};
	int answered = arg.format == KFT_OUTPUT_text ? CLI_OK : answer(c, &rec);
	if (answered != CLI_OK || !cli_record_is_whole(&rec.progress))
		return argc ? CLI_RECORD_FAILED : CLI_FAILED;
	return argc ? kft_command_exit_code(&rec.command) : CLI_OK;
}

const struct cli_verb cli_verb_record = {
	.name = "record",
	.group = CLI_GROUP_RECORD,
	.summary = "record events, functions and probes of the running kernel",
	.operands = "[-- COMMAND [ARGUMENT...]]",
	.about = "Records until COMMAND ends, the time is over, or Ctrl-C. With COMMAND "
		 "only that program and its descendants are recorded, unless "
		 "-a is given; its exit status is passed on.",
	.opts = opts,
	.opt_flags = KFT_OPT_STOP_AT_OPERAND,
	.max_operands = -1,
	.run = run,
};
