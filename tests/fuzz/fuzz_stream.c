// SPDX-License-Identifier: GPL-2.0-only
/* Whole recordings as streams. */
#include "trace.h"

#include <errno.h>

#include "file/tracedat/stream/read.h"

static int open_stream(int fd, const char *path, struct kft_trace **ret,
		       struct kft_err *e)
{
	int r = lseek(fd, 0, SEEK_SET) < 0 ? -errno
					   : kft_stream_open(fd, NULL, 0, path, ret, e);

	(void)close(fd);
	return r;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_trace(data, size, open_stream);
}
