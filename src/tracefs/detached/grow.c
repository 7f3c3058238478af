// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes a flight recorder's buffers big enough for the time that they are to hold. */
#include "tracefs/detached/grow.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "base/now.h"
#include "tracefs/control/buffer.h"
#include "tracefs/control/cpus.h"
#include "tracefs/control/control_file.h"
#include "tracefs/control/cpu_counts.h"
#include "tracefs/mark.h"

#define STATS_MAX_BYTES 4096

/* A full buffer overwrites a page at a time, and so holds a little less than its size. */
static bool is_full(const struct kft_cpu_counts *c, uint64_t buffer_bytes)
{
	return c->overrun && c->bytes >= buffer_bytes / 4 * 3;
}

/* Returns 1 if the CPU's buffer is full and reaches back less than keep_ns. */
static int is_short(const struct kft_tracefs_part *r, uint32_t cpu, uint64_t buffer_bytes)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_cpu_counts c;
	char path[64];

	(void)snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu);
	int n = kft_read_at(r->place.fd, path, STATS_MAX_BYTES, &sb);
	if (n == 0)
		n = kft_cpu_counts_parse(kft_strbuf_cstr(&sb), &c);
	if (n < 0)
		return n;
	return is_full(&c, buffer_bytes) && c.now > c.oldest &&
	       c.now - c.oldest < r->base.run->rec.options.keep_ns;
}

int kft_run_grow(const struct kft_tracefs_part *r, struct kft_err *e)
{
	struct kft_cpus cpus = {};
	uint64_t buffer_kb = 0;
	int n = kft_control_file_read_u64(r->place.fd, "buffer_size_kb", &buffer_kb);
	uint64_t bytes = buffer_kb * 1024;

	if (n == 0)
		n = kft_cpus_list(r->place.fd, &cpus);
	for (size_t i = 0; n == 0 && i < cpus.len; i++)
		n = is_short(r, cpus.data[i], bytes);
	kft_vec_finish(&cpus);
	if (n < 0)
		return kft_err_sys(e, n, "cannot look into the buffers of session '%s'",
				   r->base.run->dir.name);
	if (n == 0 || bytes > KFT_GROW_MAX_BYTES / 2)
		return 0;
	(void)!kft_mark_write(&r->place, KFT_MARK_PAUSE, "full", kft_now_ns());
	n = kft_buffer_set(&r->place, bytes * 2, e);
	(void)!kft_mark_write(&r->place, KFT_MARK_RESUME, "full", kft_now_ns());
	/*
	 * Without more memory the buffers stay as they are; kft status shows how far they
	 * reach.
	 */
	if (n == -ENOMEM && e)
		*e = (struct kft_err){};
	return n == -ENOMEM ? 0 : n;
}
