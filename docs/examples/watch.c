// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints events as they happen, until Ctrl-C. Needs the rights to trace, so usually root.
 *	cc watch.c $(pkg-config --cflags --libs kft) -o watch
 *	./watch sched:sched_process_exec
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include <kft/session.h>
#include <kft/trace.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int sig)
{
	interrupted = sig;
}

/* All that there is now: -EAGAIN, or 0 when there will be no more. */
static int print_events(struct kft_session *s)
{
	struct kft_reader *r = kft_session_reader(s);
	const struct kft_event *ev;
	const char *text = "";
	int n;

	while ((n = kft_reader_next(r, &ev)) > 0 && kft_reader_text(r, ev, &text) >= 0)
		printf("%" PRIu64 " %" PRIu32 " %s: %s\n", ev->ts, ev->cpu,
		       kft_trace_event_name(kft_session_trace(s), ev), text);
	fflush(stdout);
	return n;
}

int main(int argc, char **argv)
{
	struct kft_session_opts opts = {.size = sizeof(opts)};
	struct kft_plan plan = {.size = sizeof(plan)};
	struct kft_session *s = NULL;
	struct kft_err e = {0};
	int ok = sigaction(SIGINT, &(struct sigaction){.sa_handler = interrupt}, NULL) ==
		 0;

	for (int i = 1; i < argc && ok; i++)
		ok = kft_plan_add_event(&plan, argv[i], NULL, &e) >= 0;
	ok = ok && kft_session_open(&plan, &opts, &s, &e) >= 0 &&
	     kft_session_start(s, &e) >= 0;
	struct pollfd fd = {.fd = kft_session_fd(s), .events = POLLIN};
	while (ok && !interrupted && print_events(s) == -EAGAIN)
		ok = kft_session_wait(s, &fd, 1, -1, &e) >= 0 || e.code == -EINTR;
	ok = ok && kft_session_stop(s, &e) >= 0 && print_events(s) == 0;
	if ((kft_session_close(s, ok ? &e : NULL) < 0 || !ok) && e.code)
		fprintf(stderr, "%s\n%s\n", e.msg, e.hint);
	kft_plan_finish(&plan);
	return !ok;
}
