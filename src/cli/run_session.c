// SPDX-License-Identifier: GPL-2.0-only
/* Opens and loads KFT runs for verbs. */
#include "cli/run_session.h"

#include "cli/config_file.h"
#include "session/daemon.h"

static void note(void *unused, const char *text)
{
	cli_print_note("%s", text);
}

const struct kft_notify cli_run_notify = {.note = note};

const char *cli_run_name = CLI_RUN_NAME;

const struct kft_opt cli_run_opts[] = {
	CLI_RUN_NAME_OPT(cli_run_name),
	{},
};

int cli_run_step(struct cli *c, const char *name,
		 int (*step)(struct cli *c, struct kft_detached *d))
{
	struct kft_detached d;
	int n = kft_detached_open(name, &cli_run_notify, &d, &c->err);

	if (n < 0)
		return CLI_FAILED;
	n = step(c, &d);
	kft_detached_close(&d);
	return n < 0 ? CLI_FAILED : CLI_OK;
}

int cli_run_step_and_keep(struct cli *c, const char *name,
			  int (*step)(struct cli *c, struct kft_detached *d))
{
	int status = cli_run_step(c, name, step);

	if (status == CLI_OK && kft_detached_spawn_keeper(name, NULL, &c->err) < 0)
		return CLI_FAILED;
	return status;
}

static int check(struct cli *c, struct kft_host *host, const char *path,
		 struct kft_config *config)
{
	struct kft_config_caps caps;

	cli_config_caps(host, &caps);
	int n = cli_config_possible(c, path, config, &caps);
	return n == 0 ? cli_config_resolve(c, path, host, config) : n;
}

int cli_run_load(struct cli *c, const char *name, const char *path, size_t index,
		 uint64_t buffer_bytes, struct kft_detached *ret, size_t *ret_count)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_config_finish) struct kft_config config = {};
	const struct kft_detached_what what = {
		.config = &config, .index = index, .buffer_bytes = buffer_bytes};
	struct kft_host *host;
	int n = cli_config_read(c, path, &text, &config);

	if (n == 0)
		n = kft_host_open(NULL, &host, &c->err);
	if (n < 0)
		return n;
	n = check(c, host, path, &config);
	if (n < 0) {
		host = kft_host_close(host);
		return n;
	}
	n = kft_detached_load(host, name, &what, &cli_run_notify, ret, &c->err);
	if (n == 0)
		*ret_count = config.runs.len;
	return n;
}
