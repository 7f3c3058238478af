// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes the file that keeps what is known of a run. */
#include "capture/run/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "base/units.h"

#define STATE_FILE "state"

/* Everything is kept as a number; one line each, in this order. */
enum { FIELD_MAX = 34 };

struct field {
	const char *name;
	uint64_t value;
};

static size_t to_fields(const struct kft_run_record *r, struct field ret[FIELD_MAX])
{
	const struct field fields[] = {
		{"id", r->id},
		{"state", r->state},
		{"started", r->started},
		{"stopped", r->stopped},
		{"start_ns", r->start_ns},
		{"stop_ns", r->stop_ns},
		{"lowest_stack_bytes", r->lowest_stack_bytes},
		{"top", r->setup.top},
		{"thresh_us", r->setup.thresh_us},
		{"skips_irqs", r->setup.skips_irqs},
		{"functions_filtered", r->setup.functions_filtered},
		{"tasks_filtered", r->setup.tasks_filtered},
		{"drained", r->drained},
		{"count_at", r->count_at},
		{"recorded", r->recorded},
		{"disturbed", r->disturbed},
		{"tracer", r->setup.tracer},
		{"buffer_bytes", r->options.buffer_bytes},
		{"is_recording", r->options.is_recording},
		{"overwrite", r->options.overwrite},
		{"events", r->events},
		{"lost", r->lost},
		{"keep_ns", r->options.keep_ns},
		{"stream", r->options.stream},
		{"max_cost_ppm", r->options.max_cost_ppm},
		{"event_ns", r->options.event_ns},
		{"watch_looks", r->watch.looks},
		{"watch_stacks", r->watch.stacks},
		{"watch_longest_ns", r->watch.longest_ns},
		{"watch_last_ns", r->watch.last_ns},
		{"entries", r->entries},
		{"max_bytes", r->options.max_bytes},
		{"max_events", r->options.max_events},
		{"drained_bytes", r->drained_bytes},
	};

	memcpy(ret, fields, sizeof(fields));
	return ARRAY_SIZE(fields);
}

static void from_fields(const struct field *f, struct kft_run_record *ret)
{
	*ret = (struct kft_run_record){
		.id = f[0].value,
		.state = f[1].value,
		.started = f[2].value,
		.stopped = f[3].value,
		.start_ns = f[4].value,
		.stop_ns = f[5].value,
		.lowest_stack_bytes = f[6].value,
		.setup =
			{
				.top = f[7].value,
				.thresh_us = f[8].value,
				.skips_irqs = f[9].value,
				.functions_filtered = f[10].value,
				.tasks_filtered = f[11].value,
				.tracer = f[16].value,
			},
		.drained = f[12].value,
		.count_at = f[13].value,
		.recorded = f[14].value,
		.disturbed = f[15].value & KFT_DISTURBED_ALL,
		.options =
			{
				.buffer_bytes = f[17].value,
				.is_recording = f[18].value,
				.overwrite = f[19].value,
				.keep_ns = f[22].value,
				.stream = f[23].value,
				.max_cost_ppm = f[24].value,
				.event_ns = f[25].value,
				.max_bytes = f[31].value,
				.max_events = f[32].value,
			},
		.watch =
			{
				.looks = f[26].value,
				.stacks = f[27].value,
				.longest_ns = f[28].value,
				.last_ns = f[29].value,
			},
		.events = f[20].value,
		.lost = f[21].value,
		.entries = f[30].value,
		.drained_bytes = f[33].value,
	};
}

bool kft_run_record_exists(const struct kft_rundir *d)
{
	return kft_find_at(d->fd, STATE_FILE) == 0;
}

int kft_run_record_write(const struct kft_rundir *d, const struct kft_run_record *rec,
			 struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct field fields[FIELD_MAX];
	size_t n = to_fields(rec, fields);

	for (size_t i = 0; i < n; i++)
		kft_strbuf_addf(&sb, "%s %" PRIu64 "\n", fields[i].name, fields[i].value);
	if (!kft_strbuf_ok(&sb))
		return kft_err_sys(e, -ENOMEM, "cannot write the state of the run");
	return kft_rundir_write(d, STATE_FILE, sb.buf, sb.len, e);
}

/* "name value" of the next line, cut out of text; false when there is none. */
static bool take_line(char **text, struct field *ret)
{
	char *line = strsep(text, "\n");
	char *blank = line ? strchr(line, ' ') : NULL;

	if (!blank)
		return false;
	*blank = '\0';
	ret->name = line;
	return kft_parse_u64(blank + 1, &ret->value) == 0;
}

static int not_understood(const struct kft_rundir *d, struct kft_err *e)
{
	int r = kft_err_set(e, -EINVAL, "cannot understand the state of session '%s'",
			    d->name);

	kft_err_hint(e,
		     "another version of kft made it; 'kft reset -n %s' removes it, with "
		     "what it recorded",
		     d->name);
	return r;
}

int kft_run_record_read(const struct kft_rundir *d, struct kft_run_record *ret,
			struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct field fields[FIELD_MAX];
	struct field line;
	int r = kft_rundir_read(d, STATE_FILE, &sb, e);

	if (r < 0)
		return r;
	(void)kft_strbuf_cstr(&sb);
	char *text = sb.buf;
	size_t n = to_fields(&(struct kft_run_record){}, fields);
	for (size_t i = 0; i < n; i++) {
		if (!take_line(&text, &line) || strcmp(line.name, fields[i].name) != 0)
			return not_understood(d, e);
		fields[i].value = line.value;
	}
	/* What a later version keeps as well would be gone when this one writes it again. */
	if (text && *text)
		return not_understood(d, e);
	if (fields[1].value >= KFT_STATE_FAILED || fields[2].value > KFT_CAUSE_OTHER ||
	    fields[3].value > KFT_CAUSE_OTHER || fields[16].value > KFT_TRACER_ENTRIES)
		return not_understood(d, e);
	from_fields(fields, ret);
	return 0;
}
