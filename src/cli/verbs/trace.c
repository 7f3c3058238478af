// SPDX-License-Identifier: GPL-2.0-only
/* `kft trace`: shows the system calls and signals of programs, as strace(1) does. */
#include "cli/trace_output.h"
#include "cli/verb.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/units.h"
#include "ptrace/follow.h"
#include "strace/lines.h"
#include "strace/paths.h"

#define COLUMN	     40
#define STRING_BYTES 32

/* Counts of letters that may be repeated. */
static unsigned int follow, times, hex, quiet, fds;

static struct {
	struct kft_opt_strings pids;
	struct kft_opt_strings expressions;
	struct kft_opt_strings paths;
	const char *output;
	bool ptrace, relative, durations, verbose, counts, counts_too, wall, ok_only,
		failed_only;
	bool skip_calls, no_new_privs;
	uint64_t string_bytes;
	uint64_t column;
	int sort;
} arg = {.string_bytes = STRING_BYTES, .column = COLUMN};

static const char *const sorts[] = {"time",	"calls",   "errors", "name",
				    "avg-time", "nothing", NULL};

static int count(const struct kft_opt *opt, const char *text, struct kft_err *e)
{
	++*(unsigned int *)opt->value;
	return 0;
}

static const struct kft_opt opts[] = {
	{'p', "attach", "PID", "follow a running task; may be given several times",
	 KFT_OPT_STRINGS, &arg.pids},
	{'f', "follow-forks", NULL,
	 "follow new threads and children, too; -ff: with -o, each in a file of its own, OUT.PID",
	 KFT_OPT_CALLBACK, &follow, .parse = count},
	{'o', "output", "OUT", "write the lines to a file instead of standard error",
	 KFT_OPT_STRING, &arg.output},
	{'e', "expr", "EXPR",
	 "show only some: trace=CALL,%GROUP,/PATTERN; signal=NAME; status=successful, failed, "
	 "unfinished, detached; !: all others. Without a name it is trace=",
	 KFT_OPT_STRINGS, &arg.expressions},
	{'P', "trace-path", "PATH", "only calls on this path; may be given several times",
	 KFT_OPT_STRINGS, &arg.paths},
	{'z', "successful-only", NULL, "only calls that succeed", KFT_OPT_FLAG,
	 &arg.ok_only},
	{'Z', "failed-only", NULL, "only calls that fail", KFT_OPT_FLAG,
	 &arg.failed_only},
	{'s', "string-limit", "BYTES", "show up to so many bytes of strings (32)",
	 KFT_OPT_U64, &arg.string_bytes},
	{'v', "no-abbrev", NULL, "show all members of structures and elements of arrays",
	 KFT_OPT_FLAG, &arg.verbose},
	{'x', "strings-in-hex", NULL,
	 "show strings that are no text in hexadecimal; -xx: all strings",
	 KFT_OPT_CALLBACK, &hex, .parse = count},
	{'y', "decode-fds", NULL,
	 "show the paths of descriptors; -yy: also addresses of sockets and numbers of devices",
	 KFT_OPT_CALLBACK, &fds, .parse = count},
	{'t', "absolute-timestamps", NULL,
	 "begin lines with the time of day; -tt: with microseconds; -ttt: in seconds since 1970",
	 KFT_OPT_CALLBACK, &times, .parse = count},
	{'r', "relative-timestamps", NULL, "begin lines with the time since the last one",
	 KFT_OPT_FLAG, &arg.relative},
	{'T', "syscall-times", NULL, "show the time that each call took", KFT_OPT_FLAG,
	 &arg.durations},
	{'c', "summary-only", NULL,
	 "count calls, errors and time instead of showing lines", KFT_OPT_FLAG,
	 &arg.counts},
	{'C', "summary", NULL, "show the lines, and the counts at the end", KFT_OPT_FLAG,
	 &arg.counts_too},
	{'w', "summary-wall-clock", NULL,
	 "count the time from entry to exit instead of the time in the kernel",
	 KFT_OPT_FLAG, &arg.wall},
	{'S', "summary-sort-by", "COLUMN",
	 "sort the counts by time, calls, errors, name, "
	 "avg-time or nothing",
	 KFT_OPT_ENUM, &arg.sort, sorts},
	{'a', "columns", "COLUMN", "column of the results (40)", KFT_OPT_U64,
	 &arg.column},
	{'q', "quiet", NULL, "-qq: do not show the ends of tasks", KFT_OPT_CALLBACK,
	 &quiet, .parse = count},
	{0, "color", "[WHEN]", "colour errors and signals: always, never or auto",
	 KFT_OPT_ENUM, &cli_colour, cli_colour_words},
	{0, "ptrace", NULL, "stop the tasks at each call: exact, and the only way so far",
	 KFT_OPT_FLAG, &arg.ptrace},
	{0, "seccomp-bpf", NULL,
	 "do not stop at calls that are not shown; needs -f and COMMAND, which ends with kft",
	 KFT_OPT_FLAG, &arg.skip_calls},
	{0, "no-new-privs", NULL,
	 "with --seccomp-bpf and without root: setuid programs have no privileges",
	 KFT_OPT_FLAG, &arg.no_new_privs},
	{},
};

