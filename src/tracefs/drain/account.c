// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts the events that one CPU recorded and lost. */
#include "tracefs/drain/account.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "base/scan.h"
#include "model/event.h"
#include "model/scope.h"

#define SAMPLE_PERIOD_NS 200000000U
#define STATS_MAX_BYTES	 4096
/* Losses of a CPU beyond this many extend its last range: 5 a second do so after 3 hours. */
#define RANGES_MAX 65536

static int read_counts(struct kft_account *a, struct kft_cpu_counts *ret)
{
	if (!kft_strbuf_reserve(&a->text, STATS_MAX_BYTES))
		return -ENOMEM;
	ssize_t n = pread(a->stats_fd, a->text.buf, STATS_MAX_BYTES, 0);
	if (n < 0)
		return -errno;
	a->text.len = n;
	return kft_cpu_counts_parse(kft_strbuf_cstr(&a->text), ret);
}

int kft_account_open(struct kft_account *a, int instance_fd, uint32_t cpu,
		     struct kft_err *e)
{
	char path[64];

	*a = (struct kft_account){.cpu = cpu, .stats_fd = -1};
	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	a->stats_fd = openat(instance_fd, path, O_RDONLY | O_CLOEXEC);
	int r = a->stats_fd < 0 ? -errno : read_counts(a, &a->last);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read '%s' of tracefs", path);
	kft_loss_watch_init(&a->watch, &a->last);
	a->read_elsewhere = a->last.read;
	return 0;
}

void kft_account_finish(struct kft_account *a)
{
	kft_closep(&a->stats_fd);
	kft_written_finish(&a->written);
	kft_vec_finish(&a->ranges);
	kft_strbuf_finish(&a->text);
	a->stats_fd = -1;
}

int kft_account_compare(struct kft_account *a, int fd,
			const struct kft_ring_layout *layout, size_t page_size)
{
	return kft_written_open(&a->written, fd, layout, page_size);
}

void kft_account_save(const struct kft_account *a, struct kft_strbuf *sb)
{
	const struct kft_cpu_counts *base = &a->watch.base;

	kft_strbuf_addf(
		sb, "%u %llu %llu %llu %llu %llu %llu %llu\n", a->cpu,
		(unsigned long long)base->dropped,
		(unsigned long long)base->commit_overrun, (unsigned long long)base->now,
		(unsigned long long)a->watch.before_base,
		(unsigned long long)atomic_load(&a->taken),
		(unsigned long long)a->last.read, (unsigned long long)a->written.pos);
}

/* Numbers of a line of kft_account_save() after the CPU's. */
#define LINE_NUMBERS 7

/* Parses a line of kft_account_save() and advances *p past it. */
static bool scan_line(const char **p, uint32_t *ret_cpu, uint64_t v[static LINE_NUMBERS])
{
	bool ok = kft_scan_u32(p, ret_cpu);

	for (size_t i = 0; i < LINE_NUMBERS && ok; i++)
		ok = kft_scan_text(p, " ") && kft_scan_u64(p, &v[i]);
	return ok && kft_scan_text(p, "\n");
}

void kft_account_settle(struct kft_account *a, uint64_t events)
{
	a->is_settled = true;
	a->settled_events = events;
}

static int add_range(struct kft_account *a, const struct kft_lost_range *range)
{
	if (a->ranges.len < RANGES_MAX)
		return kft_vec_push(&a->ranges, *range) ? 0 : -ENOMEM;
	struct kft_lost_range *last = &a->ranges.data[a->ranges.len - 1];

	last->until = range->until;
	if (kft_add(last->count, range->count, &last->count))
		last->count = KFT_LOST_UNKNOWN;
	return 0;
}

static int take_loss(struct kft_account *a, const struct kft_cpu_counts *now,
		     struct kft_sink *sink)
{
	struct kft_cpu_counts later;
	int r = read_counts(a, &later);

	if (r < 0)
		return r;
	struct kft_lost_range range = kft_loss_watch_take(&a->watch, a->cpu, now, &later);
	/*
	 * Needed only for the trace of a killed recorder: at the end meta gets all
	 * ranges.
	 */
	(void)!sink->ops->lost(sink, &range);
	return add_range(a, &range);
}

/* Accounts for events that were read and do not get into the file. */
static int add_taken(struct kft_account *a, const struct kft_lost_range *range,
		     struct kft_sink *sink)
{
	uint64_t taken = atomic_load_explicit(&a->taken, memory_order_relaxed);

	atomic_store_explicit(&a->taken, kft_lost_add(taken, range->count),
			      memory_order_relaxed);
	(void)!sink->ops->lost(sink, range);
	return add_range(a, range);
}

/*
 * Accounts for events that another reader took: they were in the buffer at the last
 * sample, or came since. count may be KFT_LOST_UNKNOWN.
 */
static int take_theft(struct kft_account *a, uint64_t count, struct kft_sink *sink)
{
	struct kft_cpu_counts later;
	int r = read_counts(a, &later);

	if (r < 0)
		return r;
	const struct kft_lost_range range = {
		.cpu = a->cpu,
		.since = a->last.oldest ? a->last.oldest : a->last.now,
		.until = later.now_max,
		.count = count,
	};
	return add_taken(a, &range, sink);
}

