/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_OUTPUT_REPORT_IMPL_H
#define KFT_OUTPUT_REPORT_IMPL_H

#include "output/report.h"
#include "output/time.h"

/* What the styles of reports share. Only they include this. */

/* The columns that every event has, whatever its class. */
enum kft_report_builtin {
	KFT_REPORT_FIELD, /* none of these: a field of the event */
	KFT_REPORT_TS,
	KFT_REPORT_TIME,
	KFT_REPORT_WALL,
	KFT_REPORT_CPU,
	KFT_REPORT_COMM,
	KFT_REPORT_PID,
	KFT_REPORT_EVENT,
	KFT_REPORT_SYSTEM,
	KFT_REPORT_BUFFER,
	KFT_REPORT_INFO,
};

struct kft_report_column {
	const char *name; /* borrowed */
	enum kft_report_builtin builtin;
	const char *field; /* what the event calls it */
	bool is_own; /* not the field that all events have by that name */
};

/*
 * A piece of a line that is made once and copied from then on; in the arena. Most are
 * short, and readable up to KFT_REPORT_BLOCK: they are copied whole, without a loop.
 */
#define KFT_REPORT_BLOCK 32

struct kft_report_piece {
	const char *text;
	size_t len;
};

/* Writes at p, where KFT_REPORT_BLOCK bytes more than the piece's are free. */
static inline char *kft_report_put(char *p, const struct kft_report_piece *piece)
{
	memcpy(p, piece->text, KFT_REPORT_BLOCK);
	if (unlikely(piece->len > KFT_REPORT_BLOCK))
		memcpy(p + KFT_REPORT_BLOCK, piece->text + KFT_REPORT_BLOCK,
		       piece->len - KFT_REPORT_BLOCK);
	return p + piece->len;
}

/* What is looked up once for each event class. */
struct kft_report_class {
	uint16_t id;
	const struct kft_class *cls; /* NULL: the trace does not describe the event */
	struct kft_report_piece name; /* escaped; "unknown-ID" without a class */
	struct kft_report_piece label; /* ": name: " and blanks: the trace style's */
	struct kft_report_piece label_after; /* " name: ", behind more than a time */
	const struct kft_field **fields; /* by column; NULL: the event has none */
	struct kft_plain_class *plain; /* of the plain style */
};

/* What the trace style keeps from line to line. */
#define KFT_REPORT_RECENT 256

struct kft_report_line {
	struct kft_ts_writer time;
	struct kft_wall_writer wall;
	struct kft_map
		tasks; /* pid and number of its name -> struct kft_report_piece * */
	struct kft_arena names; /* of these */
	/* The same for the pids met last, by their low bits; piece NULL: none. */
	struct {
		uint32_t pid;
		uint64_t since; /* the name holds for so many units of time */
		uint64_t length;
		const struct kft_report_piece *piece;
	} recent[KFT_REPORT_RECENT];
	size_t name_width; /* of buffer names; 0 with one buffer */
};

struct kft_report {
	const struct kft_report_style *style;
	struct kft_report_opts opts;
	struct kft_report_column *columns; /* owned; opts.n_fields of them */
	const struct kft_field *pid; /* common_pid; NULL when there is none */
	const struct kft_field *flags; /* common_flags, likewise */
	const struct kft_field *preempt; /* common_preempt_count, likewise */
	uint64_t
		before; /* time of the event that was shown last; or KFT_REPORT_NO_TIME */
	bool swap;
	const struct kft_event *exit; /* of the entry that is being shown; or NULL */
	struct kft_report_class **classes; /* owned, by id; NULL: not met yet */
	struct kft_report_line line; /* the trace style's */
	struct kft_plain *plain; /* the plain style's */
	const struct kft_moment *moment; /* likewise, of the next event; or NULL */
	struct kft_arena arena;
};

struct kft_report_style {
	/* What comes before the first event; may be NULL. */
	void (*begin)(struct kft_report *r, struct kft_strbuf *sb);
	/* Once for each class, at its first event; false when out of memory. May be NULL. */
	bool (*meet)(struct kft_report *r, struct kft_report_class *rc);
	/*
	 * A line where events are missing before ev, or at the end of its CPU, where
	 * ev->ts is KFT_REPORT_NO_TIME.
	 */
	void (*loss)(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb);
	/* The event, without its loss. */
	void (*event)(struct kft_report *r, const struct kft_event *ev,
		      const struct kft_report_class *rc, struct kft_strbuf *sb);
};

/* A copy of sb's text in the arena; false when out of memory. */
bool kft_report_keep(struct kft_arena *a, const struct kft_strbuf *sb,
		     struct kft_report_piece *ret);

/* False when the event names no task. */
static inline bool kft_report_pid(const struct kft_report *r, const struct kft_event *ev,
				  uint32_t *ret)
{
	uint64_t pid;

	if (!r->pid || !kft_event_int(ev, r->pid, r->swap, &pid))
		return false;
	*ret = pid;
	return true;
}

/* common_flags or common_preempt_count; false when the event does not say. */
static inline bool kft_report_common(const struct kft_report *r,
				     const struct kft_event *ev,
				     const struct kft_field *f, uint64_t *ret)
{
	return f && kft_event_int(ev, f, r->swap, ret);
}

/* What is said about the event itself, without a newline at the end. */
void kft_report_add_info(struct kft_report *r, const struct kft_event *ev,
			 const struct kft_report_class *rc, struct kft_strbuf *sb);

/* "CPU:1 [169 EVENTS DROPPED]" */
void kft_report_add_loss(const struct kft_report *r, const struct kft_event *ev,
			 struct kft_strbuf *sb);

static inline const struct kft_buffer *kft_report_buffer(const struct kft_report *r,
							 const struct kft_event *ev)
{
	return &r->opts.trace->buffers.data[ev->buffer];
}

/* The time of day, or a - where the event's clock does not tell. */
char *kft_report_put_wall(struct kft_report *r, const struct kft_event *ev, char *p);

static inline const char *kft_report_comm(const struct kft_report *r,
					  const struct kft_event *ev, uint32_t pid)
{
	return kft_task_comm_at(&r->opts.trace->tasks, pid, ev->ts);
}

static inline const char *kft_report_system(const struct kft_report_class *rc)
{
	return rc->cls ? rc->cls->system : "";
}

#endif
