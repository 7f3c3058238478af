/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_EVENT_FILTER_H
#define KFT_MODEL_EVENT_FILTER_H

#include <kft/error.h>

#include "base/map.h"
#include "model/event.h"
#include "model/stream.h"

/*
 * Conditions on the fields of an event, in the language of the kernel's own event filters
 * (Documentation/trace/events.rst):
 *
 *	next_pid == 1 || (prev_prio < 100 && !(prev_comm ~ "kworker*"))
 *
 * == != < <= > >= on integers; & that they have a bit in common; == != and ~, which takes
 * the globs * ? [a-z] [!a-z], on strings; && || ! and brackets. Numbers are decimal, 0x
 * hexadecimal or 0 octal. A string may be without quotes when it is one word. CPU is where
 * the event was recorded. A field that a record is too short for makes a condition false.
 *
 * A filter is compiled once for each class. Immutable then: threads may share it.
 */
#define KFT_FILTER_BYTES_MAX 4096 /* of a text, as the kernel's */
#define KFT_FILTER_DEPTH_MAX 64 /* brackets and ! in each other */

struct kft_filter;

/*
 * The class is borrowed. -EINVAL for a text that is no filter, -ENOENT for a field that the
 * class does not have or that cannot be compared so, -ENOMEM.
 */
int kft_filter_compile(const char *text, const struct kft_class *cls,
		       struct kft_filter **ret, struct kft_err *e) __must_check;
struct kft_filter *kft_filter_destroy(struct kft_filter *f);
KFT_DEFINE_CLEANUP(struct kft_filter *, kft_filter_destroy)

bool kft_filter_match(const struct kft_filter *f, const struct kft_event *ev, bool swap);

/*
 * The filters of a trace's classes by id. An event passes when one of its filters matches,
 * or when it has none. Zeroed: all pass.
 */
struct kft_filters {
	struct kft_map by_id; /* -> struct kft_filter *, the first of the id's */
	uint64_t all[KFT_ID_WORDS]; /* ids of which every event passes */
	bool swap; /* as of the trace */
};

void kft_filters_finish(struct kft_filters *fs);

/* Takes f over, also when it fails: -ENOMEM. */
int kft_filters_add(struct kft_filters *fs, uint16_t id,
		    struct kft_filter *f) __must_check;
/* Every event of the id passes, whatever its filters. */
void kft_filters_add_all(struct kft_filters *fs, uint16_t id);

bool kft_filters_pass(const struct kft_filters *fs, const struct kft_event *ev);

#endif
