// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes the file with the state of a run. */
#include "capture/session_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/units.h"

#define STATE_FILE "state"

/* A member of struct kft_session_state: an integer, an enumeration or a bool. */
struct field {
	const char *name;
	uint32_t offset;
	uint8_t size;
	bool is_bool;
};

#define MEMBER(member) (((struct kft_session_state *)NULL)->member)
#define FIELD(field_name, member)                                       \
	{                                                               \
		field_name, offsetof(struct kft_session_state, member), \
			sizeof(MEMBER(member)),                         \
			_Generic(MEMBER(member), bool                   \
				 : true, default                        \
				 : false)                               \
	}

/* The state file has a line for each member, in this order; all values are numbers. */
static const struct field fields[] = {
	FIELD("id", id),
	FIELD("state", state),
	FIELD("started", started),
	FIELD("stopped", stopped),
	FIELD("start_ns", start_ns),
	FIELD("stop_ns", stop_ns),
	FIELD("lowest_stack_bytes", lowest_stack_bytes),
	FIELD("top", setup.top),
	FIELD("thresh_us", setup.thresh_us),
	FIELD("skips_irqs", setup.skips_irqs),
	FIELD("functions_filtered", setup.functions_filtered),
	FIELD("tasks_filtered", setup.tasks_filtered),
	FIELD("drained", drained),
	FIELD("count_at", count_at),
	FIELD("recorded", recorded),
	FIELD("disturbed", disturbed),
	FIELD("tracer", setup.tracer),
	FIELD("buffer_bytes", options.buffer_bytes),
	FIELD("is_recording", options.is_recording),
	FIELD("overwrite", options.overwrite),
	FIELD("events", events),
	FIELD("lost", lost),
	FIELD("keep_ns", options.keep_ns),
	FIELD("stream", options.stream),
	FIELD("max_cost_ppm", options.max_cost_ppm),
	FIELD("event_ns", options.event_ns),
	FIELD("watch_looks", watch.looks),
	FIELD("watch_stacks", watch.stacks),
	FIELD("watch_longest_ns", watch.longest_ns),
	FIELD("watch_last_ns", watch.last_ns),
	FIELD("entries", entries),
	FIELD("max_bytes", options.max_bytes),
	FIELD("max_events", options.max_events),
	FIELD("drained_bytes", drained_bytes),
	FIELD("taken", taken),
};

static uint64_t get(const struct kft_session_state *r, const struct field *f)
{
	const char *p = (const char *)r + f->offset;
	uint32_t v;
	uint64_t v64;

	if (f->is_bool)
		return *(const bool *)p;
	if (f->size == sizeof(v)) {
		memcpy(&v, p, sizeof(v));
		return v;
	}
	memcpy(&v64, p, sizeof(v64));
	return v64;
}

/* Returns false if the value does not fit the member. */
static bool set(struct kft_session_state *r, const struct field *f, uint64_t value)
{
	char *p = (char *)r + f->offset;
	uint32_t v = (uint32_t)value;

	if (f->is_bool) {
		*(bool *)p = value;
		return value <= 1;
	}
	memcpy(p, f->size == sizeof(v) ? (const void *)&v : &value, f->size);
	return f->size == sizeof(value) || value <= INT32_MAX;
}

bool kft_session_state_exists(const struct kft_rundir *d)
{
	return kft_find_at(d->fd, STATE_FILE) == 0;
}

int kft_session_state_write(const struct kft_rundir *d,
			    const struct kft_session_state *rec, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		kft_strbuf_addf(&sb, "%s %" PRIu64 "\n", fields[i].name,
				get(rec, &fields[i]));
	if (!kft_strbuf_ok(&sb))
		return kft_err_sys(e, -ENOMEM, "cannot write the state of the run");
	return kft_rundir_write(d, STATE_FILE, sb.buf, sb.len, e);
}

/* Cuts the next line, "name value", out of text. Returns false if it has another name. */
static bool take_line(char **text, const char *name, uint64_t *ret)
{
	char *line = strsep(text, "\n");
	char *blank = line ? strchr(line, ' ') : NULL;

	if (!blank)
		return false;
	*blank = '\0';
	return strcmp(line, name) == 0 && kft_parse_u64(blank + 1, ret) == 0;
}

static int not_understood(const struct kft_rundir *d, struct kft_err *e)
{
	int r = kft_err_set(e, -EINVAL, "cannot understand the state of session '%s'",
			    d->name);

	kft_err_hint(e,
		     "another version of kft made it; 'kft reset -n %s' removes it and "
		     "its records",
		     d->name);
	return r;
}

int kft_session_state_read(const struct kft_rundir *d, struct kft_session_state *ret,
			   struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	uint64_t value;
	int r = kft_rundir_read(d, STATE_FILE, &sb, e);

	if (r < 0)
		return r;
	(void)kft_strbuf_cstr(&sb);
	char *text = sb.buf;
	*ret = (struct kft_session_state){};
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (!take_line(&text, fields[i].name, &value) ||
		    !set(ret, &fields[i], value))
			return not_understood(d, e);
	/* Lines of a later version would be lost when this version writes the file again. */
	if (text && *text)
		return not_understood(d, e);
	if (ret->state >= KFT_STATE_FAILED || ret->started >= KFT_CAUSE_COUNT ||
	    ret->stopped >= KFT_CAUSE_COUNT || ret->setup.tracer > KFT_TRACER_ENTRIES)
		return not_understood(d, e);
	ret->disturbed &= KFT_DISTURBED_ALL;
	return 0;
}