static int choose(struct kft_strace_choice *c, struct kft_err *e)
{
	kft_strace_choice_init(c);
	for (size_t i = 0; i < arg.expressions.len; i++) {
		int r = kft_strace_choose(c, arg.expressions.data[i], e);

		if (r < 0)
			return r;
	}
	if (arg.ok_only)
		c->status = KFT_STRACE_SUCCESSFUL;
	if (arg.failed_only)
		c->status = KFT_STRACE_FAILED;
	c->no_exits = quiet > 1;
	return 0;
}

static int check(int argc, struct kft_err *e)
{
	if (!argc && !arg.pids.len) {
		(void)kft_err_set(e, -EINVAL, "no COMMAND and no -p PID is given");
		kft_err_hint(e, "kft trace ls shows the system calls of ls");
		return -EINVAL;
	}
	if (arg.skip_calls && (!follow || !argc || arg.pids.len))
		return kft_err_set(
			e, -EINVAL,
			"--seccomp-bpf needs -f and a COMMAND, and takes no -p: a "
			"task without a tracer would get ENOSYS");
	if (follow > 1 && !arg.output)
		follow = 1;
	if (arg.string_bytes > KFT_STRACE_STRING_MAX)
		return kft_err_set(e, -EINVAL, "invalid limit of strings %llu (up to %d)",
				   (unsigned long long)arg.string_bytes,
				   KFT_STRACE_STRING_MAX);
	return 0;
}

static void set_options(struct kft_strace_options *o, struct cli_trace_output *out)
{
	o->style = (struct kft_strace_style){
		.string_max = (size_t)arg.string_bytes,
		.hex = hex > 1 ? KFT_STRACE_HEX_ALL
		       : hex   ? KFT_STRACE_HEX_BINARY
			       : KFT_STRACE_HEX_NONE,
		.verbose = arg.verbose,
		.paths = fds > 0,
		.path = fds > 1 ? kft_strace_path_details : kft_strace_path,
	};
	o->clock = times > 2   ? KFT_STRACE_EPOCH
		   : times > 1 ? KFT_STRACE_MICROSECONDS
		   : times     ? KFT_STRACE_SECONDS
			       : KFT_STRACE_NO_CLOCK;
	o->since_last = arg.relative;
	o->durations = arg.durations;
	o->lines = !arg.counts;
	o->counts = arg.counts || arg.counts_too;
	o->counts_wall = arg.wall;
	o->colour = cli_wants_colour(out->fd) && !out->apart;
	o->tasks_apart = out->apart;
	o->pid_columns = follow && arg.output;
	o->column = (size_t)KFT_MIN(arg.column, (uint64_t)1000);
	o->paths = arg.paths.len ? arg.paths.data : NULL;
	o->write = cli_trace_output_write;
	o->arg = out;
}

