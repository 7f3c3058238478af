/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "model/clock.h"
#include "model/meta.h"
#include "model/names.h"
#include "model/stream.h"
#include "model/symbol.h"
#include "model/task.h"
#include "model/user_symbol.h"

#define KFT_BUFFER_NAME_MAX 256

/* One set of per-CPU streams: the trace's main buffer (name "") or another instance. */
struct kft_buffer {
	char name[KFT_BUFFER_NAME_MAX];
	struct kft_clock clock;
	uint32_t page_size;
	/* Owned; one per CPU with data, sorted by CPU. */
	KFT_VEC(struct kft_stream *) streams;
};

/*
 * A fact about the file that the user should know, such as a skipped part; not an error.
 */
struct kft_note {
	const char *text; /* owned by kft_trace.arena */
	uint64_t offset; /* byte in the file */
};

/*
 * A trace in any format. A file reader fills it in when it opens the file and frees its
 * own part in `destroy`; all other code uses only this struct.
 *
 * Expensive parts are made on first use (classes, symbols, tasks): see the accessors. A
 * trace is used by one thread, except that its streams may be read by one thread each,
 * and that any thread may read data that an accessor has parsed before.
 */
struct kft_trace {
	struct kft_arena arena;
	struct kft_meta meta;
	bool swap; /* byte order differs from this machine's */
	KFT_VEC(struct kft_buffer) buffers;
	struct kft_class_table classes;
	KFT_VEC(struct kft_note) notes;
	struct kft_names names; /* for keys of intervals */
	/*
	 * Damage found while opening (truncation, contradictions): the
	 * readable part is there, and this is the one error to report at the
	 * end. code 0 when there was none.
	 */
	struct kft_err damage;
	/* An unfinished recording, killed or still running, read from its parts. */
	bool unfinished;

	/* Filled on first use: use the accessors. */
	struct kft_symbol_table symbols;
	struct kft_task_table tasks;
	struct kft_map printk; /* address -> struct kft_blob * of the format string */
	struct kft_cpuset *named_cpus; /* CPUs that events name (model/coverage.c) */
	bool have_symbols;
	bool have_tasks;
	bool have_printk;

	/*
	 * Fills meta.kallsyms on the first call of kft_trace_kallsyms(): it has megabytes
	 * that most commands do not need. NULL: it is filled already.
	 */
	void (*load_kallsyms)(struct kft_trace *t);
	/*
	 * Fills meta.cmdlines and meta.tgids when task names are
	 * first needed. NULL: they are filled already.
	 */
	void (*load_tasks)(struct kft_trace *t);
	/*
	 * Lets this many threads read and decompress ahead for the streams from now on.
	 * NULL: the format has no use for threads.
	 */
	void (*read_ahead)(struct kft_trace *t, unsigned int threads);
	/*
	 * For a trace that is still being written; NULL otherwise. Waits until there is
	 * more of it: 1, 0 when it is complete, -errno. Events up to `settled` are
	 * complete for all CPUs: kft_merge_next() returns no later ones. Streams cannot
	 * be rewound after the first call.
	 */
	int (*more)(struct kft_trace *t);
	uint64_t settled;
	/*
	 * Names the address that a task had in its user space at a time; false when no file
	 * was mapped there. For any thread. NULL: the trace has no mappings of tasks.
	 */
	bool (*user_symbol)(struct kft_trace *t, uint32_t pid, uint64_t addr, uint64_t ts,
			    struct kft_user_symbol *ret);
	void (*destroy)(struct kft_trace *t); /* frees the reader's part; may be NULL */
	void *reader; /* state of the file format's reader */

	/* Used by the API (src/api): */
	bool has_reader; /* a struct kft_reader reads the streams */
	bool is_closed; /* closed by the program before its reader, which destroys it */
	bool is_live; /* owned by a session */
};

/* Frees everything, including streams and the reader's part. NULL is ignored. */
struct kft_trace *kft_trace_destroy(struct kft_trace *t);
KFT_DEFINE_CLEANUP(struct kft_trace *, kft_trace_destroy)

/* Creates an empty trace, for a machine with longs of 8 bytes; -ENOMEM. */
int kft_trace_create(struct kft_trace **ret) __must_check;

/* Adds a note; text is copied and cut at a limit. Dropped when out of memory. */
__printf_fmt(3, 4) void kft_trace_note(struct kft_trace *t, uint64_t offset,
				       const char *fmt, ...);

/*
 * The number of events that were overwritten on purpose before a CPU's first event, because
 * the recording keeps only the newest events; kft's own recordings overwrite only then. In
 * traces of other recorders overruns are losses.
 */
uint64_t kft_trace_overwritten(const struct kft_trace *t, uint16_t buffer, uint32_t cpu);

/*
 * Whether the loss before ev consists of the events that kft_trace_overwritten() counts, and
 * is not a gap between events.
 */
bool kft_trace_is_overwritten(const struct kft_trace *t, const struct kft_event *ev);

/* Whether the trace was recorded by kft. */
bool kft_trace_is_own(const struct kft_trace *t);

/*
 * A common field such as "common_pid", from any class: it is the same in all classes of a
 * kernel. Borrowed from the table; NULL when no class has it.
 */
const struct kft_field *kft_trace_common_field(struct kft_trace *t, const char *name);

/*
 * meta.kallsyms, loaded on first use; empty when there is none. Must be called before
 * meta is used as a whole. For one thread, like all members filled on first use.
 */
const struct kft_blob *kft_trace_kallsyms(struct kft_trace *t);

static inline const struct kft_class *kft_trace_class(struct kft_trace *t, uint16_t id)
{
	return kft_class_table_get(&t->classes, id);
}
