/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * Nested intervals: one event begins an interval and another ends it, and the intervals
 * of one owner (a CPU or a task) contain each other. Owners are independent.
 *
 * Fields of events that begin: the id, which both events have, and the key, unless the
 * key is the id or the event's own key. Fields of events that end: the id, and the value.
 * An event without fields has its own key as the id.
 */
/* create and destroy of a kind that has a struct kft_nested_pairs as its state. */
int kft_nested_pairs_create(struct kft_trace *t, void **ret_state);
void kft_nested_pairs_destroy(void *state);

/* feed of a kind: the owner is the event's CPU, or its task. */
int kft_nested_pairs_by_cpu(const struct kft_interval_kind *kind, void *state,
			    const struct kft_kind_input *in,
			    const struct kft_interval_sink *sink) __must_check;
int kft_nested_pairs_by_task(const struct kft_interval_kind *kind, void *state,
			     const struct kft_kind_input *in,
			     const struct kft_interval_sink *sink) __must_check;

int kft_nested_pairs_flush(void *state, const struct kft_kind_input *in,
			   const struct kft_interval_sink *sink) __must_check;

/*
 * For kinds that interpret the events themselves. i: the interval as far as it is known;
 * for an end its value, and the key that it has if its beginning was not recorded.
 */
struct kft_nested_pairs;
int kft_nested_pairs_begin(struct kft_nested_pairs *p, uint64_t owner, uint64_t id,
			   const struct kft_interval *i, const struct kft_kind_input *in,
			   const struct kft_interval_sink *sink) __must_check;
int kft_nested_pairs_end(struct kft_nested_pairs *p, uint64_t owner, uint64_t id,
			 const struct kft_interval *i, const struct kft_kind_input *in,
			 const struct kft_interval_sink *sink) __must_check;

bool kft_nested_pairs_has(const struct kft_nested_pairs *p, uint64_t owner, uint64_t id);

/*
 * Fills in an interval from the event that begins or ends it. The members are set one by
 * one: copying a complete struct would wait until all its members are stored.
 */
static inline void kft_nested_pairs_set(struct kft_interval *i,
					const struct kft_interval_kind *kind,
					uint64_t key, const struct kft_kind_input *in)
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

static inline struct kft_interval
kft_nested_pairs_interval(const struct kft_interval_kind *kind, uint64_t key,
			  const struct kft_kind_input *in)
{
	struct kft_interval i;

	kft_nested_pairs_set(&i, kind, key, in);
	return i;
}

/*
 * The key of an interval without a recorded beginning: the id, if that is the key;
 * otherwise KFT_INTERVAL_NO_KEY.
 */
uint64_t kft_nested_pairs_key_at_end(const struct kft_interval_kind *kind, uint64_t id);
