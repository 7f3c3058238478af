// SPDX-License-Identifier: GPL-2.0-only
/* Turns a KFT configuration into kernel parameters for `kft boot`. */
#include "cli/boot_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/io.h"
#include "session/boot/params.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/graph.h"
#include "tracefs/control/mount.h"
#include "cli/config_file.h"
#include "plan/boot.h"

#define CMDLINE		  "/proc/cmdline"
#define CMDLINE_MAX_BYTES 65536

static int check(struct cli *c, const struct cli_boot_opts *o, struct kft_config *config)
{
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	if (kft_config_boot_check(config, &diags) < 0)
		return cli_config_complain(&diags, o->path);
	return o->syntax ? 0 : cli_config_resolve_boot(c, o->path, o->map, config);
}

static int make_line(struct cli *c, const struct kft_run_config *run,
		     const struct cli_boot_opts *o, const char *roots,
		     struct kft_strbuf *line)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf word = {};
	_cleanup_(kft_plan_finish) struct kft_plan plan = {};
	int r = kft_run_config_lower_boot(run, &plan, &c->err);

	if (r < 0)
		return r;
	plan.buffer_bytes = o->buffer_bytes;
	kft_boot_word_add(run, &word);
	return kft_boot_params(&plan, kft_strbuf_cstr(&word), roots, line, &c->err);
}

/* The length of this kernel's command line without kft's parameters. */
static size_t other_bytes(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	size_t bytes = 0;
	char *save = NULL;

	if (kft_read_at(AT_FDCWD, CMDLINE, CMDLINE_MAX_BYTES, &sb) < 0)
		return 0;
	(void)kft_strbuf_cstr(&sb);
	bool is_kft = sb.buf && strstr(sb.buf, " " KFT_BOOT_WORD);
	for (char *word = sb.buf ? strtok_r(sb.buf, " \n", &save) : NULL; word;
	     word = strtok_r(NULL, " \n", &save))
		if (!is_kft || !kft_boot_is_param(word))
			bytes += strlen(word) + 1;
	return bytes;
}

static int check_length(struct cli *c, const struct cli_boot_opts *o, size_t len)
{
	struct utsname u = {};
	size_t other = o->map || o->limit ? 0 : other_bytes();
	size_t max = o->limit;

	(void)uname(&u);
	if (!max)
		max = kft_boot_line_max(u.machine);
	if (len + other <= max)
		return 0;
	(void)kft_err_set(&c->err, -E2BIG,
			  "the parameters take %zu bytes; of the %zu that a kernel's "
			  "command line has, %zu are free",
			  len, max, max > other ? max - other : 0);
	return -E2BIG;
}

/* Without root, little can be found out about the kernel. */
static void tell_kernel(void)
{
	_cleanup_(kft_host_closep) struct kft_host *host = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tracers = {};
	int tracefs;

	if (kft_host_open(NULL, &host, NULL) < 0 ||
	    kft_tracefs_open(host, &tracefs, NULL) < 0)
		return;
	if (kft_control_file_read(tracefs, "available_tracers", &tracers) == 0 &&
	    !strstr(tracers.buf, KFT_GRAPH_TRACER))
		cli_print_note("this kernel has no tracer function_graph: its boot can "
			       "record initcalls, but no calls of functions");
	if (kft_find_at(tracefs, "kprobe_events") < 0)
		cli_print_note("this kernel has no kprobe events: triggers at functions "
			       "work at initcalls and recorded calls only");
}

int cli_boot_line(struct cli *c, const struct cli_boot_opts *o,
		  const struct kft_run_config *run, const char *roots,
		  struct kft_strbuf *line)
{
	int r = make_line(c, run, o, roots, line);

	return r < 0 ? r : check_length(c, o, line->len);
}

int cli_boot_params(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		    struct kft_strbuf *text)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf file = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	int r = cli_config_read(c, o->path, &file, &config);

	if (r == 0)
		r = check(c, o, &config);
	if (r < 0)
		return r;
	const struct kft_run_config *run = &config.runs.data[0];
	r = cli_boot_line(c, o, run, NULL, line);
	if (r == -E2BIG && (run->funclist.len > 1 || run->nofunclist.len > 1))
		kft_err_hint(&c->err,
			     "write patterns such as 'vfs_*' for the %zu "
			     "functions that are listed",
			     run->funclist.len + run->nofunclist.len);
	if (r < 0)
		return r;
	kft_config_boot_explain(run, text);
	if (!o->map && !o->syntax && !o->quiet)
		tell_kernel();
	return 0;
}

int cli_boot_light(struct cli *c, const struct cli_boot_opts *o, struct kft_strbuf *line,
		   struct kft_strbuf *text)
{
	kft_boot_light_params(o->buffer_bytes, "begin,end", line);
	kft_strbuf_adds(text,
			"  initcalls are recorded as events, and when the steps of the "
			"boot begin, from\n  sched_init on: no other function is "
			"traced\n");
	return check_length(c, o, line->len);
}
