// SPDX-License-Identifier: LGPL-2.1-or-later
/* Starts and ends the drains of all CPUs. */
#include "tracefs/drain/drains.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/control/cpus.h"
#include "tracefs/drain/drain.h"
#include "model/scope.h"

struct kft_drains {
	struct kft_drain_common common;
	struct kft_drain *drains; /* owned, one for each CPU */
	size_t n;
};

/* File descriptors of a CPU, the sink's file included. */
#define FDS_PER_CPU 5
#define FDS_BESIDE  256

/* Machines with many CPUs need more than the usual 1,024 descriptors. */
static void allow_descriptors(size_t cpus)
{
	struct rlimit limit;
	rlim_t want = cpus * FDS_PER_CPU + FDS_BESIDE;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= want)
		return;
	limit.rlim_cur = KFT_MIN(want, limit.rlim_max);
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_group(struct kft_drains *all, const struct kft_cpus *cpus,
		      struct kft_err *e)
{
	all->common.stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->common.failed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (all->common.stop_fd < 0 || all->common.failed_fd < 0)
		return kft_err_sys(e, -errno, "cannot prepare to drain");
	all->drains = calloc(cpus->len, sizeof(*all->drains));
	if (!all->drains)
		return kft_err_sys(e, -ENOMEM, "cannot prepare to drain");
	allow_descriptors(cpus->len);
	for (size_t i = 0; i < cpus->len; i++) {
		all->n++;
		int r = kft_drain_open(&all->drains[i], &all->common, cpus->data[i], e);

		if (r < 0)
			return r;
	}
	return 0;
}

int kft_drains_open(const struct kft_drains_opts *opts, struct kft_drains **ret,
		    struct kft_err *e)
{
	struct kft_cpus cpus = {};
	int r = kft_cpus_list(opts->instance_fd, &cpus);

	if (r < 0)
		return kft_err_sys(e, r, "cannot list the CPUs of tracefs");
	struct kft_drains *all = calloc(1, sizeof(*all));
	if (!all) {
		kft_vec_finish(&cpus);
		return kft_err_sys(e, -ENOMEM, "cannot prepare to drain");
	}
	all->common.opts = *opts;
	all->common.with_failed_fd = opts->with ? opts->with->common.failed_fd : -1;
	(void)pthread_mutex_init(&all->common.lock, NULL);
	r = open_group(all, &cpus, e);
	kft_vec_finish(&cpus);
	if (r < 0) {
		kft_drains_close(all);
		return r;
	}
	*ret = all;
	return 0;
}

int kft_drains_start(struct kft_drains *d, struct kft_err *e)
{
	int r = 0;

	for (size_t i = 0; i < d->n && r == 0; i++)
		r = kft_drain_start(&d->drains[i]);
	return r < 0 ? kft_err_sys(e, r, "cannot start a thread for each CPU") : 0;
}

int kft_drains_failed_fd(const struct kft_drains *d)
{
	return d->common.failed_fd;
}

static void end_threads(struct kft_drains *d)
{
	uint64_t one = 1;

	atomic_store_explicit(&d->common.stop, true, memory_order_release);
	(void)!write(d->common.stop_fd, &one, sizeof(one));
	for (size_t i = 0; i < d->n; i++)
		kft_drain_join(&d->drains[i]);
}

int kft_drains_finish(struct kft_drains *d, struct kft_err *e)
{
	end_threads(d);
	const struct kft_err *err = &d->common.err;
	if (err->code && e)
		*e = *err;
	return err->code;
}

void kft_drains_progress(const struct kft_drains *d, struct kft_progress *p)
{
	for (size_t i = 0; i < d->n; i++) {
		struct kft_drain *it = &d->drains[i];

		p->events += atomic_load_explicit(&it->account.events,
						  memory_order_relaxed);
		p->lost += atomic_load_explicit(&it->account.lost, memory_order_relaxed);
		p->taken = kft_lost_add(
			p->taken,
			atomic_load_explicit(&it->account.taken, memory_order_relaxed));
		p->bytes += atomic_load_explicit(&it->bytes, memory_order_relaxed);
	}
}

int kft_drains_report(const struct kft_drains *d, const char *buffer,
		      struct kft_meta *meta)
{
	int r = 0;

	for (size_t i = 0; i < d->n && r == 0; i++) {
		struct kft_drain *it = &d->drains[i];

		r = kft_account_report(
			&it->account, buffer,
			atomic_load_explicit(&it->bytes, memory_order_relaxed), meta);
	}
	return r;
}

void kft_drains_save(const struct kft_drains *d, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < d->n; i++)
		kft_account_save(&d->drains[i].account, sb);
}

int kft_drains_restore(struct kft_drains *d, const char *text)
{
	int r = 0;

	for (size_t i = 0; i < d->n && r == 0; i++)
		r = kft_account_restore(&d->drains[i].account, text, d->common.opts.sink);
	return r;
}

struct kft_drains *kft_drains_close(struct kft_drains *d)
{
	if (!d)
		return NULL;
	end_threads(d);
	for (size_t i = 0; i < d->n; i++)
		kft_drain_close(&d->drains[i]);
	kft_closep(&d->common.stop_fd);
	kft_closep(&d->common.failed_fd);
	(void)pthread_mutex_destroy(&d->common.lock);
	free(d->drains);
	free(d);
	return NULL;
}
