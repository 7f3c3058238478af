/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_PAIRS_H
#define KFT_DERIVE_PAIRS_H

#include "derive/engine.h"

/*
 * What many kinds are: one event begins an interval and another ends it, and intervals of one
 * owner (a CPU, a task) are within one another; owners have nothing to do with each other.
 *
 * Fields of events that begin: what both events have in common (its id), and the key, unless
 * that is the id or the event's own. Of events that end: the id, and the value. An event
 * without fields has its own key as id.
 */
/* As create and destroy of a kind, whose state is a struct kft_pairs. */
int kft_pairs_create(struct kft_trace *t, void **ret_state);
void kft_pairs_destroy(void *state);

/* As feed of a kind. */
int kft_pairs_by_cpu(const struct kft_interval_kind *kind, void *state,
		     const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink) __must_check;
int kft_pairs_by_task(const struct kft_interval_kind *kind, void *state,
		      const struct kft_kind_input *in,
		      const struct kft_interval_sink *sink) __must_check;

int kft_pairs_flush(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;

/*
 * For kinds that look at the events themselves. i: the interval as far as it is known: of
 * one that ends its value, and the key that it has if its beginning was not seen.
 */
struct kft_pairs;
int kft_pairs_begin(struct kft_pairs *p, uint64_t owner, uint64_t id,
		    const struct kft_interval *i, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink) __must_check;
int kft_pairs_end(struct kft_pairs *p, uint64_t owner, uint64_t id,
		  const struct kft_interval *i, const struct kft_kind_input *in,
		  const struct kft_interval_sink *sink) __must_check;

bool kft_pairs_has(const struct kft_pairs *p, uint64_t owner, uint64_t id);

/*
 * What an event says of the interval that it begins, or ends. Field by field: a structure that
 * is put together and then copied waits until it is written.
 */
static inline void kft_pairs_set(struct kft_interval *i,
				 const struct kft_interval_kind *kind, uint64_t key,
				 const struct kft_kind_input *in)
{
	const uint64_t ts = in->ts;
	const int32_t pid = in->pid;
	const uint32_t cpu = in->cpu;
	const uint8_t flags = in->flags;

	i->kind = kind;
	i->key = key;
	i->begin_ns = ts;
	i->end_ns = 0;
	i->value = KFT_INTERVAL_NO_VALUE;
	i->parent = NULL;
	i->cause.pid = pid;
	i->cause.cpu = cpu;
	i->cause.flags = flags;
	i->pid = pid;
	i->cpu = cpu;
	i->end_cpu = cpu;
	i->depth = 0;
	i->flags = 0;
}

static inline struct kft_interval kft_pairs_interval(const struct kft_interval_kind *kind,
						     uint64_t key,
						     const struct kft_kind_input *in)
{
	struct kft_interval i;

	kft_pairs_set(&i, kind, key, in);
	return i;
}

/* The key of what ends and was not seen to begin: the id, if that is the key. */
uint64_t kft_pairs_key_at_end(const struct kft_interval_kind *kind, uint64_t id);

#endif
