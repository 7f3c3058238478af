/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "file/tracedat/read/recover.h"
#include "session/run/run.h"

/* The directory of crash recorders, and of snapshots that are taken in the background. */
#define KFT_FLIGHT_DIR "/var/lib/kft"

/*
 * Makes a directory and its parents: small systems have no /var/lib. An error shows
 * later, when a file is written there.
 */
void kft_flight_make_dir(const char *dir);

/*
 * Recovers the events that a flight recorder had when the kernel crashed, from buffers that
 * outlive it (open_survived in capture/detached.h). The pages survive the reboot; their
 * meaning does not, because the next boot may run another kernel, with other addresses
 * and other tasks. So a session that starts in such buffers saves the trace's metadata to
 * disk: a trace without events.
 */

/* Writes the metadata and waits until it is on disk. */
int kft_crash_prepare(const struct kft_run *r, struct kft_err *e) __must_check;

/*
 * Gets the total size in bytes of the session's persistent buffers. -ENOENT when this
 * kernel has none of that name.
 */
int kft_crash_kept_bytes(struct kft_host *host, const char *name, uint64_t *ret,
			 struct kft_err *e) __must_check;

/* Removes the saved metadata, and pages that an unfinished recovery moved to disk. */
void kft_crash_forget(const char *name);

/* Whether events of that session survive from an earlier boot and can be recovered. */
bool kft_crash_survived(struct kft_host *host, const char *name);

/*
 * Writes the surviving events to a new trace and empties the buffers. -ENOENT when
 * nothing survived or this kernel has no persistent buffers of that name, -EBUSY while a
 * session of that name exists. If this program is killed, the next call goes on.
 */
int kft_crash_recover(struct kft_host *host, const char *name, const char *output,
		      const struct kft_notify *notify, struct kft_tracedat_recovered *ret,
		      struct kft_err *e) __must_check;
