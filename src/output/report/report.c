// SPDX-License-Identifier: LGPL-2.1-or-later
/* Selects the style of a report, and has the parts that styles share. */
#include "output/report/report.h"

#include <errno.h>

#include "output/report/report_impl.h"

#define ID_COUNT 65536

/* Event names are padded to this many columns. */
#define LABEL_WIDTH 20

static const char *const builtin_names[] = {
	[KFT_REPORT_TS] = "ts",		[KFT_REPORT_TIME] = "time",
	[KFT_REPORT_CPU] = "cpu",	[KFT_REPORT_COMM] = "comm",
	[KFT_REPORT_PID] = "pid",	[KFT_REPORT_EVENT] = "event",
	[KFT_REPORT_SYSTEM] = "system", [KFT_REPORT_BUFFER] = "buffer",
	[KFT_REPORT_INFO] = "info",	[KFT_REPORT_WALL] = "wall",
};

static enum kft_report_builtin find_builtin(const char *name)
{
	for (size_t i = KFT_REPORT_FIELD + 1; i < ARRAY_SIZE(builtin_names); i++)
		if (strcmp(builtin_names[i], name) == 0)
			return i;
	return KFT_REPORT_FIELD;
}

bool kft_report_has_builtin(const char *name)
{
	return find_builtin(name) != KFT_REPORT_FIELD;
}

char *kft_report_put_wall(struct kft_report *r, const struct kft_event *ev, char *p)
{
	const struct kft_meta *m = &r->opts.trace->meta;

	if (m->wall.is_known &&
	    strcmp(kft_report_buffer(r, ev)->clock.name, m->clock.name) == 0)
		return kft_wall_write(&r->line.wall, ev->ts + m->wall.add, p);
	*p++ = '-';
	return p;
}

bool kft_report_keep(struct kft_arena *a, const struct kft_strbuf *sb,
		     struct kft_report_piece *ret)
{
	/*
	 * A copy may start after the first byte, so KFT_REPORT_BLOCK
	 * more bytes stay readable.
	 */
	char *copy = kft_arena_alloc(a, sb->len + KFT_REPORT_BLOCK + 1);

	if (!copy || !kft_strbuf_ok(sb))
		return false;
	memcpy(copy, sb->buf, sb->len);
	*ret = (struct kft_report_piece){copy, sb->len};
	return true;
}

static bool keep_name(struct kft_report *r, struct kft_report_class *rc)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (rc->cls)
		kft_strbuf_add_escaped(&sb, rc->cls->name, strlen(rc->cls->name));
	else
		kft_strbuf_addf(&sb, "unknown-%u", rc->id);
	return kft_report_keep(&r->arena, &sb, &rc->name);
}

/* Makes the text ": name: " with blanks. */
static bool keep_label(struct kft_report *r, struct kft_report_class *rc)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add(&sb, ": ", 2);
	kft_strbuf_add(&sb, rc->name.text, rc->name.len);
	kft_strbuf_add(&sb, ": ", 2);
	if (rc->name.len < LABEL_WIDTH)
		kft_strbuf_fill(&sb, ' ', LABEL_WIDTH - rc->name.len);
	if (!kft_report_keep(&r->arena, &sb, &rc->label))
		return false;
	rc->label_after = (struct kft_report_piece){rc->label.text + 1,
						    rc->label.len - 1};
	return true;
}

static const struct kft_field *find_field(const struct kft_class *c,
					  const struct kft_report_column *column)
{
	if (!column->is_own)
		return kft_class_field(c, column->field);
	for (uint32_t i = c->n_common; i < c->n_fields; i++)
		if (strcmp(c->fields[i].name, column->field) == 0)
			return &c->fields[i];
	return NULL;
}

static bool find_fields(struct kft_report *r, struct kft_report_class *rc)
{
	rc->fields = kft_arena_calloc(&r->arena, r->opts.n_fields + 1,
				      sizeof(*rc->fields));
	if (!rc->fields)
		return false;
	for (size_t i = 0; rc->cls && i < r->opts.n_fields; i++)
		if (r->columns[i].builtin == KFT_REPORT_FIELD)
			rc->fields[i] = find_field(rc->cls, &r->columns[i]);
	return true;
}

static const struct kft_report_class *meet_class(struct kft_report *r, uint16_t id)
{
	struct kft_report_class *rc = kft_arena_alloc(&r->arena, sizeof(*rc));

	if (!rc)
		return NULL;
	rc->id = id;
	rc->cls = kft_trace_class(r->opts.trace, id);
	if (!keep_name(r, rc) || !keep_label(r, rc) || !find_fields(r, rc))
		return NULL;
	if (r->style->meet && !r->style->meet(r, rc))
		return NULL;
	r->classes[id] = rc;
	return rc;
}

