// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the kernel's counts of one CPU's buffer. */
#include "tracefs/control/cpu_counts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "tracefs/control/cpus.h"
#include "model/event.h"

#define STATS_MAX_BYTES 4096
#define NS_PER_S	1000000000U
#define NS_PER_US	1000U

/* Parses digits and advances *p past them. Wraps on overflow, as the kernel's counters do. */
static uint64_t digits(const char **p)
{
	uint64_t v = 0;

	while (**p == ' ' || **p == '\t')
		(*p)++;
	for (; **p >= '0' && **p <= '9'; (*p)++)
		v = v * 10 + (uint64_t)(**p - '0');
	return v;
}

/*
 * Parses " 1179.173203" for clocks that count nanoseconds, "117930" for others. Returns
 * the lower bound of the clock, which the kernel rounds to microseconds (ns2usecs());
 * *ret_max is the upper bound.
 */
static uint64_t parse_clock(const char *p, uint64_t *ret_max)
{
	uint64_t v = digits(&p);

	*ret_max = v;
	if (*p != '.')
		return v;
	p++;
	v = v * NS_PER_S + digits(&p) * NS_PER_US;
	*ret_max = v + NS_PER_US / 2 - 1;
	return v - KFT_MIN(v, (uint64_t)NS_PER_US / 2);
}

static bool parse_line(const char *line, struct kft_cpu_counts *c)
{
	const struct {
		const char *name;
		uint64_t *value;
	} counters[] = {
		{"entries:", &c->entries},
		{"overrun:", &c->overrun},
		{"commit overrun:", &c->commit_overrun},
		{"bytes:", &c->bytes},
		{"dropped events:", &c->dropped},
		{"read events:", &c->read},
	};

	uint64_t unused;
	if (strncmp(line, "now ts:", 7) == 0) {
		c->now = parse_clock(line + 7, &c->now_max);
		return true;
	}
	if (strncmp(line, "oldest event ts:", 16) == 0) {
		c->oldest = parse_clock(line + 16, &unused);
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		size_t len = strlen(counters[i].name);

		if (strncmp(line, counters[i].name, len) != 0)
			continue;
		const char *p = line + len;
		*counters[i].value = digits(&p);
		return true;
	}
	return false;
}

int kft_cpu_counts_parse(const char *text, struct kft_cpu_counts *ret)
{
	struct kft_cpu_counts c = {};
	bool any = false;

	for (const char *line = text; *line;) {
		any |= parse_line(line, &c);
		const char *end = strchrnul(line, '\n');
		line = *end ? end + 1 : end;
	}
	if (!any)
		return -EINVAL;
	*ret = c;
	return 0;
}

static int read_cpu(int instance_fd, uint32_t cpu, struct kft_cpu_counts *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	char path[64];

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	int r = kft_read_at(instance_fd, path, STATS_MAX_BYTES, &sb);
	return r < 0 ? r : kft_cpu_counts_parse(kft_strbuf_cstr(&sb), ret);
}

int kft_cpu_counts_sum(int instance_fd, struct kft_cpu_counts *ret)
{
	struct kft_cpus cpus = {};
	struct kft_cpu_counts sum = {};
	int r = kft_cpus_list(instance_fd, &cpus);

	for (size_t i = 0; r == 0 && i < cpus.len; i++) {
		struct kft_cpu_counts one = {};

		r = read_cpu(instance_fd, cpus.data[i], &one);
		kft_cpu_counts_add(&sum, &one);
	}
	kft_vec_finish(&cpus);
	if (r == 0)
		*ret = sum;
	return r;
}

bool kft_cpu_counts_restarted(const struct kft_cpu_counts *before,
			      const struct kft_cpu_counts *now)
{
	if (now->read < before->read || now->overrun < before->overrun ||
	    now->dropped < before->dropped ||
	    now->commit_overrun < before->commit_overrun)
		return true;
	/* Unless the buffer was emptied, entries disappear only by being read or overwritten. */
	return now->entries < before->entries && now->read == before->read &&
	       now->overrun == before->overrun;
}

void kft_loss_watch_init(struct kft_loss_watch *w, const struct kft_cpu_counts *now)
{
	*w = (struct kft_loss_watch){.base = *now, .before_base = now->now};
}

static uint64_t ranged(const struct kft_cpu_counts *c)
{
	return c->dropped + c->commit_overrun;
}

bool kft_loss_watch_grew(const struct kft_loss_watch *w, const struct kft_cpu_counts *now)
{
	return ranged(now) != ranged(&w->base);
}

struct kft_lost_range kft_loss_watch_take(struct kft_loss_watch *w, uint32_t cpu,
					  const struct kft_cpu_counts *now,
					  const struct kft_cpu_counts *later)
{
	bool nested = now->commit_overrun != w->base.commit_overrun;
	bool restarted = ranged(now) < ranged(&w->base);
	struct kft_lost_range range = {
		.cpu = cpu,
		.since = nested ? w->before_base : w->base.now,
		.until = later->now_max,
		.count = restarted ? KFT_LOST_UNKNOWN : ranged(now) - ranged(&w->base),
	};

	kft_loss_watch_advance(w, now);
	return range;
}

void kft_loss_watch_advance(struct kft_loss_watch *w, const struct kft_cpu_counts *now)
{
	w->before_base = w->base.now;
	w->base = *now;
}
