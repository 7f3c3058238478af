// SPDX-License-Identifier: GPL-2.0-only
/* `kft flight`: a recorder that is always there and keeps the last moments. */
#include "cli/verb.h"

#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "base/units.h"
#include "cli/record_detached.h"
#include "cli/record_plan.h"

static struct {
	const char *name;
	struct kft_opt_strings events;
	uint64_t keep_bytes;
	bool quiet;
} arg = {.name = CLI_FLIGHT_NAME};

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "name of the session (" CLI_FLIGHT_NAME ")", KFT_OPT_STRING,
	 &arg.name},
	{'e', "event", "EVENT[/FILTER/]",
	 "record system:event, a system or a glob, with a filter of the kernel's; can be "
	 "given several times (sched, irq and raw_syscalls)",
	 KFT_OPT_STRINGS, &arg.events},
	{0, "keep", "SIZE", "how much to keep, of all CPUs together (64M)", KFT_OPT_SIZE,
	 &arg.keep_bytes},
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

static const char *const default_events[] = {"sched", "irq", "raw_syscalls"};

#define KEEP_DEFAULT_BYTES (64U << 20)
/* Of a CPU: less would be gone before anybody could look. */
#define KEEP_MIN_BYTES (64U << 10)

static int make_plan(struct kft_plan *p, struct kft_err *e)
{
	uint64_t keep = arg.keep_bytes ? arg.keep_bytes : KEEP_DEFAULT_BYTES;
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t cpus = n > 0 ? (uint64_t)n : 1;
	int r = 0;

	for (size_t i = 0; i < arg.events.len && r >= 0; i++)
		r = cli_plan_add_events(p, arg.events.data[i], e);
	for (size_t i = 0; !arg.events.len && i < ARRAY_SIZE(default_events) && r >= 0;
	     i++)
		r = kft_plan_add_event(p, default_events[i], NULL, e);
	p->overwrite = true;
	p->buffer_bytes = KFT_MAX(keep / cpus, (uint64_t)KEEP_MIN_BYTES);
	return r;
}

static int run(struct cli *c, int argc, char **argv)
{
	struct kft_plan plan = {};
	const struct cli_detached_what what = {
		.name = arg.name, .plan = &plan, .quiet = true};

	if (argc != 1 || strcmp(argv[0], "start") != 0) {
		(void)kft_err_set(&c->err, -EINVAL, "expected 'start'");
		kft_err_hint(&c->err, "'kft reset -n %s' ends it", arg.name);
		return CLI_USAGE;
	}
	int r = make_plan(&plan, &c->err);
	int status = r == 0	    ? cli_record_detached(c, &what)
		     : r == -EINVAL ? CLI_USAGE
				    : CLI_FAILED;
	if (status == CLI_OK && !arg.quiet)
		cli_print_note(
			"session '%s' records: 'kft snapshot -n %s' writes the last "
			"moments, 'kft status' shows how long they are, "
			"'kft reset -n %s' ends it",
			arg.name, arg.name, arg.name);
	kft_plan_finish(&plan);
	kft_vec_finish(&arg.events);
	return status;
}

const struct cli_verb cli_verb_flight = {
	.name = "flight",
	.summary = "record all the time and keep the last moments",
	.operands = "start",
	.about =
		"Starts a session that lives in the kernel without a process and "
		"overwrites its oldest events. 'kft snapshot' writes the last moments to "
		"a file while it goes on.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
