// SPDX-License-Identifier: LGPL-2.1-or-later
/* The backend that takes samples with the kernel's perf events. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "base/thread.h"
#include "capture/backend.h"
#include "capture/tasks.h"
#include "decode/task_names.h"
#include "perf/counters.h"
#include "perf/maps.h"
#include "perf/origin.h"
#include "perf/ring.h"

/* Bytes of the buffer of a CPU: two seconds of 1,000 samples a second with long stacks. */
#define BUFFER_BYTES (4U << 20)

/* A killed recording loses the samples of this time. */
#define DRAIN_MS 100

struct perf_cpu {
	uint32_t cpu;
	struct kft_perf_ring ring;
	struct kft_perf_writer writer;
};

struct perf {
	struct kft_backend base;
	struct kft_backend_opts opts; /* plan and command line are borrowed until armed */
	struct kft_perf_counters counters;
	struct kft_perf_formats formats;
	struct kft_meta meta;
	struct kft_tasks tasks; /* used if it leads */
	struct kft_strbuf names; /* records of decode/task_names.h, if it leads */
	size_t names_written; /* bytes of names that the sink has */
	struct kft_strbuf maps; /* of processes that exist before the start */
	struct perf_cpu *cpus; /* owned */
	size_t n_cpus;
	struct pollfd *fds; /* owned: stop_fd and the buffers */
	pthread_t thread;
	bool has_thread;
	int stop_fd; /* owned: readable when the thread shall end */
	int failed_fd; /* owned: readable when the thread has failed */
	int err; /* of the thread; read after its end */
};

static struct perf *perf_of(struct kft_backend *b)
{
	return container_of(b, struct perf, base);
}

static int accepts(const struct kft_plan *plan, enum kft_source source, struct kft_err *e)
{
	if (source != KFT_SOURCE_SAMPLES)
		return kft_err_set(e, -EOPNOTSUPP, "it takes samples only");
	if (plan->overwrite)
		return kft_err_set(e, -EOPNOTSUPP,
				   "samples cannot be kept until the end, newest only");
	return 0;
}

static void end_thread(struct perf *p)
{
	uint64_t one = 1;

	if (!p->has_thread)
		return;
	(void)!write(p->stop_fd, &one, sizeof(one));
	(void)pthread_join(p->thread, NULL);
	p->has_thread = false;
}

static int close_perf(struct kft_backend *b, struct kft_err *e)
{
	struct perf *p = perf_of(b);

	end_thread(p);
	for (size_t i = 0; i < p->n_cpus; i++) {
		kft_perf_ring_unmap(&p->cpus[i].ring);
		kft_perf_writer_close(&p->cpus[i].writer);
	}
	free(p->cpus);
	free(p->fds);
	kft_perf_counters_close(&p->counters);
	kft_strbuf_finish(&p->maps);
	kft_strbuf_finish(&p->names);
	kft_tasks_finish(&p->tasks);
	kft_meta_finish(&p->meta);
	kft_closep(&p->stop_fd);
	kft_closep(&p->failed_fd);
	free(p);
	return 0;
}

static int map_rings(struct perf *p, struct kft_err *e)
{
	size_t n = p->counters.buffers.len;
	uint64_t bytes = p->opts.plan->buffer_bytes ? p->opts.plan->buffer_bytes
						    : BUFFER_BYTES;
	int r = 0;

	p->cpus = calloc(n, sizeof(*p->cpus));
	p->fds = calloc(n + 1, sizeof(*p->fds));
	if (!p->cpus || !p->fds)
		return kft_err_memory(e);
	p->fds[0] = (struct pollfd){.fd = p->stop_fd, .events = POLLIN};
	for (; p->n_cpus < n && r == 0; p->n_cpus++) {
		const struct kft_perf_counter *one = &p->counters.buffers.data[p->n_cpus];

		p->cpus[p->n_cpus].cpu = one->cpu;
		p->fds[p->n_cpus + 1] = (struct pollfd){.fd = one->fd, .events = POLLIN};
		r = kft_perf_ring_map(&p->cpus[p->n_cpus].ring, one->fd, bytes);
	}
	if (r < 0)
		kft_err_sys(e, r, "cannot map the buffers of samples");
	if (r == -EPERM)
		kft_err_hint(
			e,
			"raise kernel.perf_event_mlock_kb or the limit of locked memory "
			"(ulimit -l), or run kft as root");
	return r;
}

