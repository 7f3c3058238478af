// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps symbols of kernel modules, for a session that outlives its processes. */
#include "tracefs/detached/modules.h"

#include <inttypes.h>
#include <string.h>

#include "base/io.h"
#include "base/now.h"
#include "base/scan.h"
#include "tracefs/sources/later_modules.h"
#include "decode/module_symbols.h"
#include "model/clock.h"

/* A line "LOOKED IS_NEW FIRST_BYTES TRACE_NS", then the list of modules of that check. */
#define LIST_FILE   "modules"
#define BLOCKS_FILE "modules.symbols"
/* Exists when no process checked for a time: lists modules that were new after that. */
#define UNSEEN_FILE "modules.unseen"

/* Patterns of functions, a line each. */
#define INCLUDE_FILE "modules.include"
#define EXCLUDE_FILE "modules.exclude"

#define PROC_MAX_BYTES	   (1U << 20)
#define CLOCK_MAX_BYTES	   4096
#define KALLSYMS_MAX_BYTES (256U << 20)
/* A module of 1,000 functions has 50 KB: no session sees a thousand of these. */
#define BLOCKS_MAX_BYTES (32U << 20)
/* A keeper checks every second, or every few seconds on a slow machine. */
#define UNSEEN_NS UINT64_C(10000000000)

struct looked {
	uint64_t ns; /* time of the check, on CLOCK_MONOTONIC */
	uint32_t is_new; /* there are blocks that no sink has */
	uint64_t first_bytes; /* bytes of blocks of the first check */
	uint64_t trace_ns; /* begin of the check, on the events' clock; 0: unknown */
};

/* Returns the time on the clock of the session's events; 0 if programs cannot read it. */
static uint64_t trace_now(const struct kft_tracefs_part *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_clock clock;
	clockid_t id;

	if (r->place.fd < 0 ||
	    kft_read_at(r->place.fd, "trace_clock", CLOCK_MAX_BYTES, &text) < 0 ||
	    kft_clock_parse(text.buf, text.len, &clock) < 0)
		return 0;
	return kft_clock_id(clock.name, &id) ? kft_clock_ns(id) : 0;
}

static bool read_list(const struct kft_tracefs_part *r, struct looked *ret,
		      struct kft_strbuf *list)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	*ret = (struct looked){};
	if (kft_rundir_read(&r->base.run->dir, LIST_FILE, &text, NULL) < 0)
		return false;
	const char *p = kft_strbuf_cstr(&text);
	if (!kft_scan_u64(&p, &ret->ns) || !kft_scan_text(&p, " ") ||
	    !kft_scan_u32(&p, &ret->is_new) || !kft_scan_text(&p, " ") ||
	    !kft_scan_u64(&p, &ret->first_bytes))
		return false;
	if (*p == ' ' && !kft_scan_u64(&p, &ret->trace_ns))
		return false;
	if (!kft_scan_text(&p, "\n"))
		return false;
	kft_strbuf_adds(list, p);
	return true;
}

static void write_list(const struct kft_tracefs_part *r, const struct looked *looked,
		       const struct kft_strbuf *list)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_strbuf_addf(&text, "%" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n",
			looked->ns, looked->is_new, looked->first_bytes,
			looked->trace_ns);
	kft_strbuf_add(&text, list->buf, list->len);
	if (kft_strbuf_ok(&text))
		(void)!kft_rundir_write(&r->base.run->dir, LIST_FILE, text.buf, text.len,
					NULL);
}

static void read_blocks(const struct kft_tracefs_part *r, struct kft_strbuf *ret)
{
	(void)!kft_rundir_read(&r->base.run->dir, BLOCKS_FILE, ret, NULL);
}

/* Returns false if the symbols cannot be read now: the next check tries again. */
static bool add_blocks(const struct kft_tracefs_part *r, const struct kft_strbuf *added,
		       const struct kft_strbuf *gone, const struct kft_strbuf *unseen,
		       uint64_t since_ns, size_t *ret_bytes)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf kallsyms = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};

	if (added->len && kft_read_at(r->base.run->host->root_fd, "proc/kallsyms",
				      KALLSYMS_MAX_BYTES, &kallsyms) < 0)
		return false;
	const struct kft_blob text = {kallsyms.buf, kallsyms.len};

	read_blocks(r, &blocks);
	if (since_ns)
		kft_modules_add_times(since_ns, trace_now(r), &blocks);
	if (HAVE_SESSION_NAMES)
		kft_modules_add_unseen(unseen, &blocks);
	kft_modules_add_gone(gone, &blocks);
	kft_modules_add_blocks(added, &text, &blocks);
	*ret_bytes = blocks.len;
	if (!kft_strbuf_ok(&blocks) || blocks.len > BLOCKS_MAX_BYTES)
		return true;
	return kft_rundir_write(&r->base.run->dir, BLOCKS_FILE, blocks.buf, blocks.len,
				NULL) == 0;
}

static void note_unseen(const struct kft_tracefs_part *r, const struct kft_strbuf *added)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf all = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf more = {};

	(void)!kft_rundir_read(&r->base.run->dir, UNSEEN_FILE, &all, NULL);
	kft_modules_minus(added, &all, &more);
	kft_strbuf_add(&all, more.buf, more.len);
	if (kft_strbuf_ok(&all))
		(void)!kft_rundir_write(&r->base.run->dir, UNSEEN_FILE, all.buf, all.len,
					NULL);
}

