/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACEFS_NAMES_H
#define KFT_TRACEFS_NAMES_H

#include <kft/plan.h>

#include "base/strbuf.h"
#include "capture/notify.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/ledger.h"
#include "model/sink.h"

/*
 * Records which task gets which name when (name_events.h). A thread makes records of the
 * events, for the sink at once and for the meta in the end.
 */
struct kft_names;

/*
 * Begins, with the clock of the session's instance. *ret is NULL where it cannot be done:
 * names are then those that the kernel's table has. What is known at the beginning comes
 * with kft_names_start().
 */
void kft_names_open(const struct kft_ledger *ledger, const struct kft_plan *plan,
		    const struct kft_instance *session, struct kft_names **ret);

/*
 * Starts the thread. first: records of the names from before, borrowed for the call.
 * Without a thread (-errno) the names of later are missing.
 */
int kft_names_start(struct kft_names *n, struct kft_sink *sink,
		    const struct kft_strbuf *first) __must_check;

/* Ends the thread and gives its records to meta. -ENOMEM. */
int kft_names_end(struct kft_names *n, const struct kft_notify *notify,
		  struct kft_meta *meta) __must_check;

/* Removes everything; NULL is fine. Returns NULL. As kft_instance_remove() fails. */
int kft_names_close(struct kft_names *n, struct kft_err *e) __must_check;

#endif
