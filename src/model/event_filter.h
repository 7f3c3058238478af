/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/map.h"
#include "model/event.h"
#include "model/stream.h"

/*
 * Conditions on the fields of an event, in the language of the kernel's event filters
 * (Documentation/trace/events.rst):
 *
 *  next_pid == 1 || (prev_prio < 100 && !(prev_comm ~ "kworker*"))
 *
 * == != < <= > >= compare integers; & tests for a common bit; == != and ~ (with the globs
 * * ? [a-z] [!a-z]) compare strings; && || ! and brackets combine. Numbers are decimal,
 * 0x hexadecimal or 0 octal. A string of one word needs no quotes. CPU is the CPU of the
 * event. A field beyond the end of a short record makes its condition false.
 *
 * A filter is compiled once for each class, and immutable then: threads may share it.
 */
#define KFT_FILTER_BYTES_MAX 4096 /* of a text, as in the kernel */
#define KFT_FILTER_DEPTH_MAX 64 /* nested brackets and ! */

struct kft_filter;

/*
 * Compiles a filter. The class is borrowed. -EINVAL for a malformed text,
 * -ENOENT for a field that the class does not have or with a type that the
 * operator does not support, -ENOMEM.
 */
int kft_filter_compile(const char *text, const struct kft_class *cls,
		       struct kft_filter **ret, struct kft_err *e) __must_check;
struct kft_filter *kft_filter_destroy(struct kft_filter *f);
KFT_DEFINE_CLEANUP(struct kft_filter *, kft_filter_destroy)

bool kft_filter_match(const struct kft_filter *f, const struct kft_event *ev, bool swap);

/*
 * The filters of a trace's classes by id. An event passes when one of its filters
 * matches, or when it has none. Zeroed: all pass.
 */
struct kft_filters {
	struct kft_map by_id; /* -> struct kft_filter *, the first filter of the id */
	uint64_t all[KFT_ID_WORDS]; /* ids without any filtering */
	bool swap; /* byte order of the trace differs from this machine's */
};

void kft_filters_finish(struct kft_filters *fs);

/* Adds a filter, which is taken also on failure: -ENOMEM. */
int kft_filters_add(struct kft_filters *fs, uint16_t id,
		    struct kft_filter *f) __must_check;
/* Makes every event of the id pass, in spite of its filters. */
void kft_filters_add_all(struct kft_filters *fs, uint16_t id);

bool kft_filters_pass(const struct kft_filters *fs, const struct kft_event *ev);
