/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/trace.h"

/* Records of the function tracers, and context switches, of any kernel version. */
enum kft_func_event_kind {
	KFT_FUNC_EVENT_NONE, /* another event, or a truncated record */
	KFT_FUNC_EVENT_ENTRY, /* function_graph: func, depth; caller or 0 */
	KFT_FUNC_EVENT_EXIT, /* func, depth, call_ns, return_ns */
	KFT_FUNC_EVENT_CALL, /* function: func, caller */
	KFT_FUNC_EVENT_SWITCH, /* prev, next */
};

/* Later ones in this list interrupt earlier ones. */
enum kft_func_context {
	KFT_FUNC_IN_TASK,
	KFT_FUNC_IN_SOFTIRQ,
	KFT_FUNC_IN_HARDIRQ,
};

struct kft_func_event {
	enum kft_func_event_kind kind;
	int32_t pid;
	/* as recorded; may be too low, see model/irq_name.h */
	enum kft_func_context context;
	uint64_t func; /* address, as returned by kft_symbol_at() */
	uint64_t caller; /* address, likewise */
	uint32_t depth;
	/* ns on the tracer's clock, which may differ from the buffer's. */
	uint64_t call_ns;
	uint64_t return_ns;
	/* Number of calls of its task so far for which the return stack had no room. */
	uint32_t overrun;
	int32_t prev;
	int32_t next;
	/*
	 * An exit after the end of the trace's run. It is not read from the event:
	 * callers set it.
	 */
	bool is_late;
};

enum { KFT_FUNC_CLASSES = 5, KFT_FUNC_FIELDS = 5 };

struct kft_func_class {
	enum kft_func_event_kind kind;
	uint16_t id;
	const struct kft_field *pid; /* borrowed from the trace, like the others */
	const struct kft_field *flags;
	const struct kft_field *fields[KFT_FUNC_FIELDS];
};

struct kft_func_reader {
	bool swap;
	const struct kft_symbol_table *symbols; /* borrowed */
	size_t n_classes;
	struct kft_func_class classes[KFT_FUNC_CLASSES];
	uint64_t wanted[1024]; /* a bit for the id of each class */
};

/* Finds the classes in a trace. */
void kft_func_reader_init(struct kft_func_reader *r, struct kft_trace *t);

/* The context in an event's common_flags. */
enum kft_func_context kft_func_context_of(uint64_t flags);

/* Reads an event; the kind is KFT_FUNC_EVENT_NONE if it is another one, or truncated. */
void kft_func_event_read(const struct kft_func_reader *r, const struct kft_event *ev,
			 struct kft_func_event *ret);
