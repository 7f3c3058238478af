// SPDX-License-Identifier: GPL-2.0-only
/* Shows a streamed recording while it continues. */
#include "cli/report_follow.h"

#include <errno.h>
#include <signal.h>

#include "base/err.h"
#include "cli/input.h"
#include "file/tracedat/stream/live.h"
#include "file/tracedat/stream/read.h"

static void on_interrupt(int sig)
{
	(void)sig;
}

/*
 * Ctrl-C goes to both sides of a pipe: the recorder ends, and with it the stream. Its last
 * events should still be shown. A second interrupt ends kft without them.
 */
static void leave_interrupt_to_recorder(void)
{
	struct sigaction sa = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
	struct sigaction old;

	(void)sigemptyset(&sa.sa_mask);
	if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		(void)sigaction(SIGINT, &sa, NULL);
}

static int follow(struct cli *c, struct cli_stream *s, struct kft_trace **ret)
{
	leave_interrupt_to_recorder();
	c->out.start = NULL;
	int r = kft_stream_open_live(TAKE_FD(s->fd), s->head, s->head_len, s->name,
				     c->out.fd, ret, &c->err);

	if (r == -EPIPE) {
		/* The reader of the output is gone, which main() handles. */
		c->out.error = r;
		c->err = (struct kft_err){};
		return r;
	}
	return r < 0 ? kft_err_wrap(&c->err, r, "cannot read '%s'", s->name) : 0;
}

int cli_report_follow(struct cli *c, const char *path, struct kft_trace **ret)
{
	_cleanup_(cli_stream_finish) struct cli_stream s = {.fd = -1};

	if (!cli_input_is_stream(path))
		return cli_input_open(path, ret, &c->err);
	int r = cli_stream_open(path, &s, &c->err);
	if (r == 0 && !s.is_file && kft_stream_match(s.head, s.head_len))
		return follow(c, &s, ret);
	return r < 0 ? r : cli_stream_trace(&s, ret, &c->err);
}

int cli_report_next(struct cli *c, struct kft_merge *m, const struct kft_event **ret)
{
	int r;

	while ((r = kft_merge_next(m, ret)) == -EAGAIN) {
		r = cli_out_flush(&c->out);
		if (r == 0)
			r = kft_merge_more(m);
		if (r == -EPIPE)
			c->out.error = r;
		if (r < 0)
			return r;
	}
	return r;
}
