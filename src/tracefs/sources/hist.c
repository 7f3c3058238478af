// SPDX-License-Identifier: LGPL-2.1-or-later
/* Has the kernel find intervals. */
#include "tracefs/sources/hist.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/filter.h"

#define SYNTHETIC "synthetic_events"
/* A table has a line of some 100 bytes for each key. */
#define TABLE_MAX_BYTES ((size_t)64 << 20)

/* Makes "events/SYSTEM/EVENT/FILE" from "SYSTEM:EVENT". */
static void path_of(const char *event, const char *file, char ret[KFT_PLACE_FILE_MAX])
{
	int system = (int)strcspn(event, ":");

	(void)snprintf(ret, KFT_PLACE_FILE_MAX, "events/%.*s/%s/%s", system, event,
		       event + system + 1, file);
}

static int define(const struct kft_ledger *u, const struct kft_plan_interval *i,
		  struct kft_err *e)
{
	const char *name = strrchr(i->key, ' ');
	char path[KFT_PLACE_FILE_MAX];
	char text[KFT_PLACE_FILE_MAX];
	int n = snprintf(text, sizeof(text), "!%s u64 lat; %.*s key", i->name,
			 (int)(name ? name - i->key : 0), i->key);

	(void)snprintf(path, sizeof(path), "events/synthetic/%s", i->name);
	int r = kft_ledger_note_dynamic(u, path, SYNTHETIC, text, e);
	if (r < 0)
		return r;
	r = kft_write_at(u->tracefs_fd, SYNTHETIC, O_APPEND, text + 1, (size_t)n - 1);
	return r < 0 ? kft_err_sys(e, r, "cannot make a synthetic event") : 0;
}

static int add_trigger(const struct kft_tracefs_dir *place, const char *event,
		       const char *filter, struct kft_strbuf *text, struct kft_err *e)
{
	char file[KFT_PLACE_FILE_MAX];
	char path[KFT_PLACE_PREFIX_MAX + KFT_PLACE_FILE_MAX];

	path_of(event, "trigger", file);
	(void)snprintf(path, sizeof(path), "%s%s", place->prefix, file);
	if (filter)
		kft_strbuf_addf(text, " if %s", filter);
	(void)kft_strbuf_cstr(text);
	if (!kft_strbuf_ok(text))
		return kft_err_memory(e);
	int r = kft_ledger_note_trigger(place->ledger, path, text->buf, e);
	if (r < 0)
		return r;
	r = kft_write_at(place->fd, file, 0, text->buf, text->len);
	return r < 0 ? kft_err_sys(e, r, "cannot set a trigger of %s", event) : 0;
}

/*
 * Reading the time of the beginning in a calculation removes it, so that no end finds it
 * any more.
 */
static int add_cancel(const struct kft_tracefs_dir *place,
		      const struct kft_plan_interval *i, size_t n, const char *clock,
		      struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text,
			"hist:keys=%s:gone%zu=common_timestamp-$ts%zu:size=%u:clock=%s",
			i->cancel.keys, n, n, i->room, clock);
	return add_trigger(place, i->cancel.event, i->cancel.filter, &text, e);
}

/* Variables belong to the instance, so those of each interval have its number in their names. */
static int add_triggers(const struct kft_tracefs_dir *place,
			const struct kft_plan_interval *i, size_t n, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf begin = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf end = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf clock = {};
	const char *event = i->begin.event;
	int system = (int)strcspn(event, ":");
	int r = kft_control_file_read_value(place->fd, "trace_clock", &clock);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read trace_clock");
	/* Without a clock a trigger switches its instance to "global". */
	kft_strbuf_addf(&begin, "hist:keys=%s:ts%zu=common_timestamp:size=%u:clock=%s",
			i->begin.keys, n, i->room, kft_strbuf_cstr(&clock));
	r = add_trigger(place, event, i->begin.filter, &begin, e);
	if (r == 0 && i->cancel.event)
		r = add_cancel(place, i, n, kft_strbuf_cstr(&clock), e);
	if (r < 0)
		return r;
	kft_strbuf_addf(&end,
			"hist:keys=%s:lat%zu=common_timestamp-$ts%zu:size=%u:clock=%s:"
			"onmatch(%.*s.%s).trace(%s,$lat%zu,%s)",
			i->end.keys, n, n, i->room, kft_strbuf_cstr(&clock), system,
			event, event + system + 1, i->name, n, strrchr(i->key, ' ') + 1);
	return add_trigger(place, i->end.event, i->end.filter, &end, e);
}

/* Notes how to disable the event, because it cannot be removed while it is enabled anywhere. */
static int enable(const struct kft_tracefs_dir *place, const struct kft_plan_interval *i,
		  struct kft_err *e)
{
	char file[KFT_PLACE_FILE_MAX];
	char path[KFT_PLACE_PREFIX_MAX + KFT_PLACE_FILE_MAX];
	char filter[48];

	(void)snprintf(file, sizeof(file), "events/synthetic/%s/enable", i->name);
	(void)snprintf(path, sizeof(path), "%s%s", place->prefix, file);
	(void)snprintf(filter, sizeof(filter), "lat > %" PRIu64, i->min_ns);
	int r = kft_filter_set(place->fd, "synthetic", i->name, filter, e);
	if (r == 0)
		r = kft_ledger_note_set(place->ledger, path, "0", e);
	if (r < 0)
		return r;
	r = kft_write_at(place->fd, file, O_TRUNC, "1", 1);
	return r < 0 ? kft_err_sys(e, r, "cannot enable a synthetic event") : 0;
}

int kft_hist_enable(const struct kft_plan *plan, const struct kft_tracefs_dir *place,
		    struct kft_err *e)
{
	int r = 0;

	if (plan->n_intervals && kft_find_at(place->ledger->tracefs_fd, SYNTHETIC) < 0)
		return kft_err_set(e, -ENOENT, "this kernel has no synthetic events");
	for (size_t i = 0; i < plan->n_intervals && r == 0; i++) {
		r = define(place->ledger, &plan->intervals[i], e);
		if (r == 0)
			r = add_triggers(place, &plan->intervals[i], i, e);
		if (r == 0)
			r = enable(place, &plan->intervals[i], e);
	}
	return r;
}

/* Returns the highest number after a word: the text may have several tables of one event. */
static uint64_t highest(const char *text, const char *word)
{
	uint64_t n = 0;

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		n = KFT_MAX(n, strtoull(p + strlen(word), NULL, 10));
	return n;
}

static int is_filling(const struct kft_plan_moment *m, uint32_t room, int instance_fd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char path[KFT_PLACE_FILE_MAX];

	path_of(m->event, "hist", path);
	int r = kft_read_at(instance_fd, path, TABLE_MAX_BYTES, &text);
	if (r < 0)
		return r;
	(void)kft_strbuf_cstr(&text);
	return !kft_strbuf_ok(&text) ? -ENOMEM
				     : highest(text.buf, "\n    Entries: ") > room / 2 ||
					       highest(text.buf, "\n    Dropped: ") > 0;
}

int kft_hist_is_filling(const struct kft_plan *plan, int instance_fd)
{
	int r = 0;

	for (size_t i = 0; i < plan->n_intervals && r == 0; i++) {
		const struct kft_plan_interval *it = &plan->intervals[i];

		r = is_filling(&it->begin, it->room, instance_fd);
		if (r == 0)
			r = is_filling(&it->end, it->room, instance_fd);
		if (r == 0 && it->cancel.event)
			r = is_filling(&it->cancel, it->room, instance_fd);
	}
	return r;
}
