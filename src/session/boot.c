// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saves the recording of a boot. */
#include "session/boot.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "analysis/cut/boot.h"
#include "base/command_line.h"
#include "base/err.h"
#include "base/units.h"
#include "decode/trace_lazy.h"
#include "session/boot/booted.h"
#include "session/boot/cost.h"
#include "session/boot/mend.h"
#include "tracefs/drain/transfer.h"
#include "file/registry.h"
#include "file/tracedat/live_sink.h"
#include "model/run_info.h"
#include "plan/boot.h"
#include "session/run_info.h"
#include "session/summary.h"

/*
 * A file next to the output has all records of the kernel until the output is complete.
 * They are not held in memory: buffers of a boot may be large.
 */
#define RAW_SUFFIX    ".all"
#define KILLED_SUFFIX ".killed"

struct saving {
	const struct kft_notify *notify; /* borrowed; may be NULL */
	struct kft_err *e; /* borrowed */
	const char *output;
	char raw[4096];
	struct kft_host *host; /* owned */
	struct kft_boot boot;
	struct kft_config config;
	struct kft_plan plan;
	uint64_t traced_ns; /* of kft_boot_cost_ns(), while functions were traced */
	uint64_t untraced_ns;
};

static void saving_finish(struct saving *s)
{
	kft_boot_close(&s->boot);
	kft_plan_finish(&s->plan);
	kft_config_finish(&s->config);
	s->host = kft_host_close(s->host);
}

static int read_word(struct saving *s, const char *word, size_t len)
{
	int r = kft_boot_word_parse(word, len, &s->config, s->e);

	return r < 0 ? r
		     : kft_run_config_lower_boot(&s->config.runs.data[0], &s->plan, s->e);
}

/*
 * Whether an earlier `kft save --boot` moved all records to the raw file and was killed
 * later. It has stopped the recording in that case. If the recording is still in the
 * kernel, the raw file must have the command line of this boot.
 */
static bool is_taken(struct saving *s)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	size_t len;

	if (s->boot.fd >= 0 && !kft_boot_is_stopped(&s->boot))
		return false;
	if (kft_file_open(s->raw, &t, NULL) < 0 || t->unfinished || t->damage.code ||
	    !t->meta.kernel_line.len)
		return false;
	kft_strbuf_add(&line, t->meta.kernel_line.data, t->meta.kernel_line.len);
	if (s->boot.fd >= 0)
		return strcmp(kft_strbuf_cstr(&line), s->boot.line.buf) == 0;
	const char *word = kft_boot_find_word(kft_strbuf_cstr(&line), &len);
	return word && read_word(s, word, len) == 0;
}

/* Returns 1 when the records are in the raw file and no longer in the kernel. */
static int open_boot(struct saving *s)
{
	int r = kft_host_open(NULL, &s->host, s->e);

	if (r == 0)
		r = kft_boot_open(s->host, &s->boot, s->e);
	if (r == -EALREADY && is_taken(s)) {
		*s->e = (struct kft_err){};
		kft_notify(s->notify,
			   "going on with '%s', which another 'kft save --boot' "
			   "had taken",
			   s->raw);
		return 1;
	}
	return r < 0 ? r : read_word(s, s->boot.word, s->boot.word_len);
}

/* Renames the raw file of a killed process: its records are no longer in the kernel. */
static void set_aside(const struct saving *s)
{
	static const char *const parts[] = {"", ".parts"};
	bool moved = false;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char from[sizeof(s->raw) + 16];
		char to[sizeof(s->raw) + 16];

		(void)snprintf(from, sizeof(from), "%s%s", s->raw, parts[i]);
		(void)snprintf(to, sizeof(to), "%s" KILLED_SUFFIX "%s", s->raw, parts[i]);
		moved |= rename(from, to) == 0;
	}
	if (moved)
		kft_notify(s->notify,
			   "records of this boot that another 'kft save --boot' had "
			   "saved are in '%s" KILLED_SUFFIX "'",
			   s->raw);
}

