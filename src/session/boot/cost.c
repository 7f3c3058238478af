// SPDX-License-Identifier: LGPL-2.1-or-later
/* Measures how long system calls take while functions are traced. */
#include "session/boot/cost.h"

#include "base/io.h"
#include "base/now.h"

/* Reading it makes some thousand calls of functions in the kernel. */
#define FILE_READ	"proc/self/status"
#define FILE_READ_BYTES 65536
#define TRIES		50

uint64_t kft_boot_cost_ns(const struct kft_host *host)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
		uint64_t start = kft_now_ns();

		if (kft_read_at(host->root_fd, FILE_READ, FILE_READ_BYTES, &sb) < 0)
			return 0;
		least = KFT_MIN(least, kft_now_ns() - start);
	}
	return least;
}
