// SPDX-License-Identifier: LGPL-2.1-or-later
/* Notices interference with an instance that records. */
#include "tracefs/drain/others.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>

#include "base/io.h"
#include "base/now.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/cpus.h"
#include "tracefs/control/control_file.h"
#include "model/event.h"

#define STATS_MAX_BYTES 4096
/*
 * Spans beyond this many extend the last one, should a program switch recording all the
 * time.
 */
#define RANGES_MAX 4096

/*
 * Opens the stats of the instance's first CPU: clocks that differ between CPUs differ by
 * little.
 */
static int open_stats(int instance_fd)
{
	struct kft_cpus cpus = {};
	char path[64];

	if (kft_cpus_list(instance_fd, &cpus) < 0)
		return -1;
	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpus.data[0]);
	kft_vec_finish(&cpus);
	return openat(instance_fd, path, O_RDONLY | O_CLOEXEC);
}

static int watch(const struct kft_others *s, const char *name, uint32_t mask)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", s->instance_fd, name);
	return s->inotify_fd < 0 ? -1 : inotify_add_watch(s->inotify_fd, path, mask);
}

/* Changes of the files since the last poll. */
struct done {
	bool switched; /* tracing_on was written, whatever its value is now */
	bool emptied;
};

static struct done read_inotify(const struct kft_others *s)
{
	char buf[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	struct done done = {};
	ssize_t n;

	while (s->inotify_fd >= 0 && (n = read(s->inotify_fd, buf, sizeof(buf))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *ev = (const void *)(buf + at);

			done.switched |= ev->wd == s->switch_watch;
			done.emptied |= ev->wd == s->trace_watch;
			at += sizeof(*ev) + ev->len;
		}
	return done;
}

static bool is_on(const struct kft_others *s)
{
	uint64_t on = 1;

	/* A file that cannot be read counts as on. */
	return kft_control_file_read_u64(s->instance_fd, "tracing_on", &on) < 0 ||
	       on != 0;
}

/* The upper or the lower bound of the buffer's clock; 0 when it cannot be read. */
static uint64_t clock_now(const struct kft_others *s, bool latest)
{
	char text[STATS_MAX_BYTES + 1];
	struct kft_cpu_counts counts;
	ssize_t n = s->stats_fd < 0 ? -1 : pread(s->stats_fd, text, STATS_MAX_BYTES, 0);

	if (n <= 0)
		return 0;
	text[n] = '\0';
	if (kft_cpu_counts_parse(text, &counts) < 0)
		return 0;
	return latest ? counts.now_max : counts.now;
}

void kft_others_open(struct kft_others *s, int instance_fd)
{
	*s = (struct kft_others){
		.instance_fd = instance_fd,
		.stats_fd = open_stats(instance_fd),
		.inotify_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC),
		.on_ns = kft_now_ns(),
	};
	s->switch_watch = watch(s, "tracing_on", IN_MODIFY);
	s->trace_watch = watch(s, "trace", IN_CLOSE_WRITE);
	s->on_ts = clock_now(s, false);
	s->start_ts = s->on_ts;
}

void kft_others_close(struct kft_others *s)
{
	kft_closep(&s->stats_fd);
	kft_closep(&s->inotify_fd);
	kft_vec_finish(&s->ranges);
	*s = (struct kft_others){.stats_fd = -1, .inotify_fd = -1};
}

/* Adds a span from `since` to now in which events are missing. */
static void add_span(struct kft_others *s, uint64_t since)
{
	const struct kft_lost_range range = {
		.since = since,
		.until = clock_now(s, true),
		.count = KFT_LOST_UNKNOWN,
	};

	if (s->ranges.len < RANGES_MAX && kft_vec_push(&s->ranges, range))
		return;
	if (s->ranges.len)
		s->ranges.data[s->ranges.len - 1].until = range.until;
}

bool kft_others_look(struct kft_others *s, bool last)
{
	/*
	 * Read the clock before the state, so that a switch-off between the two is in the
	 * next span.
	 */
	uint64_t ts = clock_now(s, false);
	uint64_t ns = kft_now_ns();
	struct done done = read_inotify(s);
	bool on = is_on(s);
	bool ended = (s->is_off || done.switched || !on) && (on || last);

	if (ended) {
		add_span(s, s->on_ts);
		s->off_ns += kft_now_ns() - s->on_ns;
	}
	/*
	 * The span begins with the recording: the page that a CPU was writing may have
	 * had the first events.
	 */
	if (done.emptied)
		add_span(s, s->start_ts);
	s->emptied |= done.emptied;
	s->is_off = !on && !last;
	if (on) {
		s->on_ts = ts;
		s->on_ns = ns;
	}
	return ended;
}

void kft_others_resume(struct kft_others *s)
{
	struct done done = read_inotify(s);

	if (done.emptied)
		add_span(s, s->start_ts);
	s->emptied |= done.emptied;
	s->is_off = false;
	s->on_ts = clock_now(s, false);
	s->on_ns = kft_now_ns();
}

int kft_others_report(const struct kft_others *s, struct kft_meta *meta)
{
	kft_vec_for_each(&s->ranges, range)
		kft_vec_for_each(&meta->stats, stat) {
			struct kft_lost_range copy = *range;

			copy.cpu = stat->cpu;
			if (!kft_vec_push(&meta->lost, copy))
				return -ENOMEM;
		}
	return 0;
}
