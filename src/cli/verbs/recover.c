// SPDX-License-Identifier: GPL-2.0-only
/* `kft recover`: completes the trace of a recorder that was killed. */
#include <limits.h>

#include "base/err.h"
#include "base/units.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/record_detached.h"
#include "file/tracedat/read/recover.h"
#include "session/crash.h"
#include "session/flight.h"

static struct {
	const char *output;
	bool crash;
	bool compress;
	bool plain;
	int file_version;
} arg;

static const char *const versions[] = {"7", "6", NULL};

static const struct kft_opt opts[] = {
	{'o', "output", "FILE", "write the trace to FILE and leave the source as it is",
	 KFT_OPT_STRING, &arg.output},
	{0, "crash", NULL,
	 "write the events that a flight recorder had when the kernel crashed, see kft "
	 "flight persist; FILE is the session's name then (" CLI_FLIGHT_NAME ")",
	 KFT_OPT_FLAG, &arg.crash},
	{0, "compress", NULL, "compress the trace with zstd", KFT_OPT_FLAG,
	 &arg.compress},
	{0, "no-compress", NULL, "compress nothing", KFT_OPT_FLAG, &arg.plain},
	{0, "file-version", "VERSION", "version of trace.dat, 7 or 6 (7)", KFT_OPT_ENUM,
	 &arg.file_version, versions},
	{},
};

static void say(struct cli *c, const char *path,
		const struct kft_tracedat_recovered *recovered)
{
	struct kft_strbuf *sb = &c->out.sb;

	kft_strbuf_add_escaped(sb, path, strlen(path));
	kft_strbuf_adds(sb, ": ");
	kft_strbuf_add_bytes(sb, recovered->bytes);
	kft_strbuf_adds(sb, " written\n");
}

static int recover_crash(struct cli *c, const char *session)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	struct kft_tracedat_recovered recovered = {};
	const char *output = arg.output;
	char file[PATH_MAX];
	int r = kft_host_open(NULL, &host, &c->err);

	if (r == 0 && !output) {
		r = kft_flight_file(".", session, "crash", file, sizeof(file));
		output = file + strlen("./");
	}
	if (r == 0)
		r = kft_crash_recover(host, session, output, &cli_run_notify, &recovered,
				      &c->err);
	if (r < 0)
		return CLI_FAILED;
	say(c, output, &recovered);
	return CLI_OK;
}

static int run(struct cli *c, int argc, char **argv)
{
	if (arg.crash)
		return recover_crash(c, argc ? argv[0] : CLI_FLIGHT_NAME);

	const char *in = cli_input_path(argc, argv);
	const unsigned int version = arg.file_version == 1 ? 6 : 7;
	const struct kft_tracedat_opts file_opts = {
		.file_version = version,
		.compress = kft_tracedat_choose_compress(arg.compress, arg.plain,
							 version),
	};
	struct kft_tracedat_recovered recovered = {};

	if (arg.output && cli_output_differs(arg.output, in, &c->err) < 0)
		return CLI_FAILED;
	if (kft_tracedat_recover(in, arg.output, &file_opts, &recovered, &c->err) < 0)
		return CLI_FAILED;
	say(c, arg.output ? arg.output : in, &recovered);
	if (!recovered.damage_count)
		return CLI_OK;
	c->err = recovered.damage;
	(void)kft_err_wrap(&c->err, c->err.code,
			   "%llu damaged places of '%s' are missing, the first",
			   (unsigned long long)recovered.damage_count, in);
	return CLI_DAMAGED;
}

const struct cli_verb cli_verb_recover = {
	.name = "recover",
	.group = CLI_GROUP_READ,
	.summary = "make a complete trace of an interrupted recording",
	.operands = "[FILE]",
	.about = "A recorder that was killed leaves FILE and FILE.parts: this makes one "
		 "trace.dat of them, in place or with -o elsewhere. A finished trace is "
		 "written again with the options given.",
	.opts = opts,
	.max_operands = 1,
	.input = CLI_TRACE_DEFAULT,
	.run = run,
};