void kft_run_modules_look(const struct kft_tracefs_part *r,
			  struct kft_module_events *events)
{
	const struct kft_strbuf none = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf proc = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf before = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf added = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf gone = {};
	struct looked looked;
	uint64_t now_ns = kft_now_ns();
	uint64_t trace_ns = trace_now(r);

	/* A kernel without modules has no list of them. */
	if (kft_read_at(r->base.run->host->root_fd, "proc/modules", PROC_MAX_BYTES,
			&proc) < 0)
		return;
	bool is_first = !read_list(r, &looked, &before);
	kft_modules_list(&proc, &now);
	kft_modules_minus(&before, &now, &gone);
	kft_modules_minus(&now, &before, &added);
	if (!kft_strbuf_ok(&now) || !kft_strbuf_ok(&gone) || !kft_strbuf_ok(&added))
		return;
	if (HAVE_SESSION_NAMES && events)
		kft_module_events_look(events, &now);
	const struct kft_strbuf *unseen = events ? &events->unseen : &none;
	if (added.len || gone.len || unseen->len) {
		size_t bytes = 0;

		if (!add_blocks(r, &added, &gone, unseen, looked.trace_ns, &bytes))
			return;
		if (events)
			kft_strbuf_clear(&events->unseen);
		if (is_first)
			looked.first_bytes = bytes;
		looked.is_new = 1;
	}
	if (!is_first && now_ns - looked.ns > UNSEEN_NS)
		note_unseen(r, &added);
	looked.ns = now_ns;
	looked.trace_ns = trace_ns;
	write_list(r, &looked, &now);
}

void kft_run_modules_read(const struct kft_tracefs_part *r, struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf list = {};
	struct looked looked;

	read_blocks(r, ret);
	if (!read_list(r, &looked, &list) || !looked.is_new)
		return;
	looked.is_new = 0;
	write_list(r, &looked, &list);
}

void kft_run_modules_move(const struct kft_tracefs_part *r, struct kft_sink *sink)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf list = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};
	struct looked looked;

	if (!sink->ops->modules || !read_list(r, &looked, &list) || !looked.is_new)
		return;
	kft_run_modules_read(r, &blocks);
	(void)!sink->ops->modules(sink, blocks.buf, blocks.len);
}

static void warn_of_unseen(const struct kft_tracefs_part *r,
			   const struct kft_notify *notify)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf unseen = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};

	if (kft_rundir_read(&r->base.run->dir, UNSEEN_FILE, &unseen, NULL) < 0)
		return;
	for (const char *p = kft_strbuf_cstr(&unseen); *p; p = strchrnul(p, '\n')) {
		p += *p == '\n';
		size_t len = strcspn(p, " \n");

		kft_strbuf_adds(&names, !len ? "" : names.len ? ", " : "; new ones: ");
		kft_strbuf_add_escaped(&names, p, len);
	}
	kft_notify(
		notify,
		"for a time no kft looked at the modules in session '%s': functions of "
		"modules that came and went then have no names, or those of others%s",
		r->base.run->dir.name, kft_strbuf_cstr(&names));
}

/* Stores the patterns that chose the session's functions; none if all are traced. */
static void keep_patterns(const struct kft_tracefs_part *r, const struct kft_plan *plan)
{
	_cleanup_(kft_later_modules_finish) struct kft_later_modules later = {};

	kft_later_modules_init(&later, &plan->functions);
	(void)!kft_rundir_write(&r->base.run->dir, INCLUDE_FILE, later.include.buf,
				later.include.len, NULL);
	(void)!kft_rundir_write(&r->base.run->dir, EXCLUDE_FILE, later.exclude.buf,
				later.exclude.len, NULL);
}

void kft_run_modules_begin(const struct kft_tracefs_part *r, const struct kft_plan *plan)
{
	static const char *const files[] = {LIST_FILE, BLOCKS_FILE, UNSEEN_FILE};

	/* The files may be those of an earlier run of the session. */
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		(void)!kft_rundir_remove_file(&r->base.run->dir, files[i], NULL);
	if (HAVE_SESSION_NAMES)
		keep_patterns(r, plan);
	kft_run_modules_look(r, NULL);
}

/* Reports functions that match in modules that were loaded after the session was set up. */
static void warn_of_left_out(const struct kft_tracefs_part *r,
			     const struct kft_notify *notify)
{
	_cleanup_(kft_later_modules_finish) struct kft_later_modules later = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf list = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf blocks = {};
	struct looked looked;

	if (kft_rundir_read(&r->base.run->dir, INCLUDE_FILE, &later.include, NULL) < 0 ||
	    kft_rundir_read(&r->base.run->dir, EXCLUDE_FILE, &later.exclude, NULL) < 0 ||
	    !later.include.len || !read_list(r, &looked, &list))
		return;
	read_blocks(r, &blocks);
	if (looked.first_bytes >= blocks.len)
		return;
	const struct kft_blob rest = {blocks.buf + looked.first_bytes,
				      blocks.len - looked.first_bytes};

	kft_later_modules_tell(&later, &rest, notify);
}

void kft_run_modules_warn(const struct kft_tracefs_part *r,
			  const struct kft_notify *notify)
{
	warn_of_unseen(r, notify);
	if (HAVE_SESSION_NAMES)
		warn_of_left_out(r, notify);
}
