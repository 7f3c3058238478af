/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <inttypes.h>
#include <stdio.h>

#include "tracefs/control/tracefs_dir.h"
#include "base/io.h"
#include "model/run_mark.h"

/* mark: one of KFT_MARK_* in model/run_mark.h. */
__must_check static inline int kft_mark_write(const struct kft_tracefs_dir *p,
					      const char *mark, const char *cause,
					      uint64_t at_ns)
{
	char text[96];
	int len = snprintf(text, sizeof(text), "%s%s %" PRIu64, mark, cause, at_ns);

	return kft_write_at(p->fd, "trace_marker", 0, text, len);
}
