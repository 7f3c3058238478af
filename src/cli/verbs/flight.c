// SPDX-License-Identifier: GPL-2.0-only
/* `kft flight`: a flight recorder, which always runs and keeps the most recent events. */
#include "cli/verb.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/units.h"
#include "cli/answer.h"
#include "cli/dry_run.h"
#include "cli/flight_persist.h"
#include "cli/record_detached.h"
#include "cli/record_plan.h"
#include "session/flight.h"

static struct {
	const char *name;
	struct kft_opt_strings events;
	struct kft_opt_strings sets;
	const char *keep;
	uint64_t keep_bytes;
	uint64_t keep_ns;
	const char *max_cost;
	uint64_t max_cost_ppm;
	const char *to;
	struct cli_watch_args watch;
	bool install;
	bool remove;
	const char *parameters;
	const char *root;
	bool quiet;
	bool dry_run;
	int format;
} arg = {.name = CLI_FLIGHT_NAME, .to = KFT_FLIGHT_DIR, .watch = CLI_WATCH_DEFAULTS};

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "name of the session (" CLI_FLIGHT_NAME ")", KFT_OPT_STRING,
	 &arg.name},
	{'e', "event", "EVENT[,EVENT][/FILTER/]",
	 "record system:event, a system or a glob, with a filter of the kernel's; can be "
	 "given several times (sched, irq and raw_syscalls)",
	 KFT_OPT_STRINGS, &arg.events},
	{'s', "set", "SETS",
	 "record these sets of events: 'kft sets' lists them; can be given several times",
	 KFT_OPT_STRINGS, &arg.sets},
	{0, "keep", "SIZE|TIME",
	 "how much to keep, of all CPUs together (64M), or for how long (30s)",
	 KFT_OPT_STRING, &arg.keep},
	{0, "max-cost", "PERCENT",
	 "limit for the cost of recording, as a share of one CPU (2%): above it the most "
	 "frequent events are left out",
	 KFT_OPT_STRING, &arg.max_cost},
	CLI_DRY_RUN_OPT(arg.dry_run),
	CLI_FORMAT_OPT(arg.format),
	{0, "to", "DIR",
	 "where snapshots of conditions and of SIGUSR1 go (" KFT_FLIGHT_DIR ")",
	 KFT_OPT_STRING, &arg.to},
	CLI_WATCH_OPTS(arg.watch),
	{0, "install", NULL,
	 "with persist: write the parameters where GRUB finds them for the next boots",
	 KFT_OPT_FLAG, &arg.install},
	{0, "parameters", "FILE", "with --install, write them to FILE and not for GRUB",
	 KFT_OPT_STRING, &arg.parameters},
	{0, "remove", NULL, "with persist: undo --install", KFT_OPT_FLAG, &arg.remove},
	{0, "root", "DIR", "install below DIR, or remove from there", KFT_OPT_STRING,
	 &arg.root},
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

static const char *const default_events[] = {"sched", "irq", "raw_syscalls"};

#define KEEP_DEFAULT_BYTES (64U << 20)
#define KEEP_FIRST_BYTES   (4U << 20)
/* Per CPU: a smaller buffer would be overwritten before a snapshot could be taken. */
#define KEEP_MIN_BYTES (64U << 10)

/* Parses "64M", or "30s"; a time needs a unit. */
static int parse_keep(struct kft_err *e)
{
	if (!arg.keep)
		return 0;
	bool has_unit = *arg.keep && strchr("smh", arg.keep[strlen(arg.keep) - 1]);

	if ((has_unit ? kft_parse_duration(arg.keep, 1000000000, &arg.keep_ns)
		      : kft_parse_size(arg.keep, &arg.keep_bytes)) == 0)
		return 0;
	return kft_err_set(e, -EINVAL, "neither a size nor a time: '%s'", arg.keep);
}

/* Parses "2%" or "0.5%" of one CPU. */
static int parse_max_cost(struct kft_err *e)
{
	if (!arg.max_cost || (kft_parse_percent(arg.max_cost, &arg.max_cost_ppm) == 0 &&
			      arg.max_cost_ppm >= 100 && arg.max_cost_ppm <= 1000000))
		return 0;
	return kft_err_set(e, -EINVAL, "not a part of a CPU, from 0.01%% to 100%%: '%s'",
			   arg.max_cost);
}

/* The kernel does not count calls of functions individually. */
static int check_max_cost(const struct kft_plan *p, struct kft_err *e)
{
	if (!arg.max_cost || !p->functions.enabled)
		return 0;
	return kft_err_set(e, -EINVAL,
			   "--max-cost is for events, and these sets have functions");
}

/* Initial size per CPU; the buffers for a time grow from there. */
static uint64_t buffer_bytes(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t cpus = n > 0 ? (uint64_t)n : 1;
	uint64_t all = arg.keep_bytes ? arg.keep_bytes
		       : arg.keep_ns  ? KEEP_FIRST_BYTES
				      : KEEP_DEFAULT_BYTES;

	return KFT_MAX(all / cpus, (uint64_t)KEEP_MIN_BYTES);
}

