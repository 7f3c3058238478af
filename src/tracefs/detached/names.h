/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "tracefs/detached/part.h"

/*
 * Names of tasks over time (tracefs/sources/name_events.h), for a session that outlives
 * its processes. The events have an instance of their own, which overwrites its oldest: a
 * machine that starts a thousand programs a second fills it in a minute, so the session's
 * keeper reads it every second. The names wait in the session's directory for the process
 * that moves the session's records. They only improve the display: nothing here fails, at
 * worst tasks have the names of the kernel's table. A small build has only these.
 */
#if HAVE_SESSION_NAMES

/* Starts to record the events, before the session records. The ledger notes the instance. */
void kft_run_names_begin(const struct kft_tracefs_part *r, const struct kft_plan *plan);

/* Moves the names to the session's directory, to make room in the kernel. */
void kft_run_names_read(const struct kft_tracefs_part *r);

/* Hands the new names to a sink that is begun, after the session's own records. */
void kft_run_names_move(const struct kft_tracefs_part *r, struct kft_sink *sink,
			const struct kft_notify *notify);

#else

static inline void kft_run_names_begin(const struct kft_tracefs_part *r,
				       const struct kft_plan *plan)
{
}

static inline void kft_run_names_read(const struct kft_tracefs_part *r)
{
}

static inline void kft_run_names_move(const struct kft_tracefs_part *r,
				      struct kft_sink *sink,
				      const struct kft_notify *notify)
{
}

#endif
