/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_TRACE_H
#define KFT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <kft/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reading a recorded trace. docs/examples/read-trace.c is a whole program:
 *
 *	kft_trace_open()	any file that kft reads; told by its content
 *	kft_reader_create()	all of it, or some events, CPUs, a time
 *	kft_reader_next()	events of all CPUs in the order of time
 *	kft_trace_field() ...	what is in them
 *	kft_trace_next_kind()	what events there can be, and kft_trace_kind_field()
 *	kft_reader_destroy(), kft_trace_close()
 *
 * A damaged file opens when anything can be read of it; kft_trace_damage() tells after
 * reading what was wrong.
 *
 * One thread uses a trace and its reader. Functions that return int give 0 or -errno with
 * e (may be NULL) filled in. NULL where something is needed is -EINVAL, or the answer that
 * nothing is known: false, NULL, 0.
 */
struct kft_trace;
struct kft_reader;
struct kft_field;

/* Events were lost, the kernel did not count how many. */
#define KFT_LOST_UNKNOWN UINT64_MAX

/*
 * One event. It and its data are borrowed until the next event of its reader is asked for.
 * data is the record as the kernel wrote it, from common_type on, in the byte order of the
 * traced machine.
 */
struct kft_event {
	uint64_t ts; /* in units of the buffer's clock: ns for most */
	/* Events lost on this CPU just before: 0, n, KFT_LOST_UNKNOWN */
	uint64_t lost_before;
	const uint8_t *data;
	uint32_t size; /* bytes at data */
	uint32_t cpu;
	uint16_t id; /* of the kind of event, as in its format file */
	uint16_t buffer; /* which of the trace's buffers, see kft_trace_buffer_name() */
};

/*
 * The trace is owned by the caller. -ENOENT, -EACCES and the like; -EINVAL: no trace;
 * -ENOTSUP: of a version or compression that this kft cannot read; -ENODATA: empty, or cut
 * in its first bytes; -ENOMEM.
 */
int kft_trace_open(const char *path, struct kft_trace **ret, struct kft_err *e);

/*
 * Returns NULL; NULL is fine. A trace that still has a reader lives until that is destroyed;
 * one of a session until that is closed.
 */
struct kft_trace *kft_trace_close(struct kft_trace *t);

/*
 * Is something wrong with the file, as far as it has been read? *ret (may be NULL) is the
 * first such thing.
 */
bool kft_trace_damage(const struct kft_trace *t, struct kft_err *ret);

/* The recording was killed, or goes on: what has reached the disk is read. */
bool kft_trace_is_unfinished(const struct kft_trace *t);

/* CPUs of the traced machine, whether they have events or not; 0: not known. */
uint32_t kft_trace_cpu_count(const struct kft_trace *t);

/*
 * Names of buffers: "" for the main one, that of the tracefs instance for others. NULL when
 * there is no such buffer; likewise the name of its clock ("local", "mono", ...), and
 * whether that counts nanoseconds. Borrowed while the trace is open.
 */
const char *kft_trace_buffer_name(const struct kft_trace *t, size_t buffer);
const char *kft_trace_buffer_clock(const struct kft_trace *t, size_t buffer);
bool kft_trace_buffer_is_ns(const struct kft_trace *t, size_t buffer);

/* The name of a task by its pid; "<...>" when it is not known. Never NULL, borrowed. */
const char *kft_trace_comm(struct kft_trace *t, uint32_t pid);

/*
 * What kind of event it is: "sched" and "sched_switch". NULL when the trace does not
 * describe it. Borrowed while the trace is open.
 */
const char *kft_trace_event_system(struct kft_trace *t, const struct kft_event *ev);
const char *kft_trace_event_name(struct kft_trace *t, const struct kft_event *ev);

/*
 * A field of the event by its name, e.g. "common_pid" or "prev_comm": valid for all events
 * with the same id while the trace is open, so that it need not be looked up again. NULL
 * when there is none.
 */
const struct kft_field *kft_trace_field(struct kft_trace *t, const struct kft_event *ev,
					const char *name);

