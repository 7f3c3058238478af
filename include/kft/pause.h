/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PAUSE_H
#define KFT_PAUSE_H

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Pauses and resumes a detached session (kft flight, kft record --detach, KFT runs), like
 * 'kft pause' and 'kft resume': nothing is recorded in between, and marks in the trace
 * show the gap. session NULL: KFT_FLIGHT_NAME of <kft/snapshot.h>. Pausing twice changes
 * nothing; any thread may call these.
 *
 * 0, or -errno with a message in e: -ENOENT for an unknown session, -EINVAL when it does
 * not record, -EACCES without the rights to trace.
 */
int kft_pause(const char *session, struct kft_err *e);
int kft_resume(const char *session, struct kft_err *e);

#ifdef __cplusplus
}
#endif

#endif