static int open_files(struct perf *p, struct kft_err *e)
{
	p->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->failed_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (p->stop_fd < 0 || p->failed_fd < 0)
		return kft_err_sys(e, -errno, "cannot prepare to take samples");
	return 0;
}

static int open_perf(const struct kft_backend_opts *opts, struct kft_backend **ret,
		     struct kft_err *e)
{
	struct perf *p;

	if (opts->sink->ops->take_fd)
		return kft_err_set(e, -EOPNOTSUPP, "samples are recorded to a file only");
	p = calloc(1, sizeof(*p));
	if (!p)
		return kft_err_memory(e);
	p->base.ops = &kft_perf_backend;
	p->opts = *opts;
	p->counters.host = opts->host;
	p->counters.notify = &p->opts.notify;
	p->stop_fd = p->failed_fd = -1;
	int r = open_files(p, e);
	if (r == 0)
		r = kft_perf_counters_open(&p->counters, opts->plan, e);
	if (r == 0)
		r = map_rings(p, e);
	if (r == 0)
		r = kft_perf_counters_add(&p->counters, opts->plan, e);
	if (r < 0) {
		(void)!close_perf(&p->base, NULL);
		return r;
	}
	*ret = &p->base;
	return 0;
}

static int store_tasks(struct perf *p)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf tgids = {};

	kft_tasks_text(&p->tasks, &comms, &tgids);
	if (!kft_strbuf_ok(&comms) || !kft_strbuf_ok(&tgids))
		return -ENOMEM;
	int r = kft_meta_set_blob(&p->meta, &p->meta.cmdlines, kft_strbuf_cstr(&comms),
				  comms.len);
	return r < 0 ? r
		     : kft_meta_set_blob(&p->meta, &p->meta.tgids,
					 kft_strbuf_cstr(&tgids), tgids.len);
}

static int describe_trace(struct perf *p)
{
	int r = kft_perf_origin_add(p->opts.host, &p->opts.notify, p->opts.command_line,
				    &p->meta);

	if (r == 0)
		r = kft_tasks_begin(&p->tasks, p->opts.host);
	if (r == 0)
		r = store_tasks(p);
	kft_tasks_names(&p->tasks, 0, NULL, &p->names);
	return r;
}

static int arm(struct kft_backend *b, struct kft_err *e)
{
	struct perf *p = perf_of(b);
	const struct kft_plan *plan = p->opts.plan;
	int r = kft_perf_shape_add(plan->clock, p->counters.cpu_count, &p->meta);

	if (r == 0)
		r = kft_perf_formats_add(p->opts.host, p->counters.event->name, &p->meta,
					 &p->formats);
	if (r == 0 && p->opts.leads)
		r = describe_trace(p);
	/* Later the process may lack the privilege to look at others. */
	if (r == 0)
		r = kft_perf_maps_read(p->opts.host, plan, &p->maps);
	p->opts.plan = NULL;
	p->opts.command_line = NULL;
	if (r < 0)
		return kft_err_sys(e, r, "cannot describe the samples");
	return p->opts.sink->ops->begin(p->opts.sink, &p->meta, e);
}

static int drain_cpu(struct perf_cpu *c)
{
	const struct perf_event_header *h;
	int r = 0;

	while (r == 0 && (h = kft_perf_ring_next(&c->ring)))
		r = kft_perf_writer_take(&c->writer, h);
	kft_perf_ring_release(&c->ring);
	return r == 0 ? kft_perf_writer_show(&c->writer) : r;
}

static void hand_on_names(struct perf *p)
{
	struct kft_sink *sink = p->opts.sink;

	if (p->opts.leads && sink->ops->names && kft_strbuf_ok(&p->names))
		sink->ops->names(sink, kft_strbuf_cstr(&p->names) + p->names_written,
				 p->names.len - p->names_written);
	p->names_written = p->names.len;
}

static int drain_all(struct perf *p)
{
	int r = 0;

	for (size_t i = 0; i < p->n_cpus && r == 0; i++)
		r = drain_cpu(&p->cpus[i]);
	hand_on_names(p);
	return r;
}

static void *run(void *arg)
{
	struct perf *p = arg;
	uint64_t one = 1;

	do {
		(void)poll(p->fds, p->n_cpus + 1, DRAIN_MS);
		p->err = drain_all(p);
	} while (p->err == 0 && !(p->fds[0].revents & POLLIN));
	if (p->err < 0)
		(void)!write(p->failed_fd, &one, sizeof(one));
	return NULL;
}