static int take(struct saving *s)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf line = {};
	const struct kft_tracedat_opts opts = {};
	struct kft_transfer_opts how = {
		.host = s->host,
		.instance_fd = s->boot.fd,
		.kernel_line = s->boot.line.buf,
		.notify = s->notify,
	};
	struct kft_sink *sink;
	int r;

	set_aside(s);
	r = kft_tracedat_sink_create(s->raw, &opts, &sink, s->e);
	if (r < 0)
		return r;
	kft_add_command_line(&line);
	how.sink = sink;
	how.command_line = kft_strbuf_cstr(&line);
	r = kft_boot_stop(&s->boot, s->e);
	s->traced_ns = kft_boot_cost_ns(s->host);
	if (r == 0)
		r = kft_transfer_all(&how, s->e);
	sink->ops->destroy(sink);
	return r;
}

static uint64_t dropped_events(const struct kft_trace *t)
{
	uint64_t n = 0;

	kft_vec_for_each(&t->meta.stats, stat)
		n += stat->dropped_events;
	return n;
}

static uint64_t overwritten_events(const struct kft_trace *t)
{
	uint64_t n = 0;

	kft_vec_for_each(&t->meta.stats, stat)
		n += stat->overrun;
	return n;
}

static void tell_window(const struct saving *s, const struct kft_cut_boot *w,
			bool is_full)
{
	const struct kft_plan *plan = &s->plan;

	if (w->start_missing)
		kft_notify(s->notify,
			   "the start trigger did not fire: '%s' was not reached%s; "
			   "saved from the first record on",
			   plan->start.func.name,
			   s->plan.overwrite ? ", or is overwritten"
					     : ", or before the kernel could tell");
	if (w->stop_missing)
		kft_notify(s->notify,
			   "the stop trigger did not fire: '%s' was not reached%s; "
			   "saved to the last record",
			   plan->stop.func.name,
			   is_full ? " before the buffer was full"
				   : ", or cannot be probed");
}

/* Adds the times of system calls, measured before and after the kernel was restored. */
static int keep_cost(struct saving *s, struct kft_trace *t)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	struct kft_run_info info;

	if (!s->traced_ns || !s->untraced_ns)
		return 0;
	int r = kft_run_info_parse(&t->meta.run, &info);
	if (r < 0)
		return kft_err_sys(s->e, r, "cannot save");
	info.traced_ns = s->traced_ns;
	info.untraced_ns = s->untraced_ns;
	kft_run_info_format(&info, &text);
	r = kft_strbuf_ok(&text)
		    ? kft_meta_set_blob(&t->meta, &t->meta.run, text.buf, text.len)
		    : -ENOMEM;
	return r < 0 ? kft_err_sys(s->e, r, "cannot save") : 0;
}

static int judge(struct saving *s, struct kft_trace *t, struct kft_cut *ret)
{
	struct kft_cut_boot w;
	/* The parameters of a boot have a threshold; its lists always are the kernel's. */
	struct kft_session_state rec = {
		.stopped = KFT_CAUSE_USER,
		.setup.thresh_us = s->plan.functions.min_ns / 1000,
	};
	int r = kft_boot_mend(t, &s->plan, s->e);

	(void)kft_trace_symbols(t);
	if (r == 0)
		r = kft_cut_boot_find(t, &s->plan, &w, s->e);
	if (r < 0)
		return r;
	bool is_full = dropped_events(t) > 0;
	tell_window(s, &w, is_full);
	if (is_full)
		rec.stopped = KFT_CAUSE_FULL;
	rec.stop_ns = w.last_ns;
	r = kft_run_cut(t, &s->plan, &rec, NULL, &w.window, ret, s->e);
	if (r < 0)
		return r;
	r = kft_run_retention_info(&s->plan, &rec, ret, t, s->e);
	if (r == 0)
		r = keep_cost(s, t);
	if (r < 0)
		kft_cut_finish(ret);
	return r;
}

