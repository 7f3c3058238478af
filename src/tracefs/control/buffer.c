// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sets the size of an instance's buffers. */
#include "tracefs/control/buffer.h"

#include <errno.h>

#include "base/err.h"
#include "base/io.h"
#include "base/scan.h"
#include "base/units.h"
#include "tracefs/control/cpus.h"
#include "tracefs/control/control_file.h"

#define DEFAULT_BYTES	  (32U << 20)
#define DEFAULT_ALL_BYTES (UINT64_C(2) << 30)
#define DEFAULT_MIN_BYTES (1408U << 10)
#define DEFAULT_FRACTION  64
#define MEMINFO_MAX_BYTES (64U << 10)

/* Returns a value of /proc/meminfo in bytes; 0 when it is missing. */
static uint64_t meminfo(const struct kft_host *host, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint64_t kb;

	if (kft_read_at(host->root_fd, "proc/meminfo", MEMINFO_MAX_BYTES, &sb) < 0)
		return 0;
	return kft_scan_named(kft_strbuf_cstr(&sb), name, &kb) ? kb * 1024 : 0;
}

uint64_t kft_buffer_default_bytes(const struct kft_host *host)
{
	uint64_t total = meminfo(host, "MemTotal:");
	uint64_t all = KFT_MIN(total / DEFAULT_FRACTION, DEFAULT_ALL_BYTES);
	uint64_t share = all / kft_cpus_online(host);

	if (!total)
		return DEFAULT_MIN_BYTES;
	return KFT_MAX(KFT_MIN(share, (uint64_t)DEFAULT_BYTES),
		       (uint64_t)DEFAULT_MIN_BYTES);
}

static int too_big(uint64_t bytes, uint32_t cpus, uint64_t available, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf each = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf have = {};

	kft_strbuf_add_bytes(&each, bytes);
	kft_strbuf_add_bytes(&have, available);
	kft_err_set(e, -ENOMEM, "no memory for a buffer of %s for each of %u CPUs",
		    kft_strbuf_cstr(&each), cpus);
	if (available)
		kft_err_hint(e, "%s are available: ask for less", kft_strbuf_cstr(&have));
	return -ENOMEM;
}

/* The file has "X" when sizes differ: an offline CPU kept its size, and the others were set. */
static int check(int instance_fd, uint64_t want_kb, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint64_t got_kb;
	int r = kft_control_file_read_value(instance_fd, "buffer_size_kb", &sb);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read the size of the buffers");
	if (kft_parse_u64(kft_strbuf_cstr(&sb), &got_kb) < 0)
		return 0;
	if (got_kb < want_kb)
		return kft_err_set(
			e, -ENOMEM, "the kernel gave buffers of %llu KB, not of %llu KB",
			(unsigned long long)got_kb, (unsigned long long)want_kb);
	return 0;
}

int kft_buffer_set(const struct kft_tracefs_dir *p, uint64_t bytes, struct kft_err *e)
{
	const struct kft_host *host = p->ledger->host;
	uint32_t cpus = kft_cpus_online(host);
	uint64_t want = bytes ? bytes : kft_buffer_default_bytes(host);
	uint64_t available = meminfo(host, "MemAvailable:");
	uint64_t all;

	if (p->kept)
		return 0;
	if (kft_mul(want, (uint64_t)cpus, &all) || (available && all > available))
		return too_big(want, cpus, available, e);
	uint64_t want_kb = want / 1024 + (want % 1024 != 0);
	int r = kft_tracefs_dir_set_u64(p, "buffer_size_kb", want_kb, e);
	if (r == -ENOMEM)
		return too_big(want, cpus, available, e);
	if (r < 0)
		return kft_err_sys(e, r, "cannot set the size of the buffers");
	return check(p->fd, want_kb, e);
}
