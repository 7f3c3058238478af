/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/intern.h"
#include "export/byte_streams.h"
#include "export/export_impl.h"
#include "output/json.h"

/*
 * Exports a profile of the Firefox Profiler. The format stores all markers of a thread
 * together, column by column: they are collected in strands and written at the end.
 */

/* Categories of markers. */
#define KFT_FIREFOX_KINDS(X)            \
	X(EVENT, "event", "blue")       \
	X(LOST, "lost", "red")          \
	X(ON_CPU, "on CPU", "green")    \
	X(TASK, "task", "darkgrey")     \
	X(IRQ, "irq", "orange")         \
	X(SOFTIRQ, "softirq", "brown")  \
	X(SYSCALL, "syscall", "purple") \
	X(FUNCTION, "function", "lightblue")

enum kft_firefox_kind {
	KFT_FIREFOX_OTHER, /* required in every profile */
#define ADD_KIND(id, name, colour) KFT_FIREFOX_##id,
	KFT_FIREFOX_KINDS(ADD_KIND)
#undef ADD_KIND
};

/* A marker without its fields; a block of a strand holds a whole number of them. */
struct kft_firefox_row {
	uint64_t begin_ns;
	uint64_t end_ns; /* equal to begin_ns for an instant */
	uint32_t name; /* number in names */
	uint32_t kind; /* enum kft_firefox_kind */
};
_Static_assert(KFT_BYTE_STREAM_BLOCK % sizeof(struct kft_firefox_row) == 0, "whole rows");

struct kft_firefox_thread {
	bool is_cpu; /* else a task */
	uint32_t id; /* the CPU or pid */
	uint64_t rows;
	uint64_t
		/* begin of its first row: the thread gets its name at that time */
		first_ns;
};

struct kft_firefox {
	struct kft_export *x;
	struct kft_intern names; /* names of markers */
	struct kft_byte_streams strands; /* for each thread, its rows and their fields */
	KFT_VEC(struct kft_firefox_thread) threads;
	KFT_VEC(uint16_t) classes; /* ids of the event types that were seen, each once */
};

static inline uint32_t kft_firefox_rows_of(uint32_t thread)
{
	return thread * 2;
}

static inline uint32_t kft_firefox_fields_of(uint32_t thread)
{
	return thread * 2 + 1;
}

/* Names for the profile: of the type of an event's markers, and of a field in them. */
void kft_firefox_class_name(struct kft_strbuf *sb, const struct kft_class *cls);
void kft_firefox_field_key(struct kft_strbuf *sb, const struct kft_field *field);

/* Appends the members of the profile other than its threads. */
void kft_firefox_add_meta(struct kft_firefox *f, struct kft_json *j);

/* Writes the profile, after the last marker. -errno. */
int kft_firefox_write(struct kft_firefox *f) __must_check;
