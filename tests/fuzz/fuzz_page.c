// SPDX-License-Identifier: GPL-2.0-only
/* trace.dat files as pages: kft view, written and served. */
#include "trace.h"

#include <fcntl.h>
#include <string.h>

#include "file/tracedat/read/read.h"
#include "view/page.h"

/* Little room: levels of detail are left out as well. */
#define PAGE_BYTES 20000

static void write_page(struct kft_trace *t, const struct kft_view_opts *opts, int fd)
{
	struct kft_view_done done = {};
	struct kft_err e = {};
	int r = kft_view_write(t, opts, fd, &done, &e);

	FUZZ_ASSERT(r == 0 ? done.bytes > 0 : e.code == r && *e.msg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const struct kft_view_opts whole = {.name = "fuzz", .all_texts = true};
	const struct kft_view_opts small = {.name = "fuzz", .max_bytes = PAGE_BYTES};
	_cleanup_close_ int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct kft_err e = {};
	int fd = fuzz_file_of(data, size);

	if (fd < 0 || kft_tracedat_open(fd, "/nowhere/fuzz", &t, &e) < 0)
		return 0;
	write_page(t, &whole, null);
	write_page(t, &small, null);
	return 0;
}