static int make_plan(struct kft_plan *p, struct kft_err *e)
{
	int r = parse_keep(e);

	if (r == 0)
		r = parse_max_cost(e);
	if (r >= 0)
		r = cli_plan_add_sets(p, &arg.sets, &cli_run_notify, e);
	for (size_t i = 0; i < arg.events.len && r >= 0; i++)
		r = cli_plan_add_events(p, arg.events.data[i], e);
	for (size_t i = 0;
	     !arg.events.len && !arg.sets.len && i < ARRAY_SIZE(default_events) && r >= 0;
	     i++)
		r = kft_plan_add_event(p, default_events[i], NULL, e);
	p->overwrite = true;
	p->buffer_bytes = buffer_bytes();
	return r == 0 ? check_max_cost(p, e) : r;
}

/*
 * Makes the directory absolute: the process that takes these snapshots has
 * another working directory.
 */
static int snapshot_dir(char *ret, size_t size, struct kft_err *e)
{
	char here[PATH_MAX] = "";

	if (*arg.to != '/' && !getcwd(here, sizeof(here)))
		return kft_err_sys(e, -errno, "cannot find out where '%s' is", arg.to);
	if (snprintf(ret, size, "%s%s%s", here, *here ? "/" : "", arg.to) >= (int)size)
		return kft_err_set(e, -ENAMETOOLONG, "'%s' is too long", arg.to);
	return 0;
}

static int start(struct cli *c)
{
	struct kft_plan plan = {};
	char dir[PATH_MAX];
	int r = make_plan(&plan, &c->err);

	if (r == 0)
		r = snapshot_dir(dir, sizeof(dir), &c->err);
	int status = r == -EINVAL ? CLI_USAGE : CLI_FAILED;
	const struct cli_detached_what what = {
		.name = arg.name,
		.plan = &plan,
		.keeping.times = {.keep_ns = arg.keep_ns,
				  .max_cost_ppm = arg.max_cost_ppm},
		.snapshot_dir = dir,
		.watch = &arg.watch,
		.quiet = true,
	};
	if (r == 0 && arg.dry_run)
		status = cli_dry_run(c, arg.format, &plan, 1, true, &arg.watch);
	else if (r == 0 && cli_flight_save_crash(c, arg.name, dir) == 0)
		status = cli_record_detached(c, &what);
	if (status == CLI_OK && !arg.dry_run && !arg.quiet)
		cli_print_note(
			"session '%s' records: 'kft snapshot -n %s' writes the last "
			"moments, 'kft status' shows how long they are, "
			"'kft reset -n %s' ends it",
			arg.name, arg.name, arg.name);
	kft_plan_finish(&plan);
	return status;
}

static int persist(struct cli *c)
{
	struct cli_persist_opts o = {
		.session = arg.name,
		.install = arg.install,
		.remove = arg.remove,
		.where = {.files = &kft_boot_files_persist,
			  .parameters = arg.parameters,
			  .root = arg.root,
			  .quiet = arg.quiet},
	};

	if (parse_keep(&c->err) < 0)
		return CLI_USAGE;
	if (arg.keep_ns) {
		(void)kft_err_set(&c->err, -EINVAL,
				  "memory that is kept has a size, not a time");
		return CLI_USAGE;
	}
	o.bytes = arg.keep_bytes;
	return cli_flight_persist(c, &o);
}

/* Only the user can decide whether the last moments are still needed. */
static void refuse_stop(struct kft_err *e)
{
	(void)kft_err_set(e, -EINVAL, "'kft flight' cannot stop session '%s'", arg.name);
	kft_err_hint(e,
		     "'kft stop -n %s' ends it and keeps its events for 'kft save'; "
		     "'kft reset -n %s' ends it and drops them",
		     arg.name, arg.name);
}

static int run(struct cli *c, int argc, char **argv)
{
	int status = CLI_USAGE;

	if (argc == 1 && strcmp(argv[0], "start") == 0) {
		status = start(c);
	} else if (argc == 1 && strcmp(argv[0], "persist") == 0) {
		status = persist(c);
	} else if (argc == 1 && strcmp(argv[0], "stop") == 0) {
		refuse_stop(&c->err);
	} else {
		(void)kft_err_set(&c->err, -EINVAL, "expected 'start' or 'persist'");
		kft_err_hint(&c->err, "'kft reset -n %s' ends it", arg.name);
	}
	kft_vec_finish(&arg.events);
	kft_vec_finish(&arg.sets);
	kft_vec_finish(&arg.watch.on);
	return status;
}

const struct cli_verb cli_verb_flight = {
	.name = "flight",
	.group = CLI_GROUP_RECORD,
	.summary = "flight recorder: keep the most recent events in the kernel",
	.operands = "start|persist",
	.about = "'start': a session that records into the kernel's buffers and "
		 "overwrites its oldest events. 'kft snapshot' writes the "
		 "newest ones to a file while recording goes on. 'persist': "
		 "kernel parameters with which they survive a crash of the "
		 "kernel.",
	.opts = opts,
	.max_operands = 1,
	.run = run,
};
