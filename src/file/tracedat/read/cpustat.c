// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the statistics of a CPU's ring buffer from a trace.dat file. */
#include "file/tracedat/read/cpustat.h"

#include <errno.h>
#include <string.h>

#include "model/event.h"

/* Finds the line that starts with the key; *ret is its rest. Other lines are skipped. */
static bool find_line(const struct kft_blob *text, const char *key, struct kft_blob *ret)
{
	const char *p = text->data;
	const char *end = p + text->len;
	size_t key_len = strlen(key);

	while (p < end) {
		const char *nl = memchr(p, '\n', end - p);
		size_t len = (nl ? nl : end) - p;

		if (len >= key_len && memcmp(p, key, key_len) == 0) {
			*ret = (struct kft_blob){p + key_len, len - key_len};
			return true;
		}
		p += len + 1;
	}
	return false;
}

static bool find_number(const struct kft_blob *text, const char *key, uint64_t *ret)
{
	struct kft_blob line;
	uint64_t v = 0;
	size_t i = 0;

	if (!find_line(text, key, &line) || !line.len)
		return false;
	for (; i < line.len && line.data[i] >= '0' && line.data[i] <= '9'; i++)
		if (kft_mul(v, (uint64_t)10, &v) ||
		    kft_add(v, (uint64_t)(line.data[i] - '0'), &v))
			return false;
	if (i == 0)
		return false;
	*ret = v;
	return true;
}

/* Reads a number that kft writes as "unknown" where it was not counted. */
static void read_count(const struct kft_blob *text, const char *key, uint64_t *ret)
{
	struct kft_blob line;

	if (find_line(text, key, &line) && line.len >= 7 &&
	    memcmp(line.data, "unknown", 7) == 0)
		*ret = KFT_LOST_UNKNOWN;
	else
		(void)find_number(text, key, ret);
}

int kft_dat_read_cpustat(struct kft_dat_reader *d, const struct kft_blob *text)
{
	struct kft_meta *m = &d->trace->meta;
	struct kft_cpu_stat s = {.buffer = d->stat_buffer, .text = *text};
	struct kft_blob name;
	uint64_t cpu;

	if (!find_number(text, "CPU: ", &cpu) || cpu >= KFT_TRACEDAT_MAX_CPUS) {
		if (!find_line(text, "Buffer: ", &name))
			return 0;
		d->stat_buffer = kft_arena_strndup(&m->arena, name.data, name.len);
		return d->stat_buffer ? 0 : -ENOMEM;
	}
	s.cpu = cpu;
	/* Recorders write these of all CPUs, exports do not. */
	m->has_machine_cpus = true;
	/* A number that a kernel does not report stays 0. */
	(void)find_number(text, "bytes: ", &s.recorded_bytes);
	read_count(text, "overrun: ", &s.overrun);
	(void)find_number(text, "dropped events: ", &s.dropped_events);
	(void)find_number(text, "commit overrun: ", &s.commit_overrun);
	(void)find_number(text, "entries: ", &s.unread);
	(void)find_number(text, "read events: ", &s.read_events);
	read_count(text, "taken events: ", &s.taken);
	return kft_vec_push(&m->stats, s) ? 0 : -ENOMEM;
}
