/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_RUN_NAMES_H
#define KFT_CAPTURE_RUN_NAMES_H

#include "capture/run/run.h"

/*
 * Which task got which name when (capture/tracefs/name_events.h), for a session that outlives
 * its processes. The events wait in an instance of their own, which overwrites its oldest, for
 * whoever moves the session's records; the names from before are in the session's directory.
 * Names are for people: nothing here fails, at worst tasks have the kernel's table's names.
 */

/* Begins; the session is not recording yet. The ledger knows what it makes. */
void kft_run_names_begin(const struct kft_run *r, const struct kft_plan *plan);

/* Hands on what is new, after the session's own records, to a sink that is begun. */
void kft_run_names_move(const struct kft_run *r, struct kft_sink *sink,
			const struct kft_notify *notify);

#endif
