/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/strbuf.h"
#include "capture/notify.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/ledger.h"
#include "model/sink.h"

/*
 * Records the names of tasks with their times (name_events.h). A thread converts the
 * events into records, which the sink gets at once and the meta at the end.
 */
struct kft_names;

/*
 * Begins, with the clock of the plan. *ret is NULL after a failure: the names are then
 * those of the kernel's table. Names from before the call are passed to
 * kft_names_start().
 */
void kft_names_open(const struct kft_ledger *ledger, const struct kft_plan *plan,
		    const struct kft_instance *session, struct kft_names **ret);

/*
 * Starts the thread. first: records of earlier names, borrowed for the call. After a
 * failure (-errno) later names are missing.
 */
int kft_names_start(struct kft_names *n, struct kft_sink *sink,
		    const struct kft_strbuf *first) __must_check;

/* Ends the thread and adds its records to meta. NULL is fine. -ENOMEM. */
int kft_names_end(struct kft_names *n, const struct kft_notify *notify,
		  struct kft_meta *meta) __must_check;

/* Removes the instance and frees n; NULL is fine. Fails like kft_instance_remove(). */
int kft_names_close(struct kft_names *n, struct kft_err *e) __must_check;
