// SPDX-License-Identifier: GPL-2.0-only
/* Runs a verb of the command line. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mapped.h"
#include "cli/complete.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/record_first.h"
#include "cli/verb.h"

/*
 * Opens closed descriptors 0 to 2, as the next opened file would take such a number and
 * receive output. The replacements fail when they are used.
 */
static void fill_standard_fds(void)
{
	static const int unusable[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", unusable[fd]) < 0)
			_exit(CLI_FAILED);
}

/* No verb writes into a file that it reads, wherever its output goes. */
static int check_standard_output(const struct cli_verb *verb, int argc, char **argv,
				 struct kft_err *e)
{
	bool is_named = false;
	int r = 0;

	for (int i = 0; verb->input && i < argc && r == 0; i++) {
		if (!cli_input_is(argv[i]))
			continue;
		is_named = true;
		r = cli_output_is_apart(argv[i], e);
	}
	return is_named || !verb->input ? r : cli_output_is_apart(verb->input, e);
}

/* Cuts "-- COMMAND" off the arguments of a verb that takes it. */
static void cut_command(const struct cli_verb *verb, int *argc, char **argv)
{
	for (int i = 0; verb->takes_command && i < *argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			*argc = i;
			cli_first.command = argv + i + 1;
		}
}

static int run_verb(struct cli *c, const struct cli_verb *verb, int argc, char **argv)
{
	int n = 0;

	cut_command(verb, &argc, argv);
	int r = kft_opt_parse(verb->opts, verb->opt_flags, argc, argv, &n, &c->err);
	if (r == KFT_OPT_HELP) {
		cli_verb_help(verb, &c->out.sb);
		return CLI_OK;
	}
	if (r >= 0 && verb->max_operands >= 0 && n > verb->max_operands)
		r = kft_err_set(&c->err, -EINVAL, "unexpected argument '%s'",
				argv[verb->max_operands]);
	if (r < 0) {
		if (!c->err.hint[0])
			kft_err_hint(&c->err, "`kft %s --help` lists the options",
				     verb->name);
		return r == -ENOMEM ? CLI_FAILED : CLI_USAGE;
	}
	if (check_standard_output(verb, n, argv, &c->err) < 0)
		return CLI_FAILED;
	int recorded = cli_record_first(c, argv, n);
	if (recorded != CLI_OK)
		return recorded;
	if (verb->is_paged)
		cli_pager_prepare(&c->out);
	return verb->run(c, n, argv);
}

static int run(struct cli *c, int argc, char **argv)
{
	if (!argc) {
		cli_short_usage();
		return CLI_USAGE;
	}
	if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
		kft_strbuf_adds(&c->out.sb, "kft " KFT_VERSION "\n");
		return CLI_OK;
	}
	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
		cli_general_help(&c->out.sb);
		return CLI_OK;
	}
	if (HAVE_COMPLETION && strcmp(argv[0], CLI_COMPLETE_VERB) == 0)
		return cli_complete(c, argc - 1, argv + 1);
	const struct cli_verb *verb = cli_verb_find(argv[0]);
	if (!verb)
		return cli_verb_unknown(c, argv[0]);
	return run_verb(c, verb, argc - 1, argv + 1);
}

/* The output's reader is gone: kft ends like any program, without a message. */
static void die_of_sigpipe(void)
{
	(void)signal(SIGPIPE, SIG_DFL);
	(void)raise(SIGPIPE);
}

/* If a file is truncated while it is read, the missing part counts as damage. */
static void on_sigbus(int sig, siginfo_t *info, void *context)
{
	if (kft_mapped_fault(info->si_addr))
		return;
	/* The instruction is repeated with the default action. */
	(void)signal(sig, SIG_DFL);
}

static void survive_short_files(void)
{
	struct sigaction sa = {.sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO};

	(void)sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGBUS, &sa, NULL);
}

static int finish_output(struct cli_out *out)
{
	int r = cli_out_flush(out);

	/*
	 * Catches errors of stdio's buffer, and of file systems that
	 * report errors at close.
	 */
	if (!r && fflush(stdout) != 0)
		r = -errno;
	return r;
}

/* Errors are printed after the output, also if a pager shows both. */
static int finish_pager(struct cli *c, int status)
{
	if (c->err.code)
		cli_print_err(&c->err);
	cli_pager_end(&c->out);
	return status;
}

int main(int argc, char **argv)
{
	struct cli c = {.out.fd = STDOUT_FILENO};

	fill_standard_fds();
	/*
	 * A recording must survive the exit of its output's reader; write
	 * errors are still reported.
	 */
	c.sigpipe = signal(SIGPIPE, SIG_IGN);
	/* A file that exceeds ulimit -f is handled like a full disk. */
	c.sigxfsz = signal(SIGXFSZ, SIG_IGN);
	survive_short_files();
	c.out.width = cli_terminal_width(c.out.fd);
	int status = run(&c, argc - (argc > 0), argv + (argc > 0));
	int r = finish_output(&c.out);
	kft_strbuf_finish(&c.out.sb);
	/* Quitting the pager early is not an error. */
	if (cli_pager_is_there() && (!r || r == -EPIPE))
		return finish_pager(&c, r ? CLI_OK : status);
	if (!r && close(c.out.fd) < 0)
		r = -errno;
	if (r == -EPIPE)
		die_of_sigpipe();
	if (c.err.code)
		cli_print_err(&c.err);
	if (r < 0) {
		(void)kft_err_sys(&c.err, r, "cannot write standard output");
		cli_print_err(&c.err);
		return status ? status : CLI_FAILED;
	}
	return status;
}
