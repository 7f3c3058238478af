/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SNAPSHOT_H
#define KFT_SNAPSHOT_H

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The session that 'kft flight start' creates without a name. */
#define KFT_FLIGHT_NAME "flight"

/*
 * Writes the last moments of a flight recorder to a trace while it continues, like 'kft
 * snapshot': for a program that detects a problem.
 *
 *	kft_snapshot(NULL, "/var/tmp/underrun.dat", "underrun", &e);
 *
 * session NULL: KFT_FLIGHT_NAME. output NULL: a new file in /var/lib/kft, named by the
 * session and the time. why is stored in the trace as a mark, unless NULL. The call
 * returns when the buffers are written; any thread may call it, and snapshots of one
 * session wait for each other.
 *
 * 0, or -errno with a message in e: -ENOENT for an unknown session, -EINVAL when it does
 * not record or does not keep the newest events, -EACCES without the rights to trace.
 */
int kft_snapshot(const char *session, const char *output, const char *why,
		 struct kft_err *e);

#ifdef __cplusplus
}
#endif

#endif
