// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes and reads a watcher's status: how often conditions were met
 * and the results of actions.
 */
#include "watch/status.h"

#include <errno.h>
#include <inttypes.h>

#include "base/io.h"
#include "base/local_time.h"
#include "base/units.h"
#include "watch/in_kernel.h"
#include "watch/lock.h"

/* One line per fact with tabs between its fields: escaped texts contain neither. */
#define SAYS_FILE	"watches"
#define FOUND_BY_KERNEL "kernel"
#define SAYS_MAX_BYTES	((size_t)1 << 20)
#define FIELDS_MAX	5

static void add_escaped(struct kft_strbuf *sb, const char *text)
{
	kft_strbuf_add_escaped(sb, text, strlen(text));
}

static void add_condition(const struct kft_conditions *list, size_t i,
			  const struct kft_watch_tally_row *row, struct kft_strbuf *sb)
{
	const struct kft_condition *c = &list->data[i];

	kft_strbuf_addf(sb, "on\t%" PRIu64 "\t%" PRIu64 "\t", row->times,
			(uint64_t)row->last);
	add_escaped(sb, c->text);
	kft_strbuf_addc(sb, '\t');
	add_escaped(sb, row->why);
	kft_strbuf_addf(sb, "\t%s\n",
			kft_in_kernel_is_found(list, i) ? FOUND_BY_KERNEL : "");
}

void kft_watch_say(const struct kft_rundir *dir, const struct kft_watch_tally *t,
		   const struct kft_watch_done *done)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const struct kft_conditions list = kft_watch_conditions(t);

	for (size_t i = 0; i < list.len; i++)
		add_condition(&list, i, &t->rows[i], &sb);
	if (t->along[0]) {
		kft_strbuf_adds(&sb, "along\t");
		add_escaped(&sb, t->along);
		kft_strbuf_addc(&sb, '\n');
	}
	kft_strbuf_addf(&sb, "missed\t%" PRIu64 "\n", t->missed);
	if (done->files) {
		kft_strbuf_addf(&sb, "snapshots\t%" PRIu64 "\t", done->files);
		add_escaped(&sb, done->last_file);
		kft_strbuf_addc(&sb, '\n');
	}
	if (done->trouble[0]) {
		kft_strbuf_adds(&sb, "trouble\t");
		add_escaped(&sb, done->trouble);
		kft_strbuf_addc(&sb, '\n');
	}
	if (kft_strbuf_ok(&sb))
		(void)!kft_rundir_write(dir, SAYS_FILE, sb.buf, sb.len, NULL);
}

static int read_condition(char *const fields[FIELDS_MAX], struct kft_watch_said *said)
{
	struct kft_watch_said_row row = {.condition = fields[2], .why = fields[3]};

	row.in_kernel = fields[4] && strcmp(fields[4], FOUND_BY_KERNEL) == 0;
	if (!row.why || kft_parse_u64(fields[0], &row.times) < 0 ||
	    kft_parse_u64(fields[1], &row.last_s) < 0)
		return 0;
	return kft_vec_push(&said->rows, row) ? 0 : -ENOMEM;
}

/* An unknown line is ignored. */
static int read_line(char *line, struct kft_watch_said *said)
{
	const char *word = strsep(&line, "\t");
	char *fields[FIELDS_MAX] = {};

	for (size_t i = 0; i < FIELDS_MAX && line; i++)
		fields[i] = strsep(&line, "\t");
	if (!fields[0])
		return 0;
	if (strcmp(word, "on") == 0)
		return read_condition(fields, said);
	if (strcmp(word, "missed") == 0)
		(void)!kft_parse_u64(fields[0], &said->missed);
	if (strcmp(word, "snapshots") == 0 && fields[1] &&
	    kft_parse_u64(fields[0], &said->files) == 0)
		said->last_file = fields[1];
	if (strcmp(word, "trouble") == 0)
		said->trouble = fields[0];
	if (strcmp(word, "along") == 0)
		said->along = fields[0];
	return 0;
}

int kft_watch_said_parse(struct kft_strbuf *text, struct kft_watch_said *ret)
{
	struct kft_watch_said said = {.text = *text};
	char *save = NULL;
	int r = 0;

	*text = (struct kft_strbuf){};
	(void)kft_strbuf_cstr(&said.text);
	if (!kft_strbuf_ok(&said.text))
		r = -ENOMEM;
	for (char *line = r == 0 ? strtok_r(said.text.buf, "\n", &save) : NULL;
	     line && r == 0; line = strtok_r(NULL, "\n", &save))
		r = read_line(line, &said);
	if (r < 0)
		kft_watch_said_finish(&said);
	else
		*ret = said;
	return r;
}

int kft_watch_said_read(const struct kft_rundir *dir, struct kft_watch_said *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	int r = kft_read_regular_at(dir->fd, SAYS_FILE, SAYS_MAX_BYTES, &text);

	return r < 0 ? r : kft_watch_said_parse(&text, ret);
}

void kft_watch_said_finish(struct kft_watch_said *said)
{
	kft_vec_finish(&said->rows);
	kft_strbuf_finish(&said->text);
}

static void show_condition(const struct kft_watch_said_row *row, struct kft_strbuf *sb)
{
	char when[KFT_LOCAL_TIME_BYTES];

	kft_strbuf_addf(sb, "  on %s: came %" PRIu64 " times", row->condition,
			row->times);
	if (row->times && kft_local_time_text((time_t)row->last_s, when))
		kft_strbuf_addf(sb, ", last at %s, %s", when, row->why);
	if (row->in_kernel)
		kft_strbuf_adds(sb, "; found by the kernel");
	kft_strbuf_addc(sb, '\n');
}

void kft_watcher_status(const struct kft_rundir *dir, bool records, struct kft_strbuf *sb)
{
	_cleanup_(kft_watch_said_finish) struct kft_watch_said said = {};

	if (kft_watch_said_read(dir, &said) < 0)
		return;
	if (records && !kft_watch_lock_is_held(dir))
		kft_strbuf_adds(sb, "  the conditions are no longer watched\n");
	kft_vec_for_each(&said.rows, row)
		show_condition(row, sb);
	if (said.along)
		kft_strbuf_addf(sb, "  found by reading all events along: %s\n",
				said.along);
	if (said.missed == KFT_LOST_UNKNOWN)
		kft_strbuf_adds(sb, "  MISSED events that conditions may be in\n");
	else if (said.missed)
		kft_strbuf_addf(sb, "  MISSED %" PRIu64 " events\n", said.missed);
	if (said.last_file)
		kft_strbuf_addf(sb, "  %" PRIu64 " snapshots, last %s\n", said.files,
				said.last_file);
	if (said.trouble)
		kft_strbuf_addf(sb, "  not done: %s\n", said.trouble);
}