/*
 * Compares the events that the file has from pos on with those that the kernel counts as
 * read since it counted `read` of them.
 */
static int take_unwritten(struct kft_account *a, uint64_t read, uint64_t pos,
			  struct kft_sink *sink)
{
	uint64_t written;

	/* The kernel counts anew: the buffer was emptied when recording went on. */
	if (a->last.read < read)
		return 0;
	kft_written_resume(&a->written, pos);
	if (kft_written_count(&a->written, &written) < 0)
		return 0;
	a->read_elsewhere = a->last.read - written;
	if (a->last.read - read <= written)
		return 0;
	const struct kft_lost_range range = {
		.cpu = a->cpu,
		.since = a->written.last_ts,
		.until = a->last.entries ? a->last.oldest : a->last.now_max,
		.count = a->last.read - read - written,
	};
	return add_taken(a, &range, sink);
}

int kft_account_restore(struct kft_account *a, const char *text, struct kft_sink *sink)
{
	struct kft_cpu_counts *base = &a->watch.base;
	uint64_t v[LINE_NUMBERS];
	uint64_t read = 0;
	uint64_t pos = 0;
	uint32_t cpu;

	/*
	 * Defaults for a buffer that was never read: every loss came after its oldest
	 * event, which is still there.
	 */
	base->dropped = 0;
	base->commit_overrun = 0;
	base->now = base->oldest ? base->oldest : base->now;
	a->watch.before_base = base->now;
	while (scan_line(&text, &cpu, v)) {
		if (cpu != a->cpu)
			continue;
		base->dropped = v[0];
		base->commit_overrun = v[1];
		base->now = v[2];
		a->watch.before_base = v[3];
		atomic_store(&a->taken, v[4]);
		read = v[5];
		pos = v[6];
	}
	return take_unwritten(a, read, pos, sink);
}

/*
 * The kernel returns each event once, so an event that it counts as read but that was not
 * written went to another program.
 */
static int compare(struct kft_account *a, const struct kft_cpu_counts *now,
		   struct kft_sink *sink, uint64_t *ret_events)
{
	uint64_t written;

	*ret_events = now->read + now->entries;
	if (a->is_settled)
		written = a->settled_events;
	else if (kft_written_count(&a->written, &written) < 0)
		return 0;
	uint64_t elsewhere = now->read - written;
	int64_t more = (int64_t)(elsewhere - a->read_elsewhere);

	*ret_events = written + now->entries;
	a->read_elsewhere = elsewhere;
	if (more < 0 || kft_cpu_counts_restarted(&a->last, now))
		return take_theft(a, KFT_LOST_UNKNOWN, sink);
	return more > 0 ? take_theft(a, more, sink) : 0;
}

int kft_account_sample(struct kft_account *a, struct kft_sink *sink)
{
	struct kft_cpu_counts now;
	uint64_t events;
	int r = read_counts(a, &now);

	if (r == 0)
		r = compare(a, &now, sink, &events);
	if (r < 0)
		return r;
	if (kft_loss_watch_grew(&a->watch, &now))
		r = take_loss(a, &now, sink);
	else
		kft_loss_watch_advance(&a->watch, &now);
	if (r < 0)
		return r;
	a->last = now;
	a->sampled_ns = kft_now_ns();
	/* Both numbers are for a display, which does not depend on their order. */
	atomic_store_explicit(&a->events, events, memory_order_relaxed);
	atomic_store_explicit(&a->lost, kft_cpu_counts_lost(&now), memory_order_relaxed);
	return 0;
}

int kft_account_follow(struct kft_account *a, struct kft_sink *sink)
{
	if (kft_now_ns() < a->sampled_ns + SAMPLE_PERIOD_NS)
		return 0;
	return kft_account_sample(a, sink);
}

/*
 * The kernel's stats text, with a line in its style for taken events, which it does not
 * count.
 */
static int set_text(const struct kft_account *a, struct kft_cpu_stat *stat,
		    struct kft_meta *meta)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_add(&text, a->text.buf, a->text.len);
	if (stat->taken == KFT_LOST_UNKNOWN)
		kft_strbuf_adds(&text, "taken events: unknown\n");
	else if (stat->taken)
		kft_strbuf_addf(&text, "taken events: %llu\n",
				(unsigned long long)stat->taken);
	if (!kft_strbuf_ok(&text))
		return -ENOMEM;
	return kft_meta_set_blob(meta, &stat->text, text.buf, text.len);
}

int kft_account_report(const struct kft_account *a, const char *buffer, uint64_t bytes,
		       struct kft_meta *meta)
{
	struct kft_cpu_stat stat = {
		.cpu = a->cpu,
		.buffer = buffer,
		.recorded_bytes = bytes,
		.overrun = a->last.overrun,
		.dropped_events = a->last.dropped,
		.commit_overrun = a->last.commit_overrun,
		.unread = a->last.entries,
		.taken = atomic_load_explicit(&a->taken, memory_order_relaxed),
	};
	int r = set_text(a, &stat, meta);

	if (r < 0 || !kft_vec_push(&meta->stats, stat) ||
	    !kft_vec_reserve(&meta->lost, a->ranges.len))
		return -ENOMEM;
	for (size_t i = 0; !buffer && i < a->ranges.len; i++)
		(void)kft_vec_push(&meta->lost, a->ranges.data[i]);
	return 0;
}
