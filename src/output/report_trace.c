// SPDX-License-Identifier: LGPL-2.1-or-later
#include "output/report_impl.h"
#include "output/table.h"
#include "output/time.h"

/* As trace-cmd's "%16s-%-5d [%03d] %6.1000d: %s: %s", built by hand. */
#define COMM_WIDTH 16
#define PID_WIDTH  5
#define CPU_DIGITS 3

static void begin(struct kft_report *r, struct kft_strbuf *sb)
{
	const struct kft_trace *t = r->opts.trace;

	for (size_t i = 0; t->buffers.len > 1 && i < t->buffers.len; i++)
		r->name_width = KFT_MAX(r->name_width, strlen(t->buffers.data[i].name));
	kft_strbuf_adds(sb, "cpus=");
	kft_strbuf_addu(sb, t->meta.cpu_count, 1);
	kft_strbuf_addc(sb, '\n');
}

/* "irqs: ", or blanks for the main buffer, when a trace has several buffers. */
static void add_buffer_name(struct kft_report *r, const struct kft_event *ev,
			    struct kft_strbuf *sb)
{
	const char *name = kft_report_buffer(r, ev)->name;
	size_t len = strlen(name);

	kft_strbuf_fill(sb, ' ', r->name_width - len);
	kft_strbuf_add_escaped(sb, name, len);
	kft_strbuf_add(sb, len ? ": " : "  ", 2);
}

/* Each task's "            comm-pid  [" is made when its first event comes. */
static const struct kft_report_piece *meet_task(struct kft_report *r, uint32_t pid)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comm = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	const char *name = kft_report_comm(r, pid);

	kft_strbuf_add_escaped(&comm, name, strlen(name));
	size_t width = kft_text_width(kft_strbuf_cstr(&comm), comm.len);
	kft_strbuf_fill(&sb, ' ', width < COMM_WIDTH ? COMM_WIDTH - width : 0);
	kft_strbuf_add(&sb, comm.buf, comm.len);
	kft_strbuf_addf(&sb, "-%-*d [", PID_WIDTH, (int32_t)pid);
	struct kft_report_piece *piece = kft_arena_alloc(&r->arena, sizeof(*piece));
	uint64_t *slot = kft_map_put(&r->tasks, pid);
	if (!piece || !slot || !kft_strbuf_ok(&comm) || !kft_report_keep(r, &sb, piece))
		return NULL;
	*slot = (uintptr_t)piece;
	return piece;
}

static void add_task(struct kft_report *r, uint32_t pid, struct kft_strbuf *sb)
{
	const uint64_t *slot = kft_map_get(&r->tasks, pid);
	const struct kft_report_piece *piece =
		slot && *slot ? (const struct kft_report_piece *)(uintptr_t)*slot
			      : meet_task(r, pid);

	if (piece)
		kft_strbuf_add(sb, piece->text, piece->len);
	else
		sb->failed = true;
}

static void loss(struct kft_report *r, const struct kft_event *ev, struct kft_strbuf *sb)
{
	if (r->name_width)
		add_buffer_name(r, ev, sb);
	kft_report_add_loss(ev, sb);
	kft_strbuf_addc(sb, '\n');
}

static void event(struct kft_report *r, const struct kft_event *ev,
		  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	uint32_t pid = 0;

	/* trace-cmd has the name before the loss, if there is one. */
	if (unlikely(r->name_width) && !ev->lost_before)
		add_buffer_name(r, ev, sb);
	(void)kft_report_pid(r, ev, &pid);
	add_task(r, pid, sb);
	kft_strbuf_addu(sb, ev->cpu, CPU_DIGITS);
	kft_strbuf_add(sb, "] ", 2);
	kft_strbuf_add_ts(sb, kft_report_buffer(r, ev)->clock.unit, ev->ts);
	kft_strbuf_add(sb, rc->label.text, rc->label.len);
	kft_report_add_info(r, ev, rc, sb);
	kft_strbuf_addc(sb, '\n');
}

const struct kft_report_style kft_report_trace = {
	.begin = begin,
	.loss = loss,
	.event = event,
};
