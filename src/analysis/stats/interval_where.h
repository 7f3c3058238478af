/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"
#include "model/event_filter.h"

/*
 * Conditions on intervals, in the language of event filters (model/event_filter.h):
 *
 *	duration > 1ms && (key == read || key ~ "recv*") && comm != bash && cpu == 0
 *
 * kind, key and comm are strings. number (the key as a number), value, pid, cpu and duration
 * are numbers; a number with a unit (ns, us, ms, s) is converted to ns. Immutable: threads may
 * share it.
 */
struct kft_interval_where;

/* *ret is owned by the caller. -EINVAL, -ENOENT, -ENOMEM as kft_filter_compile(). */
int kft_interval_where_parse(const char *text, struct kft_interval_where **ret,
			     struct kft_err *e) __must_check;
struct kft_interval_where *kft_interval_where_destroy(struct kft_interval_where *w);
KFT_DEFINE_CLEANUP(struct kft_interval_where *, kft_interval_where_destroy)

/* The same as a filter of a class with these fields, for a translation; borrowed. */
const struct kft_filter *kft_interval_where_filter(const struct kft_interval_where *w);

/* comm and key need the trace's task names and symbols, which must be loaded before. */
bool kft_interval_where_match(const struct kft_interval_where *w, struct kft_trace *t,
			      const struct kft_interval *i);
