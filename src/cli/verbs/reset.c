// SPDX-License-Identifier: GPL-2.0-only
/* `kft reset`: removes the state of dead or abandoned sessions from the kernel. */
#include <errno.h>

#include <kft/reset.h>

#include "base/err.h"
#include "tracefs/drain/names.h"
#include "cli/run_session.h"
#include "session/crash.h"
#include "watch/watcher.h"

static struct {
	const char *name;
	bool all;
	bool quiet;
} arg;

static const struct kft_opt opts[] = {
	{'n', "name", "NAME", "end this KFT session and forget it (" CLI_RUN_NAME ")",
	 KFT_OPT_STRING, &arg.name},
	{'a', "all", NULL, "end all KFT sessions and forget them", KFT_OPT_FLAG,
	 &arg.all},
	{'q', "quiet", NULL, "print errors only", KFT_OPT_FLAG, &arg.quiet},
	{},
};

static void add_item(struct kft_strbuf *sb, const struct kft_reset_item *item)
{
	static const char *const said[] = {
		[KFT_RESET_REMOVED] = "removed",
		[KFT_RESET_ALIVE] = "left alone, it is recording",
		[KFT_RESET_BUSY] = "not removed: another program has its files open",
		[KFT_RESET_FAILED] = "not removed",
	};

	kft_strbuf_add_escaped(sb, item->name, strlen(item->name));
	kft_strbuf_addf(sb, ": %s", said[item->state]);
	if (item->state == KFT_RESET_FAILED)
		kft_strbuf_addf(sb, ": %s", strerror(-item->code));
	kft_strbuf_addc(sb, '\n');
}

static bool remains(const struct kft_reset_item *item)
{
	return item->state == KFT_RESET_BUSY || item->state == KFT_RESET_FAILED;
}

struct sessions {
	struct cli *c;
	struct kft_host *host;
	size_t count; /* number of sessions that were reset */
};

/* The run may be in any state, its processes dead or alive. */
static int reset_session(void *ctx, const char *name)
{
	struct sessions *s = ctx;
	const char *wanted = arg.name ? arg.name : CLI_RUN_NAME;
	struct kft_run r;

	if (!kft_run_name_is_valid(name) || (!arg.all && strcmp(name, wanted) != 0))
		return 0;
	kft_watcher_end(s->host, name);
	int n = kft_run_open(s->host, name, &r, &s->c->err);
	if (n == -EINVAL && kft_run_open_to_reset(s->host, name, &r) == 0) {
		s->c->err = (struct kft_err){};
		n = 0;
	}
	if (n == 0) {
		n = kft_run_reset(&r, &s->c->err);
		if (n == 0)
			kft_crash_forget(name);
		kft_run_close(&r);
	}
	if (n < 0)
		return n;
	s->count++;
	if (!arg.quiet)
		kft_strbuf_addf(&s->c->out.sb, "session %s: removed\n", name);
	return 0;
}

static int show(struct cli *c, const struct kft_reset_report *report, size_t sessions)
{
	size_t left = 0;

	for (size_t i = 0; i < report->len; i++) {
		const struct kft_reset_item *item = &report->items[i];

		/* The companion instance of a session that is listed itself. */
		if (kft_instance_is_beside(item->name) &&
		    (item->state == KFT_RESET_REMOVED || item->state == KFT_RESET_ALIVE))
			continue;

		left += remains(item);
		if (!arg.quiet)
			add_item(&c->out.sb, item);
	}
	if (!report->len && !sessions && !arg.quiet)
		kft_strbuf_adds(&c->out.sb, "nothing was left behind\n");
	if (!left)
		return CLI_OK;
	(void)kft_err_set(&c->err, -EBUSY, "%zu of kft's instances could not be removed",
			  left);
	kft_err_hint(&c->err,
		     "fuser(1) or lsof(8) on the instance's directory in tracefs shows "
		     "the processes that have it open");
	return CLI_FAILED;
}

static int run(struct cli *c, int argc, char **argv)
{
	cli_run_named(argc, argv, &arg.name);
	struct kft_reset_report report = {};
	struct kft_host *host;

	if (kft_host_open(NULL, &host, &c->err) < 0)
		return CLI_FAILED;
	struct sessions sessions = {.c = c, .host = host};
	int r = kft_rundir_list(host, reset_session, &sessions, &c->err);
	if (r == 0)
		r = kft_reset(host, &report, &c->err);
	host = kft_host_close(host);
	if (r < 0)
		return CLI_FAILED;
	int status = show(c, &report, sessions.count);
	kft_reset_report_finish(&report);
	return status;
}

const struct cli_verb cli_verb_reset = {
	.name = "reset",
	.group = CLI_GROUP_SESSIONS,
	.summary = "remove the leftovers of killed recordings from the kernel",
	.about = "Removes instances of recordings that kft made, if their recorder is "
		 "dead. A KFT session (kft load) is ended in any state, and "
		 "its records are deleted; the kernel is restored.",
	CLI_RUN_OPERAND,
	.opts = opts,
	.run = run,
};