static int attach_all(struct kft_ptrace *p, struct kft_err *e)
{
	for (size_t i = 0; i < arg.pids.len; i++) {
		uint64_t pid;

		if (kft_parse_u64(arg.pids.data[i], &pid) < 0 || !pid || pid > INT32_MAX)
			return kft_err_set(e, -EINVAL, "invalid pid '%s'",
					   arg.pids.data[i]);
		int r = kft_ptrace_attach(p, (pid_t)pid, e);

		if (r < 0)
			return r;
	}
	return 0;
}

static int failed_status(int r)
{
	return r == -ENOENT   ? CLI_NOT_FOUND
	       : r == -EACCES ? CLI_NOT_EXECUTABLE
			      : CLI_RECORD_FAILED;
}

static int follow_tasks(struct cli *c, int argc, char **argv,
			struct kft_strace_lines *lines, struct cli_trace_output *out)
{
	struct kft_ptrace_options o = {
		.follow = follow > 0,
		.measure = (arg.counts || arg.counts_too) && !arg.wall,
		.skip_calls = arg.skip_calls,
		.no_new_privs = arg.no_new_privs,
	};
	struct kft_traced_sink sink = kft_strace_lines_sink(lines);
	_cleanup_(kft_ptrace_destroyp) struct kft_ptrace *p = kft_ptrace_create(&o,
										&sink);
	int r = p ? attach_all(p, &c->err) : kft_err_memory(&c->err);

	if (r == 0 && argc)
		r = kft_ptrace_start(p, argv, c->sigpipe, c->sigxfsz, &c->err);
	if (r == 0)
		r = kft_ptrace_run(p, &c->err);
	if (r < 0)
		return failed_status(r);
	if (arg.counts || arg.counts_too) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

		kft_strace_summary_text(kft_strace_lines_summary(lines),
					(enum kft_strace_sort)arg.sort, &text);
		cli_trace_output_flush(out, &text);
	}
	return kft_ptrace_exit_code(p);
}

static int run(struct cli *c, int argc, char **argv)
{
	struct cli_trace_output out = {.path = arg.output, .fd = -1};
	_cleanup_free_ struct kft_strace_options *o = calloc(1, sizeof(*o));

	if (check(argc, &c->err) < 0 || !o || choose(&o->choice, &c->err) < 0)
		return CLI_USAGE;
	if (arg.paths.len && !kft_vec_push(&arg.paths, NULL))
		return CLI_RECORD_FAILED;
	argv[argc] = NULL;
	out.apart = follow > 1;
	if (cli_trace_output_open(&out, &c->err) < 0)
		return CLI_RECORD_FAILED;
	set_options(o, &out);
	_cleanup_(kft_strace_lines_destroyp) struct kft_strace_lines *lines =
		kft_strace_lines_create(o);
	int status = lines ? follow_tasks(c, argc, argv, lines, &out) : CLI_RECORD_FAILED;

	if (!c->err.code && out.error) {
		(void)kft_err_sys(&c->err, out.error, "cannot write all lines");
		status = CLI_RECORD_FAILED;
	}
	cli_trace_output_finish(&out);
	return status;
}

const struct cli_verb cli_verb_trace = {
	.name = "trace",
	.group = CLI_GROUP_RECORD,
	.summary = "show the system calls and signals of a program as they happen",
	.operands = "[--] COMMAND [ARGUMENT...]",
	.about =
		"Follows COMMAND or the tasks of -p and shows each system call with its "
		"arguments and its result on a line, as strace does, with the same letters. "
		"Needs no root for one's own programs, which stop at each call (ptrace).",
	.opts = opts,
	.opt_flags = KFT_OPT_STOP_AT_OPERAND,
	.max_operands = -1,
	.run = run,
};
