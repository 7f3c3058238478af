/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MODEL_TRACE_H
#define KFT_MODEL_TRACE_H

#include "model/clock.h"
#include "model/meta.h"
#include "model/names.h"
#include "model/stream.h"
#include "model/symbol.h"
#include "model/task.h"

#define KFT_BUFFER_NAME_MAX 256

/* One set of per-CPU streams: the trace's main buffer (name "") or another instance. */
struct kft_buffer {
	char name[KFT_BUFFER_NAME_MAX];
	struct kft_clock clock;
	uint32_t page_size;
	KFT_VEC(struct kft_stream *) streams; /* owned; one per CPU with data, by CPU */
};

/* Something that the reader passed over and the user should know of; not an error. */
struct kft_note {
	const char *text; /* owned by kft_trace.arena */
	uint64_t offset; /* byte in the file */
};

/*
 * A trace, whoever wrote it. A file reader fills it in when it opens the file and takes
 * itself away with `destroy`; everything else works on this alone.
 *
 * What is expensive is done when first asked for (classes, symbols, tasks): see the
 * accessors. A trace is used by one thread, except that its streams may be read by one
 * thread each, and that any thread may read what an accessor has parsed before.
 */
struct kft_trace {
	struct kft_arena arena;
	struct kft_meta meta;
	bool swap; /* byte order differs from this machine's */
	KFT_VEC(struct kft_buffer) buffers;
	struct kft_class_table classes;
	KFT_VEC(struct kft_note) notes;
	struct kft_names names; /* of what intervals are about */
	/*
	 * Damage found while opening (truncated, contradicting): what could be read is
	 * there, this is the one error to end with. code 0 when there was none.
	 */
	struct kft_err damage;
	bool unfinished; /* a recording that was killed or still runs, read from its parts */

	/* Lazily filled: use the accessors. */
	struct kft_symbol_table symbols;
	struct kft_task_table tasks;
	struct kft_map printk; /* address -> struct kft_blob * of the format string */
	bool have_symbols;
	bool have_tasks;
	bool have_printk;

	/*
	 * Fills meta.kallsyms, megabytes that most questions do not need, when
	 * kft_trace_kallsyms() is called first. NULL: nothing is left to do.
	 */
	void (*load_kallsyms)(struct kft_trace *t);
	/* The same for meta.cmdlines and meta.tgids, when names of tasks are asked for. */
	void (*load_tasks)(struct kft_trace *t);
	/*
	 * So many threads may prepare what streams will be asked for next, from now on.
	 * May be NULL: there is nothing to prepare.
	 */
	void (*read_ahead)(struct kft_trace *t, unsigned int threads);
	/*
	 * Of a trace that is still being written; NULL otherwise. Waits until there is more
	 * of it: 1, 0 when all of it is there, -errno. Events up to `settled` are there, of
	 * all CPUs: kft_merge_next() gives no later ones. Streams cannot be rewound any
	 * more once this was called.
	 */
	int (*more)(struct kft_trace *t);
	uint64_t settled;
	void (*destroy)(struct kft_trace *t); /* frees the reader's part; may be NULL */
	void *reader; /* of the file format */

	/* Of the API (src/api): */
	bool has_reader; /* a struct kft_reader reads the streams */
	bool is_closed; /* it was closed before its reader, with which it goes */
	bool is_live; /* a session's, which destroys it */
};

/* Frees everything, streams and the reader's part included. NULL is fine. */
struct kft_trace *kft_trace_destroy(struct kft_trace *t);
KFT_DEFINE_CLEANUP(struct kft_trace *, kft_trace_destroy)

/* A new empty trace, of a machine with longs of 8 bytes; -ENOMEM. */
int kft_trace_create(struct kft_trace **ret) __must_check;

/* Adds a note; text is copied and cut at a sane length. Out of memory drops the note. */
__printf_fmt(3, 4) void kft_trace_note(struct kft_trace *t, uint64_t offset,
				       const char *fmt, ...);

/*
 * Events older than the first one of a CPU, which a recording that keeps only the newest
 * has overwritten on purpose: kft's own do not overwrite otherwise. Others' counters of
 * overruns are losses.
 */
uint64_t kft_trace_overwritten(const struct kft_trace *t, uint16_t buffer, uint32_t cpu);

/* The loss before ev is those events, and no gap between events. */
bool kft_trace_is_overwritten(const struct kft_trace *t, const struct kft_event *ev);

/* The trace was recorded by kft. */
bool kft_trace_is_own(const struct kft_trace *t);

/*
 * A common field such as "common_pid", from any class: it is the same in all classes of a
 * kernel. Borrowed from the table; NULL when no class has it.
 */
const struct kft_field *kft_trace_common_field(struct kft_trace *t, const char *name);

/*
 * meta.kallsyms, read now if it was not; empty when there is none. To be called before
 * meta is used as a whole. One thread, as what is filled lazily.
 */
const struct kft_blob *kft_trace_kallsyms(struct kft_trace *t);

static inline const struct kft_class *kft_trace_class(struct kft_trace *t, uint16_t id)
{
	return kft_class_table_get(&t->classes, id);
}

#endif