static void add_lost(uint64_t n, const char *what, struct kft_strbuf *sb)
{
	if (!n)
		return;
	kft_strbuf_adds(sb, ", ");
	kft_strbuf_add_count(sb, n);
	kft_strbuf_addf(sb, " %s", what);
}

static void say(struct saving *s, const struct kft_trace *t, const struct kft_cut *cut,
		struct kft_strbuf *sb)
{
	uint64_t lost = kft_meta_lost(&t->meta, true);
	uint64_t overwritten = overwritten_events(t);
	const struct kft_cut_window *w = cut->windows.len ? &cut->windows.data[0] : NULL;

	kft_strbuf_add_escaped(sb, s->output, strlen(s->output));
	kft_strbuf_adds(sb, ": ");
	if (cut->counts[KFT_VERDICT_CALL]) {
		kft_run_counts_text(NULL, cut, sb);
	} else { /* a light boot has none */
		kft_strbuf_add_count(sb, cut->counts[KFT_VERDICT_MARK]);
		kft_strbuf_adds(sb, " events kept");
	}
	if (lost && w && w->stopped == KFT_CAUSE_FULL)
		kft_strbuf_addf(sb, "; the buffer was full at %.6f",
				(double)w->stop_ns / 1e9);
	add_lost(lost, "later records lost", sb);
	add_lost(overwritten, "earlier ones overwritten", sb);
	if (!lost && !overwritten)
		kft_strbuf_adds(sb, "; nothing lost");
	kft_strbuf_addc(sb, '\n');
}

static int write_cut(struct saving *s, struct kft_strbuf *said)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	const struct kft_tracedat_opts opts = {
		.is_copy = true, .compress = kft_tracedat_default_compress(7)};
	struct kft_cut cut;
	struct kft_sink *sink;
	int r = kft_file_open(s->raw, &t, s->e);

	if (r == 0)
		r = judge(s, t, &cut);
	if (r < 0)
		return r;
	r = kft_tracedat_sink_create(s->output, &opts, &sink, s->e);
	if (r == 0) {
		r = kft_cut_write(t, &cut, sink, s->e);
		sink->ops->destroy(sink);
	}
	if (r == 0)
		say(s, t, &cut, said);
	kft_cut_finish(&cut);
	return r;
}

/* Moves all records out of the kernel and restores it. */
static int empty_kernel(struct saving *s, int *ret_restored, struct kft_err *restoring)
{
	int r = is_taken(s) ? 0 : take(s);

	if (r < 0)
		return r;
	if (!kft_boot_filter_worked(&s->boot))
		kft_notify(s->notify,
			   "the kernel knows none of the functions of ftrace_filter=: "
			   "it recorded all");
	/* All records are on disk now. */
	*ret_restored = kft_boot_restore(&s->boot, restoring);
	s->untraced_ns = kft_boot_cost_ns(s->host);
	return 0;
}

int kft_boot_save(const char *output, const struct kft_notify *notify,
		  struct kft_strbuf *said, struct kft_err *e)
{
	_cleanup_(saving_finish) struct saving s = {
		.notify = notify, .e = e, .output = output, .boot = {.fd = -1}};
	struct kft_err restoring = {};
	int restored = 0;
	int n = snprintf(s.raw, sizeof(s.raw), "%s" RAW_SUFFIX, output);

	if (n >= (int)sizeof(s.raw) - 16)
		return kft_err_set(e, -ENAMETOOLONG, "'%s' is too long", output);
	int r = open_boot(&s);
	if (r == 0)
		r = empty_kernel(&s, &restored, &restoring);
	if (r < 0)
		return r;
	r = write_cut(&s, said);
	if (r < 0) {
		kft_err_hint(e,
			     "all records of the boot are in '%s'; the same command goes "
			     "on from there",
			     s.raw);
		return r;
	}
	(void)unlink(s.raw);
	if (restored < 0)
		*e = restoring;
	return restored;
}
