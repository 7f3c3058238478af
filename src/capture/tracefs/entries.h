/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_CAPTURE_TRACEFS_ENTRIES_H
#define KFT_CAPTURE_TRACEFS_ENTRIES_H

#include <kft/plan.h>
#include <kft/session.h>

#include "capture/tracefs/instance.h"
#include "capture/tracefs/ledger.h"
#include "model/sink.h"

/*
 * Records entries of functions (the plan's `entered`) beside their calls. A tracefs instance
 * has one tracer, so they have an instance of their own, with the plan's clock, tasks and
 * size of buffers, and are a buffer of their own in the trace.
 */
struct kft_entries;

/* What the buffer is called in the trace. */
#define KFT_ENTRIES_BUFFER "entries"

/* Sets everything up; nothing is recorded yet. NULL for the plans that do not want it. */
int kft_entries_open(const struct kft_ledger *ledger, const struct kft_plan *plan,
		     const struct kft_instance *session, struct kft_entries **ret,
		     struct kft_err *e) __must_check;

/*
 * Gives each CPU its drain to the sink, which is begun. main: the drains of the session, whose
 * failed_fd tells a failure of these, too.
 */
struct kft_drains;
int kft_entries_connect(struct kft_entries *n, struct kft_sink *sink, size_t page_size,
			const struct kft_drains *main, struct kft_err *e) __must_check;

/* These do nothing without entries. */
int kft_entries_start(struct kft_entries *n, struct kft_err *e) __must_check;

/* Switches recording on or off. */
int kft_entries_switch(const struct kft_entries *n, bool on) __must_check;

/* Takes what is left and adds the counters to the meta; nothing is recorded any more. */
int kft_entries_finish(struct kft_entries *n, struct kft_meta *meta,
		       struct kft_err *e) __must_check;

/* Adds what was recorded and lost so far. */
void kft_entries_progress(const struct kft_entries *n, struct kft_progress *p);

/* As kft_instance_remove() fails. */
int kft_entries_close(struct kft_entries *n, struct kft_err *e) __must_check;

#endif
