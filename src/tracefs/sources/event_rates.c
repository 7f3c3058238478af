// SPDX-License-Identifier: LGPL-2.1-or-later
/* Measures the rates of events. */
#include "tracefs/sources/event_rates.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/instance.h"

/* Size of each CPU's buffer. A small one suffices, because overwritten events are counted, too. */
#define BUFFER_KB  "16"
#define PATH_BYTES 512

static int write_to(int fd, const char *event, const char *file, const char *text)
{
	char path[PATH_BYTES];
	size_t len = strcspn(event, ":");

	if (!event[len] || snprintf(path, sizeof(path), "events/%.*s/%s/%s", (int)len,
				    event, event + len + 1, file) >= (int)sizeof(path))
		return -ENOENT;
	return kft_write_at(fd, path, 0, text, strlen(text));
}

static int count(int fd, uint64_t *ret)
{
	struct kft_cpu_counts counts;
	int r = kft_cpu_counts_sum(fd, &counts);

	if (r == 0)
		*ret = counts.entries + counts.overrun;
	return r;
}

static int count_for(int fd, struct kft_event_rate *rate, uint64_t duration_ns)
{
	const struct timespec ts = {.tv_sec = (time_t)(duration_ns / 1000000000),
				    .tv_nsec = (long)(duration_ns % 1000000000)};
	uint64_t before = 0;
	uint64_t after = 0;
	int r = count(fd, &before);
	uint64_t began = kft_now_ns();

	if (r == 0)
		r = write_to(fd, rate->event, "enable", "1");
	if (r < 0)
		return r;
	(void)nanosleep(&ts, NULL);
	r = write_to(fd, rate->event, "enable", "0");
	uint64_t ended = kft_now_ns();
	if (r == 0)
		r = count(fd, &after);
	if (r == 0)
		rate->per_s = (uint64_t)((double)(after - before) * 1e9 /
					 (double)(ended - began));
	return r;
}

static int count_one(int fd, struct kft_event_rate *rate, uint64_t duration_ns)
{
	int r = rate->filter ? write_to(fd, rate->event, "filter", rate->filter) : 0;

	rate->per_s = 0;
	if (r == 0)
		r = count_for(fd, rate, duration_ns);
	return r == -ENOENT ? 0 : r;
}

int kft_event_rates_count(struct kft_host *host, struct kft_event_rate *rates, size_t n,
			  uint64_t each_ns, struct kft_err *e)
{
	struct kft_instance instance;
	int r = kft_instance_create(host, NULL, &instance, e);

	if (r < 0)
		return r;
	r = kft_control_file_set(instance.fd, "buffer_size_kb", BUFFER_KB);
	for (size_t i = 0; i < n && r == 0; i++)
		r = count_one(instance.fd, &rates[i], each_ns);
	if (r < 0)
		kft_err_sys(e, r, "cannot count how often events come");
	int removed = kft_instance_remove(&instance, r < 0 ? NULL : e);
	return r < 0 ? r : removed;
}
