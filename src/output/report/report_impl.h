/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "output/report/report.h"
#include "output/time.h"

/* Shared by the styles of reports. Only they include this. */

/* The fields that every event has, independent of its class. */
enum kft_report_builtin {
	KFT_REPORT_FIELD, /* a field of the event itself */
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
	const char *field; /* the field's name in the event */
	bool is_own; /* the event's own field, even if a common one has the same name */
};

/*
 * Part of a line that is built once and then copied; in the arena. Most are short. At
 * least KFT_REPORT_BLOCK bytes are readable, so that a copy needs no loop.
 */
#define KFT_REPORT_BLOCK 32

struct kft_report_piece {
	const char *text;
	size_t len;
};

/* Writes the piece at p, which needs room for KFT_REPORT_BLOCK more bytes. */
static inline char *kft_report_put(char *p, const struct kft_report_piece *piece)
{
	memcpy(p, piece->text, KFT_REPORT_BLOCK);
	if (unlikely(piece->len > KFT_REPORT_BLOCK))
		memcpy(p + KFT_REPORT_BLOCK, piece->text + KFT_REPORT_BLOCK,
		       piece->len - KFT_REPORT_BLOCK);
	return p + piece->len;
}

/* Data that is looked up once for each event class. */
struct kft_report_class {
	uint16_t id;
	const struct kft_class *cls; /* NULL: the trace does not describe the event */
	struct kft_report_piece name; /* escaped; "unknown-ID" without a class */
	struct kft_report_piece label; /* ": name: " and blanks, for the trace style */
	/* " name: ", after columns other than the time */
	struct kft_report_piece label_after;
	const struct kft_field **fields; /* by column; NULL: the event lacks it */
	struct kft_plain_class *plain; /* for the plain style */
};

/* State of the trace style between lines. */
#define KFT_REPORT_RECENT 256

struct kft_report_line {
	struct kft_ts_writer time;
	struct kft_wall_writer wall;
	struct kft_map
		/* maps pid and number of the name to a struct kft_report_piece * */
		tasks;
	struct kft_arena names; /* memory of these pieces */
	/* A cache of the same for recent pids, by their low bits; piece NULL: empty. */
	struct {
		uint32_t pid;
		/* start and length of the name's validity, in units of time */
		uint64_t since;
		uint64_t length;
		const struct kft_report_piece *piece;
	} recent[KFT_REPORT_RECENT];
	size_t name_width; /* width of buffer names; 0 with a single buffer */
};

struct kft_report {
	const struct kft_report_style *style;
	struct kft_report_opts opts;
	struct kft_report_column *columns; /* owned; opts.n_fields elements */
	const struct kft_field *pid; /* common_pid; NULL when missing */
	const struct kft_field *flags; /* common_flags; NULL when missing */
	const struct kft_field *preempt; /* common_preempt_count; NULL when missing */
	uint64_t before; /* time of the event shown last, or KFT_REPORT_NO_TIME */
	bool swap;
	/* the exit of the entry that is being shown, or NULL */
	const struct kft_event *exit;
	struct kft_report_class **classes; /* owned, by id; NULL: not seen yet */
	struct kft_report_line line; /* for the trace style */
	struct kft_plain *plain; /* for the plain style */
	/* for the plain style: context of the next event, or NULL */
	const struct kft_event_context *moment;
	struct kft_arena arena;
};

struct kft_report_style {
	/* Called before the first event; may be NULL. */
	void (*begin)(struct kft_report *r, struct kft_strbuf *sb);
	/*
	 * Called once for each class, at its first event; false when memory
	 * runs out. May be NULL.
	 */
	bool (*meet)(struct kft_report *r, struct kft_report_class *rc);
	/*
	 * Prints a line for lost events before ev, or at the end of its CPU, where
	 * ev->ts is KFT_REPORT_NO_TIME.
	 */
	void (*loss)(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb);
	/* Prints the event, without the loss before it. */
	void (*event)(struct kft_report *r, const struct kft_event *ev,
		      const struct kft_report_class *rc, struct kft_strbuf *sb);
};

/* Copies the text of sb to the arena; false when memory runs out. */
bool kft_report_keep(struct kft_arena *a, const struct kft_strbuf *sb,
		     struct kft_report_piece *ret);

/* Reads the event's pid; false without one. */
static inline bool kft_report_pid(const struct kft_report *r, const struct kft_event *ev,
				  uint32_t *ret)
{
	uint64_t pid;

	if (!r->pid || !kft_event_int(ev, r->pid, r->swap, &pid))
		return false;
	*ret = pid;
	return true;
}

/* Reads common_flags or common_preempt_count; false when the event lacks it. */
static inline bool kft_report_common(const struct kft_report *r,
				     const struct kft_event *ev,
				     const struct kft_field *f, uint64_t *ret)
{
	return f && kft_event_int(ev, f, r->swap, ret);
}

/* Appends the event's own text, without a newline at the end. */
void kft_report_add_info(struct kft_report *r, const struct kft_event *ev,
			 const struct kft_report_class *rc, struct kft_strbuf *sb);

/* Appends "CPU:1 [169 EVENTS DROPPED]". */
void kft_report_add_loss(const struct kft_report *r, const struct kft_event *ev,
			 struct kft_strbuf *sb);

static inline const struct kft_buffer *kft_report_buffer(const struct kft_report *r,
							 const struct kft_event *ev)
{
	return &r->opts.trace->buffers.data[ev->buffer];
}

/* Writes the time of day, or "-" when it is not known for the event's clock. */
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
