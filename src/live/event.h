/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/arena.h"
#include "capture/host.h"
#include "derive/engine/engine.h"
#include "live/program.h"

/*
 * An event of the running kernel, and where its fields are for a program that is attached to it
 * in one of two ways: as an event with the record that tracefs describes, or as a raw tracepoint
 * with the arguments of the kernel's call. The latter costs a third less and is detached at
 * once, but only arguments that are numbers themselves are known.
 */
struct kft_live_event {
	struct kft_class cls; /* its strings are in an arena of the caller's */
};

/*
 * Reads the text of a format. *system NULL: that of the first one with such an event, which is kept
 * in the arena. -ENOENT if there is none.
 */
int kft_live_format_read(struct kft_host *host, const char *name, struct kft_arena *arena,
			 const char **system, struct kft_strbuf *ret) __must_check;

/* Reads the format. -ENOENT if the kernel has no such event. */
int kft_live_event_read(struct kft_host *host, const char *system, const char *name,
			struct kft_arena *arena, struct kft_live_event *ret) __must_check;

/* A field as integer of the record: -ENOENT without it, -EOPNOTSUPP for another type. */
int kft_live_event_field(const struct kft_live_event *event, const char *name,
			 struct kft_live_value *ret) __must_check;

/* Finds a field of the record for a condition (live/condition.h); event is a kft_live_event. */
int kft_live_event_term(const void *event, const struct kft_field *field,
			struct kft_live_term *ret, struct kft_err *e) __must_check;

/* The offset of a task's name in the record; likewise. */
int kft_live_event_comm(const struct kft_live_event *event, const char *name,
			uint16_t *ret) __must_check;

/* A field as argument of the raw tracepoint. False: it is none, or not known. */
bool kft_live_raw_field(const char *system, const char *event, const char *field,
			struct kft_live_value *ret);