/* A kind of event that a trace describes, whether it has any such events or not. */
struct kft_kind {
	size_t size; /* of this struct, as the caller knows it; set before it is filled in */
	const char *system; /* "sched"; strings are borrowed while the trace is open */
	const char *name; /* "sched_switch" */
	uint16_t id; /* as in struct kft_event */
};

/*
 * All kinds of events, one after the other: *place is 0 for the first one and belongs to
 * these calls. False behind the last one.
 */
bool kft_trace_next_kind(struct kft_trace *t, size_t *place, struct kft_kind *ret);

/* Field i of the kind of event with this id, in the order of the record; NULL: no more. */
const struct kft_field *kft_trace_kind_field(struct kft_trace *t, uint16_t id, size_t i);

enum kft_field_kind {
	KFT_FIELD_INT, /* 1, 2, 4 or 8 bytes: kft_trace_field_int() */
	KFT_FIELD_STRING, /* kft_trace_field_str() */
	KFT_FIELD_ARRAY, /* of integers */
	KFT_FIELD_OTHER, /* a struct, or bytes */
};

/* What is known of a field. */
struct kft_field_info {
	size_t size; /* of this struct, as the caller knows it; set before it is filled in */
	const char *name; /* strings are borrowed while the trace is open */
	const char *type; /* as the kernel writes it, in C: "unsigned long", "char[16]" */
	enum kft_field_kind kind;
	uint32_t offset; /* bytes from the record's start */
	uint32_t bytes; /* at offset; of what is elsewhere, those that say where */
	uint32_t element_bytes; /* of an integer, of one element */
	bool is_signed;
	bool is_common; /* of all kinds: common_pid and the like */
};
void kft_field_info(const struct kft_field *f, struct kft_field_info *ret);

/*
 * The value of a field of the event: an integer, sign extended when the field is signed;
 * or a string, not NUL terminated, borrowed like the event. False when the field holds
 * something else or the record ends before it.
 */
bool kft_trace_field_int(struct kft_trace *t, const struct kft_event *ev,
			 const struct kft_field *f, uint64_t *ret);
bool kft_trace_field_str(struct kft_trace *t, const struct kft_event *ev,
			 const struct kft_field *f, const char **ret, size_t *ret_len);

/* What to read; all but the size zeroed is everything. Borrowed while the reader is made only. */
struct kft_reader_opts {
	size_t size; /* sizeof(struct kft_reader_opts): which members the program knows */
	/*
	 * "system:event", "system" or "event", with globs (* ? []); any of them. Those with
	 * '!' before are excluded.
	 */
	const char *const *events;
	size_t n_events; /* 0: all */
	const uint32_t *cpus;
	size_t n_cpus; /* 0: all */
	uint64_t since; /* first and last time stamp; until 0: no end */
	uint64_t until;
};

/*
 * At the first event; owned by the caller. A trace has one reader at a time (-EBUSY); making
 * another one later starts over. opts may be NULL. -ENOENT: the trace describes no such event;
 * -ENOMEM.
 */
int kft_reader_create(struct kft_trace *t, const struct kft_reader_opts *opts,
		      struct kft_reader **ret, struct kft_err *e);
struct kft_reader *kft_reader_destroy(struct kft_reader *r);

/*
 * The next event by time; at equal times by buffer, then CPU. 1, 0 at the end. What cannot
 * be read ends the events of its CPU and is told by kft_trace_damage(). The reader of a
 * session that records gives -EAGAIN while there is no event yet, see <kft/session.h>.
 */
int kft_reader_next(struct kft_reader *r, const struct kft_event **ret);

/*
 * What the kernel's own format says of the event that kft_reader_next() gave last, for
 * example "comm=sh pid=17 prio=120": as `kft report` shows it behind the event's name,
 * safe for a terminal, NUL terminated. Ask in the order of the events: calls and returns
 * of functions are matched. Borrowed until the next call. -ENOMEM.
 */
int kft_reader_text(struct kft_reader *r, const struct kft_event *ev, const char **ret);

#ifdef __cplusplus
}
#endif

#endif
