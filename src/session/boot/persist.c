// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes the kernel parameters for buffers that survive a reboot. */
#include "session/boot/persist.h"

#include <errno.h>
#include <inttypes.h>

#include "base/err.h"
#include "base/io.h"
#include "base/scan.h"
#include "tracefs/control/tracefs_dir.h"

/* The name of the reserved memory, which one flight recorder uses. */
#define MEMORY		  "kft"
#define MEMINFO_MAX_BYTES (64U << 10)
#define RELEASE_MAX_BYTES 256

/* A session's name has no byte that is special in these parameters. */
void kft_persist_params(const char *session, uint64_t bytes, struct kft_strbuf *sb)
{
	char instance[KFT_PLACE_PREFIX_MAX];

	kft_tracefs_dir_instance_name(session, instance, sizeof(instance));
	kft_strbuf_addf(sb,
			"reserve_mem=%" PRIu64 "K:4096:" MEMORY
			" trace_instance=%s^traceoff@" MEMORY,
			bytes / 1024, instance);
}

/* trace_instance=NAME@MEMORY came with 6.12, reserve_mem= with 6.11. */
static int check_kernel(struct kft_host *host, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint32_t major = 0;
	uint32_t minor = 0;

	int r = kft_read_at(host->root_fd, "proc/sys/kernel/osrelease", RELEASE_MAX_BYTES,
			    &sb);
	if (r < 0)
		return kft_err_sys(e, r, "cannot find out which kernel this is");
	const char *p = kft_strbuf_cstr(&sb);

	if (kft_scan_u32(&p, &major) && kft_scan_text(&p, ".") &&
	    kft_scan_u32(&p, &minor) && (major > 6 || (major == 6 && minor >= 12)))
		return 0;
	(void)kft_err_set(e, -EOPNOTSUPP, "Linux %u.%u keeps no trace over a reboot",
			  major, minor);
	kft_err_hint(e,
		     "Linux 6.12 and later do, in memory that reserve_mem= sets aside");
	return -EOPNOTSUPP;
}

static int check_memory(struct kft_host *host, uint64_t bytes, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint64_t total_kb = 0;

	if (kft_read_at(host->root_fd, "proc/meminfo", MEMINFO_MAX_BYTES, &sb) < 0)
		return 0;
	if (!kft_scan_named(kft_strbuf_cstr(&sb), "MemTotal:", &total_kb) ||
	    bytes / 1024 <= total_kb / 4)
		return 0;
	return kft_err_set(e, -ENOMEM,
			   "%" PRIu64 " KB are more than a quarter of the memory",
			   bytes / 1024);
}

int kft_persist_check(struct kft_host *host, uint64_t bytes, struct kft_err *e)
{
	int r = check_kernel(host, e);

	return r < 0 ? r : check_memory(host, bytes, e);
}
