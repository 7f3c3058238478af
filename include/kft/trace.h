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
 * Reads a recorded trace. docs/examples/read-trace.c is a whole program:
 *
 *	kft_trace_open()	opens a file in any format that kft knows, by its contents
 *	kft_reader_create()	selects all events, or by name, CPU and time
 *	kft_reader_next()	returns events of all CPUs in the order of time
 *	kft_trace_field() ...	access their fields
 *	kft_trace_next_event_type()	lists the types of events;
 *				kft_trace_kind_field() lists the fields of one
 *	kft_reader_destroy(), kft_trace_close()
 *
 * A damaged file can be opened if any of it is readable; kft_trace_damage()
 * reports the damage after reading.
 *
 * One thread uses a trace and its reader. Functions that return int return 0 or
 * -errno with e (may be NULL) filled in. NULL for a required argument is -EINVAL, or
 * an empty answer: false, NULL, 0.
 */
struct kft_trace;
struct kft_reader;
struct kft_field;

/* Events were lost, but the kernel did not count them. */
#define KFT_LOST_UNKNOWN UINT64_MAX

/*
 * One event. It and its data are borrowed until the next event is read. data is
 * the record as the kernel wrote it, starting with common_type, in the byte
 * order of the traced machine.
 */
struct kft_event {
	uint64_t ts; /* in units of the buffer's clock: ns for most */
	/* Number of events lost on this CPU just before this one, or KFT_LOST_UNKNOWN. */
	uint64_t lost_before;
	const uint8_t *data;
	uint32_t size; /* bytes at data */
	uint32_t cpu;
	uint16_t id; /* id of the event's type, as in its format file */
	uint16_t buffer; /* index of the trace's buffer, see kft_trace_buffer_name() */
};

/*
 * Opens a trace, which the caller owns. -ENOENT, -EACCES and the like; -EINVAL: not a
 * trace; -ENOTSUP: a version or compression that this kft cannot read; -ENODATA: empty,
 * or cut in its first bytes; -ENOMEM.
 */
int kft_trace_open(const char *path, struct kft_trace **ret, struct kft_err *e);

/*
 * Returns NULL; NULL is fine. A trace with a reader is freed when that is destroyed; the
 * trace of a session when that is closed.
 */
struct kft_trace *kft_trace_close(struct kft_trace *t);

/*
 * Whether the part of the file that was read so far is damaged. *ret (may be
 * NULL) is the first damage.
 */
bool kft_trace_damage(const struct kft_trace *t, struct kft_err *ret);

/*
 * Whether the recording was killed or still runs: only data that
 * reached the disk is read.
 */
bool kft_trace_is_unfinished(const struct kft_trace *t);

/* The number of CPUs of the traced machine, with or without events; 0: not known. */
uint32_t kft_trace_cpu_count(const struct kft_trace *t);

/*
 * The name of a buffer: "" for the main one, the tracefs instance's for others; the name
 * of its clock ("local", "mono", ...); and whether that counts nanoseconds. NULL or false
 * for an invalid index. Borrowed while the trace is open.
 */
const char *kft_trace_buffer_name(const struct kft_trace *t, size_t buffer);
const char *kft_trace_buffer_clock(const struct kft_trace *t, size_t buffer);
bool kft_trace_buffer_is_ns(const struct kft_trace *t, size_t buffer);

/* The name of a task by its pid; "<...>" if it is not known. Never NULL; borrowed. */
const char *kft_trace_comm(struct kft_trace *t, uint32_t pid);

/*
 * The system and name of the event's type: "sched" and "sched_switch". NULL when the
 * trace does not describe it. Borrowed while the trace is open.
 */
const char *kft_trace_event_system(struct kft_trace *t, const struct kft_event *ev);
const char *kft_trace_event_name(struct kft_trace *t, const struct kft_event *ev);

/*
 * Finds a field of the event by its name, e.g. "common_pid" or "prev_comm". The result
 * is valid for all events with the same id while the trace is open, so look it up
 * once. NULL for an unknown name.
 */
const struct kft_field *kft_trace_field(struct kft_trace *t, const struct kft_event *ev,
					const char *name);

