// SPDX-License-Identifier: GPL-2.0-only
/* A KFT log as text, and the nesting of its calls. */
#include "fuzz.h"

#include <sys/mman.h>

#include "base/io.h"
#include "derive/calls/nest.h"
#include "file/kftlog/read.h"

struct seen {
	uint64_t entered;
	uint64_t left;
};

static int on_enter(void *arg, const struct kft_nested *n)
{
	struct seen *seen = arg;

	FUZZ_ASSERT(n->number == seen->entered);
	FUZZ_ASSERT(n->depth <= KFT_NEST_DEPTH_MAX);
	FUZZ_ASSERT(n->parent ? n->depth == n->parent->depth + 1 : n->depth == 0);
	seen->entered++;
	return 0;
}

static int on_leave(void *arg, const struct kft_nested *n)
{
	struct seen *seen = arg;

	FUZZ_ASSERT(kft_nested_local_ns(n) <= n->call.dur_ns);
	FUZZ_ASSERT(kft_nested_on_local_ns(n) <= n->call.dur_ns);
	FUZZ_ASSERT(n->call.end == KFT_CALL_ENDED || n->call.dur_ns == 0);
	seen->left++;
	return 0;
}

static void read_log(int fd)
{
	struct seen seen = {};
	struct kft_nest_sink sink = {on_enter, on_leave, &seen};
	struct kft_intern names = {};
	struct kft_nest *nest;
	struct kft_call call;
	struct kft_log log;

	if (kft_nest_create(&sink, &nest) < 0)
		return;
	if (kft_log_init(&log, fd) == 0)
		while (kft_log_next(&log, &names, &call) > 0)
			FUZZ_ASSERT(kft_nest_add(nest, &call) == 0);
	FUZZ_ASSERT(kft_nest_flush(nest) == 0);
	FUZZ_ASSERT(seen.entered == log.rows && seen.left == log.rows);
	kft_log_finish(&log);
	kft_intern_finish(&names);
	nest = kft_nest_destroy(nest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_close_ int fd = memfd_create("fuzz_kftlog", MFD_CLOEXEC);

	if (fd >= 0 && kft_write_all(fd, data, size) == 0 && lseek(fd, 0, SEEK_SET) == 0)
		read_log(fd);
	return 0;
}
