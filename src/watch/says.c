// SPDX-License-Identifier: LGPL-2.1-or-later
/* Says how often conditions came and what was done. */
#include "watch/says.h"

#include <fcntl.h>
#include <inttypes.h>
#include <time.h>

#include "base/io.h"
#include "watch/lock.h"

#define SAYS_FILE      "watches"
#define SAYS_MAX_BYTES ((size_t)1 << 20)

static void add_escaped(struct kft_strbuf *sb, const char *text)
{
	kft_strbuf_add_escaped(sb, text, strlen(text));
}

static void add_condition(const struct kft_condition *c,
			  const struct kft_watch_tally_row *row, struct kft_strbuf *sb)
{
	char when[32];
	struct tm tm;

	kft_strbuf_adds(sb, "  on ");
	add_escaped(sb, c->text);
	kft_strbuf_addf(sb, ": came %" PRIu64 " times", row->times);
	if (row->times) {
		(void)strftime(when, sizeof(when), "%F %T", localtime_r(&row->last, &tm));
		kft_strbuf_addf(sb, ", last at %s, %s", when, row->why);
	}
	kft_strbuf_addc(sb, '\n');
}

void kft_watch_say(const struct kft_rundir *dir, const struct kft_watch_tally *t,
		   const struct kft_watch_done *done)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_conditions *list = &t->opts->conditions;

	for (size_t i = 0; i < list->len; i++)
		add_condition(&list->data[i], &t->rows[i], &sb);
	if (t->missed == KFT_LOST_UNKNOWN)
		kft_strbuf_adds(&sb, "  MISSED events that conditions may be in\n");
	else if (t->missed)
		kft_strbuf_addf(&sb, "  MISSED %" PRIu64 " events\n", t->missed);
	if (done->files) {
		kft_strbuf_addf(&sb, "  %" PRIu64 " snapshots, last ", done->files);
		add_escaped(&sb, done->last_file);
		kft_strbuf_addc(&sb, '\n');
	}
	if (done->trouble[0]) {
		kft_strbuf_adds(&sb, "  not done: ");
		add_escaped(&sb, done->trouble);
		kft_strbuf_addc(&sb, '\n');
	}
	if (kft_strbuf_ok(&sb))
		(void)!kft_rundir_write(dir, SAYS_FILE, sb.buf, sb.len, NULL);
}

void kft_watcher_status(const struct kft_rundir *dir, bool records, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	if (kft_read_at(dir->fd, SAYS_FILE, SAYS_MAX_BYTES, &text) < 0)
		return;
	if (records && !kft_watch_lock_is_held(dir))
		kft_strbuf_adds(sb, "  nobody watches any more\n");
	kft_strbuf_add(sb, text.buf, text.len);
}