/* A type of event that a trace describes, with or without such events. */
struct kft_event_type {
	/* size of this struct in the caller's version; set before the call */
	size_t size;
	const char *system; /* "sched"; strings are borrowed while the trace is open */
	const char *name; /* "sched_switch" */
	uint16_t id; /* as in struct kft_event */
};

/*
 * Iterates over all types of events. *place must be 0 for the first one and is changed
 * only by these calls. False after the last one.
 */
bool kft_trace_next_event_type(struct kft_trace *t, size_t *place,
			       struct kft_event_type *ret);

/* Field i of the event type with this id, in the order of the record; NULL: no more. */
const struct kft_field *kft_trace_kind_field(struct kft_trace *t, uint16_t id, size_t i);

enum kft_field_kind {
	KFT_FIELD_INT, /* 1, 2, 4 or 8 bytes: kft_trace_field_int() */
	KFT_FIELD_STRING, /* kft_trace_field_str() */
	KFT_FIELD_ARRAY, /* array of integers */
	KFT_FIELD_OTHER, /* a struct, or bytes */
};

/* The properties of a field. */
struct kft_field_info {
	/* size of this struct in the caller's version; set before the call */
	size_t size;
	const char *name; /* strings are borrowed while the trace is open */
	const char *type; /* the kernel's declaration in C: "unsigned long", "char[16]" */
	enum kft_field_kind kind;
	uint32_t offset; /* bytes from the record's start */
	uint32_t bytes; /* size at offset; for a dynamic field, that of its location */
	uint32_t element_bytes; /* size of an integer, or of an array's element */
	bool is_signed;
	bool is_common; /* present in all events, like common_pid */
};
void kft_field_info(const struct kft_field *f, struct kft_field_info *ret);

/*
 * The value of a field of the event: an integer, sign-extended if the field is signed; or
 * a string, not NUL terminated, borrowed like the event. False when the field has another
 * type or the record ends before it.
 */
bool kft_trace_field_int(struct kft_trace *t, const struct kft_event *ev,
			 const struct kft_field *f, uint64_t *ret);
bool kft_trace_field_str(struct kft_trace *t, const struct kft_event *ev,
			 const struct kft_field *f, const char **ret, size_t *ret_len);

/*
 * Selects events; with all but the size zeroed, all of them. Borrowed only
 * for kft_reader_create().
 */
struct kft_reader_opts {
	/* sizeof(struct kft_reader_opts): defines the members that the program knows */
	size_t size;
	/*
	 * "system:event", "system" or "event", with globs (* ? []); events that match any
	 * of them. A leading '!' excludes events.
	 */
	const char *const *events;
	size_t n_events; /* 0: all */
	const uint32_t *cpus;
	size_t n_cpus; /* 0: all */
	uint64_t since; /* range of time stamps, inclusive; until 0: no end */
	uint64_t until;
};

/*
 * Creates a reader at the first event; owned by the caller. A trace has one reader at a
 * time (-EBUSY); creating another one later starts again. opts may be NULL. -ENOENT: the
 * trace does not describe such an event; -ENOMEM.
 */
int kft_reader_create(struct kft_trace *t, const struct kft_reader_opts *opts,
		      struct kft_reader **ret, struct kft_err *e);
struct kft_reader *kft_reader_destroy(struct kft_reader *r);

/*
 * The next event by time; at equal times by buffer, then CPU. 1, 0 at the end. Unreadable
 * data ends the events of its CPU and is reported by kft_trace_damage(). The reader of a
 * session that records returns -EAGAIN while there is no new event, see <kft/session.h>.
 */
int kft_reader_next(struct kft_reader *r, const struct kft_event **ret);

/*
 * The text of the event returned last by kft_reader_next(), in the kernel's own
 * format, for example "comm=sh pid=17 prio=120": the part that `kft report` shows
 * after the event's name. It is safe for a terminal and NUL terminated. Call it in the
 * order of the events, because calls and returns of functions are matched. Borrowed
 * until the next call. -ENOMEM.
 */
int kft_reader_text(struct kft_reader *r, const struct kft_event *ev, const char **ret);

#ifdef __cplusplus
}
#endif

#endif