static void add_bytes(const struct kft_event *ev, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "raw=");
	for (uint32_t i = 0; i < ev->size; i++)
		kft_strbuf_addx(sb, ev->data[i], 2);
}

void kft_report_add_info(struct kft_report *r, const struct kft_event *ev,
			 const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	if (!rc->cls)
		add_bytes(ev, sb);
	else if (r->exit)
		r->opts.leaf(r->opts.info_ctx, ev, r->exit, sb);
	else
		r->opts.info(r->opts.info_ctx, ev, rc->cls, sb);
	if (sb->len > start && sb->buf[sb->len - 1] == '\n')
		sb->len--;
}

void kft_report_add_loss(const struct kft_report *r, const struct kft_event *ev,
			 struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "CPU:");
	kft_strbuf_addu(sb, ev->cpu, 1);
	kft_strbuf_adds(sb, " [");
	if (ev->lost_before != KFT_LOST_UNKNOWN) {
		kft_strbuf_addu(sb, ev->lost_before, 1);
		kft_strbuf_addc(sb, ' ');
	}
	kft_strbuf_adds(sb, kft_trace_is_overwritten(r->opts.trace, ev)
				    ? "EVENTS OVERWRITTEN]"
				    : "EVENTS DROPPED]");
}

static struct kft_report_column make_column(const char *name)
{
	const size_t len = strlen(KFT_REPORT_OWN);
	bool is_own = strncmp(name, KFT_REPORT_OWN, len) == 0;

	return (struct kft_report_column){
		.name = name,
		.builtin = find_builtin(name),
		.field = is_own ? name + len : name,
		.is_own = is_own,
	};
}

int kft_report_create(const struct kft_report_style *style,
		      const struct kft_report_opts *opts, struct kft_report **ret)
{
	_cleanup_(kft_report_destroyp) struct kft_report *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->style = style;
	r->opts = *opts;
	r->classes = calloc(ID_COUNT, sizeof(*r->classes));
	r->columns = calloc(opts->n_fields + 1, sizeof(*r->columns));
	if (!r->classes || !r->columns)
		return -ENOMEM;
	for (size_t i = 0; i < opts->n_fields; i++)
		r->columns[i] = make_column(opts->fields[i]);
	r->before = KFT_REPORT_NO_TIME;
	r->flags = kft_trace_common_field(opts->trace, "common_flags");
	r->preempt = kft_trace_common_field(opts->trace, "common_preempt_count");
	r->pid = kft_trace_common_field(opts->trace, "common_pid");
	r->swap = opts->trace->swap;
	*ret = TAKE(r);
	return 0;
}

void kft_report_forget_tasks(struct kft_report *r)
{
	kft_map_finish(&r->line.tasks);
	kft_arena_finish(&r->line.names);
	memset(r->line.recent, 0, sizeof(r->line.recent));
}

struct kft_report *kft_report_destroy(struct kft_report *r)
{
	if (!r)
		return NULL;
	kft_report_forget_tasks(r);
	kft_arena_finish(&r->arena);
	free(r->columns);
	free(r->classes);
	free(r);
	return NULL;
}

void kft_report_resume(struct kft_report *r, uint64_t before)
{
	r->before = before;
}

uint64_t kft_report_before(const struct kft_report *r)
{
	return r->before;
}

void kft_report_moment(struct kft_report *r, const struct kft_event_context *m)
{
	r->moment = m;
}

void kft_report_begin(struct kft_report *r, struct kft_strbuf *sb)
{
	if (r->style->begin)
		r->style->begin(r, sb);
}

void kft_report_loss(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb)
{
	if (unlikely(ev->lost_before))
		r->style->loss(r, ev, sb);
}

void kft_report_end(struct kft_report *r, struct kft_strbuf *sb)
{
	kft_vec_for_each(&r->opts.trace->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			const struct kft_event nothing = {
				.ts = KFT_REPORT_NO_TIME,
				.lost_before = (*s)->lost_after,
				.cpu = (*s)->cpu,
				.buffer = (*s)->buffer,
			};

			kft_report_loss(r, &nothing, sb);
		}
	}
}

void kft_report_event(struct kft_report *r, const struct kft_event *ev,
		      struct kft_strbuf *sb)
{
	const struct kft_report_class *rc = r->classes[ev->id];

	kft_report_loss(r, ev, sb);
	if (unlikely(!rc))
		rc = meet_class(r, ev->id);
	if (likely(rc != NULL))
		r->style->event(r, ev, rc, sb);
	else
		sb->failed = true;
	r->before = ev->ts;
}

void kft_report_leaf(struct kft_report *r, const struct kft_event *entry,
		     const struct kft_event *exit, struct kft_strbuf *sb)
{
	r->exit = exit;
	kft_report_event(r, entry, sb);
	r->exit = NULL;
}
