/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DERIVE_FUNC_EVENT_H
#define KFT_DERIVE_FUNC_EVENT_H

#include "model/trace.h"

/* What the function tracers record, and context switches, whatever the kernel's version. */
enum kft_func_event_kind {
	KFT_FUNC_EVENT_NONE, /* another event, or a record that is cut */
	KFT_FUNC_EVENT_ENTRY, /* function_graph: func, depth; caller or 0 */
	KFT_FUNC_EVENT_EXIT, /* func, depth, call_ns, return_ns */
	KFT_FUNC_EVENT_CALL, /* function: func, caller */
	KFT_FUNC_EVENT_SWITCH, /* prev, next */
};

/* The later ones interrupt the earlier ones. */
enum kft_func_context {
	KFT_FUNC_IN_TASK,
	KFT_FUNC_IN_SOFTIRQ,
	KFT_FUNC_IN_HARDIRQ,
};

struct kft_func_event {
	enum kft_func_event_kind kind;
	int32_t pid;
	enum kft_func_context context; /* as far as the kernel knew yet */
	uint64_t func; /* address, as kft_symbol_at() has it */
	uint64_t caller; /* as func */
	uint32_t depth;
	uint64_t call_ns; /* by the tracer's clock, which need not be the buffer's */
	uint64_t return_ns;
	uint32_t
		overrun; /* calls of its task so far that the return stack had no room for */
	int32_t prev;
	int32_t next;
	/* An exit after the end of the run that the trace is of. Not read from the event. */
	bool is_late;
};

enum { KFT_FUNC_CLASSES = 5, KFT_FUNC_FIELDS = 5 };

struct kft_func_class {
	enum kft_func_event_kind kind;
	uint16_t id;
	const struct kft_field *pid; /* borrowed from the trace, as the others */
	const struct kft_field *flags;
	const struct kft_field *fields[KFT_FUNC_FIELDS];
};

struct kft_func_reader {
	bool swap;
	const struct kft_symbol_table *symbols; /* borrowed */
	size_t n_classes;
	struct kft_func_class classes[KFT_FUNC_CLASSES];
	uint64_t wanted[1024]; /* a bit for each event id that is one of these */
};

/* Finds the classes in a trace. */
void kft_func_reader_init(struct kft_func_reader *r, struct kft_trace *t);

/* The context that an event's common_flags tell. */
enum kft_func_context kft_func_context_of(uint64_t flags);

/* What an event says. */
void kft_func_event_read(const struct kft_func_reader *r, const struct kft_event *ev,
			 struct kft_func_event *ret);

#endif
