/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_FLIGHT_H
#define KFT_SESSION_FLIGHT_H

#include "session/detached.h"

/*
 * Writes the last moments of a recording that overwrites its oldest to a new trace, while
 * it goes on: as much as its buffers held. why goes into the trace as a mark; NULL: none.
 *
 * Reading empties the kernel's buffers, on every kernel. So what is read goes to the session's
 * directory first, which keeps as much as the buffers do: the next snapshot begins there,
 * and neither it nor one that was killed loses anything.
 *
 * -EINVAL when the session does not record, or is not one that overwrites.
 */
int kft_detached_snapshot(struct kft_detached *d, const char *output, const char *why,
			  struct kft_tracedat_recovered *ret,
			  struct kft_err *e) __must_check;

/*
 * Takes what a first snapshot would have to take beside events, so that it comes as soon as
 * later ones. Errors are those of a snapshot.
 */
int kft_flight_prepare(struct kft_detached *d, struct kft_err *e) __must_check;

/* Where snapshots go that are taken in the background. */
#define KFT_FLIGHT_DIR "/var/lib/kft"

/* Makes it, with what is above: small systems have no /var/lib. Who writes there says errors. */
void kft_flight_make_dir(const char *dir);

/*
 * A file name for a snapshot in dir that no file has: by the session's name, the time and
 * the cause, of which letters and digits are left (NULL: none).
 * The session is open, so that nobody else chooses the same one. -ENAMETOOLONG.
 */
int kft_flight_file(const char *dir, const char *session, const char *cause, char *ret,
		    size_t size) __must_check;

/* Puts a mark of kft's into the session's trace: what, then text (NULL: none), cut. */
void kft_flight_mark(const struct kft_detached *d, const char *what, const char *text);

#endif
