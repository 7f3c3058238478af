/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_SESSION_RUN_NAMES_H
#define KFT_SESSION_RUN_NAMES_H

#include "session/run/run.h"

/*
 * Which task got which name when (tracefs/sources/name_events.h), for a session that outlives
 * its processes. The events wait in an instance of their own, which overwrites its oldest: a
 * machine that starts a thousand programs a second fills it in a minute, so the session's keeper
 * reads it every second. What was read waits in the session's directory for whoever moves the
 * session's records. Names are for people: nothing here fails, at worst tasks have the names of
 * the kernel's table. A small build has these only.
 */
#if HAVE_SESSION_NAMES

/* Begins; the session is not recording yet. The ledger knows what it makes. */
void kft_run_names_begin(const struct kft_run *r, const struct kft_plan *plan);

/* Makes room in the kernel. */
void kft_run_names_read(const struct kft_run *r);

/* Hands on what is new, after the session's own records, to a sink that is begun. */
void kft_run_names_move(const struct kft_run *r, struct kft_sink *sink,
			const struct kft_notify *notify);

/* Of what was handed on into parts: names of tasks that were over before its first record. */
int kft_run_names_forget(const struct kft_run *r, const char *parts) __must_check;

#else

static inline void kft_run_names_begin(const struct kft_run *r,
				       const struct kft_plan *plan)
{
}

static inline void kft_run_names_read(const struct kft_run *r)
{
}

static inline void kft_run_names_move(const struct kft_run *r, struct kft_sink *sink,
				      const struct kft_notify *notify)
{
}

static inline int kft_run_names_forget(const struct kft_run *r, const char *parts)
{
	return 0;
}

#endif

#endif