static int open_writers(struct perf *p, struct kft_err *e)
{
	for (size_t i = 0; i < p->n_cpus; i++) {
		struct perf_cpu *c = &p->cpus[i];
		int fd;
		int r = p->opts.sink->ops->cpu_fd(p->opts.sink, c->cpu, &fd, e);

		if (r < 0)
			return r;
		r = kft_perf_writer_open(&c->writer, &p->formats, fd);
		if (r < 0)
			return kft_err_memory(e);
		c->writer.tasks = p->opts.leads ? &p->tasks.table : NULL;
		c->writer.names = &p->names;
	}
	return 0;
}

static int start(struct kft_backend *b, struct kft_err *e)
{
	struct perf *p = perf_of(b);
	int r = open_writers(p, e);

	if (r < 0)
		return r;
	r = kft_perf_maps_write(&p->maps, kft_clock_ns(p->counters.attr.clockid),
				&p->cpus[0].writer);
	kft_strbuf_finish(&p->maps);
	if (r == 0)
		r = kft_thread_start(&p->thread, KFT_THREAD_SMALL_STACK, run, p);
	p->has_thread = r == 0;
	if (r == 0)
		r = kft_perf_counters_enable(&p->counters, true);
	return r < 0 ? kft_err_sys(e, r, "cannot start to take samples") : 0;
}

static void tick(struct kft_backend *b)
{
}

static int pause_perf(struct kft_backend *b, bool paused, struct kft_err *e)
{
	int r = kft_perf_counters_enable(&perf_of(b)->counters, !paused);

	return r < 0 ? kft_err_sys(e, r, "cannot %s samples", paused ? "pause" : "resume")
		     : 0;
}

/* The kernel writes a record of lost samples before the next one only. */
static int finish_cpu(struct perf *p, struct perf_cpu *c)
{
	uint64_t lost = kft_perf_counters_lost(&p->counters, c->cpu);
	int r = kft_page_builder_end(&c->writer.pages);

	c->writer.lost_events = KFT_MAX(c->writer.lost_events, lost);
	const struct kft_cpu_stat stat = {
		.cpu = c->cpu,
		.recorded_bytes = c->writer.bytes,
		.dropped_events = c->writer.lost_events,
	};
	return r < 0 || kft_vec_push(&p->meta.stats, stat) ? r : -ENOMEM;
}

static void tell_throttled(const struct perf *p)
{
	uint64_t throttled = 0;

	for (size_t i = 0; i < p->n_cpus; i++)
		throttled += p->cpus[i].writer.throttled;
	if (throttled)
		kft_notify(
			&p->opts.notify,
			"the kernel took fewer samples than asked for, %llu times: "
			"kernel.perf_event_max_sample_rate and perf_cpu_time_max_percent "
			"limit them",
			(unsigned long long)throttled);
}

static int complete_meta(struct perf *p)
{
	if (!p->opts.leads)
		return 0;
	int r = kft_strbuf_ok(&p->names) ? store_tasks(p) : -ENOMEM;

	p->meta.names = (struct kft_blob){p->names.buf, p->names.len};
	return r;
}

static int stop(struct kft_backend *b, struct kft_err *e)
{
	struct perf *p = perf_of(b);
	int r = kft_perf_counters_enable(&p->counters, false);

	end_thread(p);
	if (r == 0)
		r = p->err;
	for (size_t i = 0; i < p->n_cpus && r == 0; i++)
		r = finish_cpu(p, &p->cpus[i]);
	if (r == 0)
		r = complete_meta(p);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write the samples");
	tell_throttled(p);
	return p->opts.sink->ops->end(p->opts.sink, &p->meta, e);
}

static void progress(const struct kft_backend *b, struct kft_progress *ret)
{
	const struct perf *p = container_of(b, struct perf, base);

	for (size_t i = 0; i < p->n_cpus; i++) {
		ret->events += p->cpus[i].writer.events;
		ret->bytes += p->cpus[i].writer.bytes;
		ret->lost += p->cpus[i].writer.lost_events;
	}
}

static int failed_fd(const struct kft_backend *b)
{
	return container_of(b, struct perf, base)->failed_fd;
}

static const char *const clocks[] = {"mono", "mono_raw", "boot", "tai", NULL};

const struct kft_backend_ops kft_perf_backend = {
	.name = "perf",
	.clocks = clocks,
	.accepts = accepts,
	.open = open_perf,
	.arm = arm,
	.start = start,
	.tick = tick,
	.pause = pause_perf,
	.stop = stop,
	.close = close_perf,
	.progress = progress,
	.failed_fd = failed_fd,
};
