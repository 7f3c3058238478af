/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "session/crash.h"
#include "session/detached.h"

/*
 * Writes the newest events of an overwriting recording to a new trace, as many as its
 * buffers held; the recording goes on. why becomes part of the snapshot's marker in the
 * trace; NULL: nothing.
 *
 * Reading empties the kernel's buffers, on every kernel. So the events are first moved to
 * the session's directory, which keeps as much as the buffers do: the next snapshot
 * begins there, and no events are lost between snapshots, or when one is killed.
 *
 * -EINVAL when the session does not record, or does not overwrite.
 */
int kft_detached_snapshot(struct kft_detached *d, const char *output, const char *why,
			  struct kft_tracedat_recovered *ret,
			  struct kft_err *e) __must_check;

/*
 * Drains the session, with the formats and symbols that only the first drain has to read,
 * so that a first snapshot is as fast as later ones. Errors are those of a snapshot.
 */
int kft_flight_prepare(struct kft_detached *d, struct kft_err *e) __must_check;

/*
 * Chooses a new file name in dir from the session's name, the time and the cause (NULL:
 * none; only its letters, digits and '_' are used). The session is open, so that no other
 * process chooses the same name. -ENAMETOOLONG.
 */
int kft_flight_file(const char *dir, const char *session, const char *cause, char *ret,
		    size_t size) __must_check;

/*
 * Writes both texts as one marker into the session's trace, cut at 255 bytes. text may be
 * NULL.
 */
void kft_flight_mark(const struct kft_detached *d, const char *what, const char *text);
