/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_ENGINE_H
#define KFT_DERIVE_ENGINE_H

#include "model/interval.h"
#include "model/trace.h"

/*
 * Intervals from events: one pass feeds every kind that is asked for. A kind is a file with
 * one struct kft_interval_kind, and a line in the table of engine.c.
 */
enum { KFT_KIND_EVENTS = 4, KFT_KIND_FIELDS = 4 };

/* An event that a kind needs, and its fields, "common_pid" among them. */
struct kft_kind_event {
	const char *system;
	const char *name;
	const char *fields[KFT_KIND_FIELDS]; /* up to the first NULL */
};

/* One event as a kind sees it. */
struct kft_kind_input {
	unsigned int event; /* index into the kind's events */
	uint64_t ts;
	uint32_t cpu;
	uint64_t fields[KFT_KIND_FIELDS]; /* sign extended */
	uint64_t first_ts; /* of the trace's first event that the engine saw */
	uint64_t losses; /* places so far where events are missing */
};

/* 0 or -errno, which ends all. The interval is borrowed for the call. */
typedef int kft_interval_fn(void *arg, const struct kft_interval *i);

struct kft_interval_sink {
	kft_interval_fn *take; /* in the order of their ends */
	void *arg;
};

struct kft_interval_kind {
	const char *name;
	const char *key; /* what a key is: "irq", "vector" */
	const char *value; /* what a value is; NULL: there is none */
	/* Intervals begin and end on one CPU, so that CPUs can be looked at on their own. */
	bool per_cpu;
	struct kft_kind_event
		events[KFT_KIND_EVENTS]; /* up to the first without a name */
	/* A key as people know it; NULL: the number. May return NULL. */
	const char *(*key_name)(uint64_t key);

	int (*create)(void **ret_state); /* -ENOMEM */
	int (*feed)(void *state, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink);
	/* What has not ended; in->ts is the last time that was seen. */
	int (*flush)(void *state, const struct kft_kind_input *in,
		     const struct kft_interval_sink *sink);
	void (*destroy)(void *state);
};

/* All kinds, up to NULL. */
extern const struct kft_interval_kind *const kft_interval_kinds[];

const struct kft_interval_kind *kft_interval_kind_find(const char *name);

struct kft_engine;

/*
 * The kinds (borrowed array of n) are fed from events of t; the sink is copied. A kind whose
 * events the trace does not describe stays silent. -ENOMEM.
 */
int kft_engine_create(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret) __must_check;
struct kft_engine *kft_engine_destroy(struct kft_engine *e);
KFT_DEFINE_CLEANUP(struct kft_engine *, kft_engine_destroy)

/* Marks the ids of what the kinds need (65536 bits). */
void kft_engine_needs(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *wanted);

/* An event, in the order of time. -ENOMEM, or what the sink returns. */
int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev) __must_check;

/* The end: again does nothing. */
int kft_engine_flush(struct kft_engine *e) __must_check;

#endif
