// SPDX-License-Identifier: LGPL-2.1-or-later
/* Drives the life cycles of several backends as if they were one. */
#include "capture/group.h"

#include "base/now.h"
#include "capture/notify.h"

static struct kft_backend *lead_of(const struct kft_group *g)
{
	return g->backends[g->n - 1];
}

static int share_sink(struct kft_group *g, struct kft_sink *trace, struct kft_err *e)
{
	const char *names[KFT_BACKENDS_MAX];

	for (size_t i = 0; i < g->shares.n; i++)
		names[i] = g->shares.items[i].ops->name;
	return kft_shared_sink_init(&g->sink, trace, names, g->shares.n, e);
}

static int open_one(struct kft_group *g, const struct kft_backend_opts *opts, size_t i,
		    struct kft_err *e)
{
	struct kft_backend_opts own = *opts;

	own.plan = &g->shares.items[i].plan;
	own.sink = kft_shared_sink_of(&g->sink, opts->sink, g->shares.n, i);
	own.leads = i + 1 == g->shares.n;
	int r = g->shares.items[i].ops->open(&own, &g->backends[i], e);
	if (r == 0)
		g->n++;
	return r;
}

static bool has_start(const struct kft_group *g)
{
	return g->shares.items[g->shares.n - 1].plan.start.kind != KFT_TRIGGER_NONE;
}

int kft_group_open(struct kft_group *g, const struct kft_backend_opts *opts,
		   struct kft_err *e)
{
	int r = kft_shares_of_plan(opts->plan, false, &g->shares, e);

	if (r == 0 && kft_backends_share(g->shares.n))
		r = share_sink(g, opts->sink, e);
	for (size_t i = 0; i < g->shares.n && r == 0; i++)
		r = open_one(g, opts, i, e);
	if (r < 0) {
		(void)!kft_group_close(g, NULL);
		return r;
	}
	g->waits = has_start(g);
	return 0;
}

int kft_group_arm(struct kft_group *g, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < g->n && r == 0; i++)
		r = g->backends[i]->ops->arm(g->backends[i], e);
	return r;
}

static int start_one(struct kft_group *g, size_t i, struct kft_err *e)
{
	g->started[i] = true;
	return g->backends[i]->ops->start(g->backends[i], e);
}

/* The lead is the last backend. */
static int start_others(struct kft_group *g, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i + 1 < g->n && r == 0; i++)
		r = start_one(g, i, e);
	return r;
}

int kft_group_start(struct kft_group *g, struct kft_err *e)
{
	int r = g->waits ? 0 : start_others(g, e);

	g->waited_ns = kft_now_ns();
	return r < 0 ? r : start_one(g, g->n - 1, e);
}

static bool is_waiting(const struct kft_group *g)
{
	struct kft_progress p = {};

	lead_of(g)->ops->progress(lead_of(g), &p);
	return p.waiting;
}

/*
 * Starts the other backends when the lead's start trigger has fired. The kernel starts only the
 * lead, so the others miss the time until this check.
 */
static int follow(struct kft_group *g, struct kft_err *e)
{
	const uint64_t since = g->waited_ns;

	g->waited_ns = kft_now_ns();
	if (is_waiting(g))
		return 0;
	g->waits = false;
	if (!kft_backends_share(g->n))
		return 0;
	int r = start_others(g, e);
	if (r == 0)
		kft_notify(g->notify, "'%s' records from up to %.1f ms after the start",
			   g->shares.items[0].ops->name,
			   (double)(kft_now_ns() - since) / 1e6);
	return r;
}

int kft_group_tick(struct kft_group *g, struct kft_err *e)
{
	for (size_t i = g->n; i-- > 0;)
		if (g->started[i])
			g->backends[i]->ops->tick(g->backends[i]);
	return g->waits ? follow(g, e) : 0;
}

static int pause_one(struct kft_group *g, size_t i, bool paused, struct kft_err *e)
{
	return g->started[i] ? g->backends[i]->ops->pause(g->backends[i], paused, e) : 0;
}

int kft_group_pause(struct kft_group *g, bool paused, struct kft_err *e)
{
	size_t done = 0;
	int r = 0;

	/* The lead is paused first and resumed last: only it can refuse, waiting for its start. */
	while (done < g->n && r == 0) {
		size_t i = paused ? g->n - 1 - done : done;

		r = pause_one(g, i, paused, e);
		done += r == 0;
	}
	while (r < 0 && done-- > 0)
		(void)!pause_one(g, paused ? g->n - 1 - done : done, !paused, NULL);
	return r;
}

int kft_group_stop(struct kft_group *g, struct kft_err *e)
{
	int r = 0;

	if (g->waits && kft_backends_share(g->n) && !is_waiting(g))
		kft_notify(g->notify,
			   "the start came just before the end: nothing of '%s' was "
			   "recorded",
			   g->shares.items[0].ops->name);
	for (size_t i = g->n; i-- > 0;) {
		int stopped = g->started[i] ? g->backends[i]->ops->stop(g->backends[i],
									r < 0 ? NULL : e)
					    : 0;

		r = r < 0 ? r : stopped;
	}
	return r == 0 && kft_backends_share(g->n) ? kft_shared_sink_end(&g->sink, e) : r;
}

int kft_group_close(struct kft_group *g, struct kft_err *e)
{
	int r = 0;

	for (; g->n > 0; g->n--) {
		struct kft_backend *b = lead_of(g);
		int closed = b->ops->close(b, r < 0 ? NULL : e);

		r = r < 0 ? r : closed;
	}
	return r;
}

void kft_group_progress(const struct kft_group *g, struct kft_progress *ret)
{
	for (size_t i = 0; i < g->n; i++) {
		struct kft_progress p = {};

		g->backends[i]->ops->progress(g->backends[i], &p);
		ret->events += p.events;
		ret->bytes += p.bytes;
		ret->lost += p.lost;
		/* UINT64_MAX means an unknown number. */
		if (__builtin_add_overflow(ret->taken, p.taken, &ret->taken))
			ret->taken = UINT64_MAX;
		ret->off_ns = KFT_MAX(ret->off_ns, p.off_ns);
		ret->over = p.over;
		ret->waiting = p.waiting;
	}
}

typedef int fd_fn(const struct kft_backend *b);

static int fd_of(const struct kft_backend *b, fd_fn *get)
{
	return get ? get(b) : -1;
}

size_t kft_group_pollfds(const struct kft_group *g,
			 struct pollfd ret[static KFT_BACKENDS_MAX])
{
	for (size_t i = 0; i < g->n; i++)
		ret[i] = (struct pollfd){
			.fd = fd_of(g->backends[i], g->backends[i]->ops->failed_fd),
			.events = POLLIN,
		};
	return g->n;
}

size_t kft_group_work_dirfds(const struct kft_group *g, int ret[static KFT_BACKENDS_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		int fd = fd_of(g->backends[i], g->backends[i]->ops->work_dirfd);

		if (fd >= 0)
			ret[n++] = fd;
	}
	return n;
}

int kft_group_session_dirfd(const struct kft_group *g)
{
	int fd = -1;

	for (size_t i = g->n; i-- > 0 && fd < 0;)
		fd = fd_of(g->backends[i], g->backends[i]->ops->session_dirfd);
	return fd;
}
