// SPDX-License-Identifier: GPL-2.0-only
/* Shows the progress of a recording, and its summary. */
#include "cli/record_progress.h"

#include <sys/stat.h>

#include "base/io.h"
#include "base/units.h"
#include "cli/verb.h"
#include "file/registry.h"
#include "model/event.h"

#define COLOUR_LOST "\033[33m"
#define COLOUR_OFF  "\033[0m"

static bool line_is_there;

static void write_stderr(struct kft_strbuf *sb)
{
	if (kft_strbuf_ok(sb))
		(void)!kft_write_all(STDERR_FILENO, sb->buf, sb->len);
}

void cli_record_progress(const struct kft_progress *p)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "\r\033[K%.1f s  ", (double)p->elapsed_ns / 1e9);
	kft_strbuf_add_count(&sb, p->events);
	kft_strbuf_adds(&sb, " events  ");
	kft_strbuf_add_bytes(&sb, p->bytes);
	kft_strbuf_adds(&sb, "  ");
	kft_strbuf_add_count(&sb, p->lost);
	kft_strbuf_adds(&sb, " lost");
	write_stderr(&sb);
	line_is_there = true;
}

void cli_record_progress_clear(void)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!line_is_there)
		return;
	kft_strbuf_adds(&sb, "\r\033[K");
	write_stderr(&sb);
	line_is_there = false;
}

/* Appends "LOST 12 events (CPU 0: 2, CPU 1: 10)", or nothing without losses. */
static void add_losses(struct kft_strbuf *sb, const struct kft_meta *meta)
{
	uint64_t total = kft_meta_lost(meta, true);
	const char *sep = "";

	if (!total)
		return;
	kft_strbuf_adds(sb, "LOST ");
	kft_strbuf_add_count(sb, total);
	kft_strbuf_adds(sb, " events (");
	kft_vec_for_each(&meta->stats, s) {
		uint64_t lost = kft_cpu_stat_lost(s, true);

		if (!lost)
			continue;
		kft_strbuf_addf(sb, "%sCPU %u: ", sep, s->cpu);
		kft_strbuf_add_count(sb, lost);
		sep = ", ";
	}
	kft_strbuf_addc(sb, ')');
}

/* Appends ", 12 older ones overwritten", which --overwrite intends. */
static void add_overwritten(struct kft_strbuf *sb, const struct kft_meta *meta)
{
	uint64_t n = 0;

	kft_vec_for_each(&meta->stats, s)
		n += s->overrun;
	if (!n)
		return;
	kft_strbuf_adds(sb, ", ");
	kft_strbuf_add_count(sb, n);
	kft_strbuf_adds(sb, " older ones overwritten");
}

/* The size of the file, or else the bytes drained from the kernel. */
static uint64_t file_bytes(const char *path, const struct kft_progress *p)
{
	struct stat st;

	if (!path)
		return p->bytes;
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void add_losses_of_file(struct kft_strbuf *sb, struct kft_strbuf *overwritten,
			       const char *path, const struct kft_progress *p)
{
	struct kft_err err = {};
	struct kft_trace *t = NULL;

	if (path && kft_file_open(path, &t, &err) == 0) {
		add_losses(sb, &t->meta);
		add_overwritten(overwritten, &t->meta);
	} else if (p->lost) {
		kft_strbuf_addf(sb, "LOST %llu events", (unsigned long long)p->lost);
	}
	t = kft_trace_destroy(t);
}

/* Appends one line for each reason, outside of the recording, why events are missing. */
static void add_missing(struct kft_strbuf *sb, const struct kft_progress *p)
{
	if (p->taken) {
		kft_strbuf_adds(sb, "kft: NOT RECORDED: another program took ");
		if (p->taken == KFT_LOST_UNKNOWN)
			kft_strbuf_adds(sb, "an unknown number of");
		else
			kft_strbuf_add_count(sb, p->taken);
		kft_strbuf_adds(sb, " events out of the buffers\n");
	}
	if (p->off_ns)
		kft_strbuf_addf(sb,
				"kft: NOT RECORDED: for up to %.1f s another program or "
				"a trigger had switched recording off\n",
				(double)p->off_ns / 1e9);
}

bool cli_record_is_whole(const struct kft_progress *p)
{
	return !p->taken && !p->off_ns && !p->waiting;
}

void cli_record_summary(const char *path, const struct kft_progress *p, bool quiet)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf lost = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf overwritten = {};

	add_losses_of_file(&lost, &overwritten, path, p);
	if (quiet && !lost.len && cli_record_is_whole(p))
		return;
	kft_strbuf_adds(&sb, "kft: ");
	if (path)
		kft_strbuf_add_escaped(&sb, path, strlen(path));
	else
		kft_strbuf_adds(&sb, "stream");
	kft_strbuf_adds(&sb, ": ");
	kft_strbuf_add_count(&sb, p->events);
	kft_strbuf_addf(&sb, " events in %.1f s, ", (double)p->elapsed_ns / 1e9);
	kft_strbuf_add_bytes(&sb, file_bytes(path, p));
	kft_strbuf_adds(&sb, ", ");
	bool colour = cli_wants_colour(STDERR_FILENO);

	if (lost.len)
		kft_strbuf_addf(&sb, "%s%s%s", colour ? COLOUR_LOST : "",
				kft_strbuf_cstr(&lost), colour ? COLOUR_OFF : "");
	else
		kft_strbuf_adds(&sb,
				cli_record_is_whole(p) ? "nothing lost" : "incomplete");
	kft_strbuf_add(&sb, overwritten.buf ? overwritten.buf : "", overwritten.len);
	kft_strbuf_addc(&sb, '\n');
	if (p->waiting)
		kft_strbuf_adds(&sb, "kft: NOT RECORDED: the condition of --start did "
				     "not occur\n");
	add_missing(&sb, p);
	write_stderr(&sb);
}
