/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_MARK_H
#define KFT_TRACEFS_MARK_H

#include <inttypes.h>
#include <stdio.h>

#include "tracefs/control/place.h"
#include "base/io.h"

/*
 * Markers in a session's buffer for its start, stop, pause and resumption, unless a
 * function or an event triggers it: "kft: start CAUSE NS", with NS on CLOCK_MONOTONIC.
 */
#define KFT_MARK_START	"kft: start "
#define KFT_MARK_STOP	"kft: stop "
#define KFT_MARK_PAUSE	"kft: pause "
#define KFT_MARK_RESUME "kft: resume "

__must_check static inline int kft_mark_write(const struct kft_place *p, const char *what,
					      const char *cause, uint64_t at_ns)
{
	char text[96];
	int len = snprintf(text, sizeof(text), "%s%s %" PRIu64, what, cause, at_ns);

	return kft_write_at(p->fd, "trace_marker", 0, text, len);
}

#endif
