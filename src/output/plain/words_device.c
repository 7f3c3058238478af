// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes block requests, work items, locks, CPU states and marks. */
#include "derive/kinds/kinds.h"
#include "model/mark.h"
#include "output/plain/words.h"

#define SECTOR_BYTES 512

/* Appends "write (WS) of 4096 bytes at sector 2048 of 254:0". */
static void add_request(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	char first = e->texts[3] && e->values[3] ? e->texts[3][0] : '?';
	const char *what = first == 'R'	  ? "read"
			   : first == 'W' ? "write"
			   : first == 'D' ? "discard"
			   : first == 'F' ? "flush"
					  : "request";

	kft_strbuf_adds(sb, what);
	kft_strbuf_adds(sb, " (");
	kft_plain_add_text(e, 3, sb);
	kft_strbuf_adds(sb, ") of ");
	kft_strbuf_addu(sb, e->values[2] * SECTOR_BYTES, 1);
	kft_strbuf_adds(sb, " bytes at sector ");
	kft_strbuf_addu(sb, e->values[1], 1);
	kft_strbuf_adds(sb, " of ");
	kft_interval_key_text(e->report->opts.trace, &kft_kind_block, e->values[0], sb);
}

static bool insert(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "queue ");
	add_request(e, sb);
	return true;
}

static bool issue(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "issue ");
	add_request(e, sb);
	kft_plain_add_end(e, &kft_kind_block_queued, ", ", " after it was queued", sb);
	return true;
}

static bool complete(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "complete ");
	add_request(e, sb);
	kft_plain_add_end(e, &kft_kind_block, " after ", "", sb);
	return true;
}

static bool queue_work(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "queue work ");
	kft_plain_add_function(e, e->values[0], sb);
	return true;
}

static bool work(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "work ");
	kft_plain_add_function(e, e->values[0], sb);
	kft_plain_add_end(e, &kft_kind_work_queued, ", ", " after it was queued", sb);
	return true;
}

static bool work_done(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_interval *i = kft_plain_end(e, &kft_kind_work);

	kft_strbuf_adds(sb, "done with work");
	if (!i)
		return true;
	kft_strbuf_addc(sb, ' ');
	kft_plain_add_function(e, i->key, sb);
	kft_plain_add_end(e, &kft_kind_work, " after ", "", sb);
	return true;
}

static bool wait_for_lock(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "waits for lock ");
	kft_plain_add_function(e, e->values[0], sb);
	return true;
}

static bool end_wait(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, (int32_t)e->values[1] ? "gives up lock " : "has lock ");
	kft_plain_add_function(e, e->values[0], sb);
	kft_plain_add_end(e, &kft_kind_lock, " after ", "", sb);
	return true;
}

/* State -1 is PWR_EVENT_EXIT of include/trace/events/power.h: the CPU is awake. */
static bool idle(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	uint32_t state = (uint32_t)e->values[0];

	if (state != UINT32_MAX) {
		kft_strbuf_addf(sb, "CPU %u is idle, state %u", (uint32_t)e->values[1],
				state);
		return true;
	}
	kft_strbuf_addf(sb, "CPU %u is awake", (uint32_t)e->values[1]);
	kft_plain_add_end(e, &kft_kind_idle, " after ", "", sb);
	return true;
}

static bool frequency(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "CPU %u runs at %u kHz", (uint32_t)e->values[1],
			(uint32_t)e->values[0]);
	return true;
}

static void add_mark_text(struct kft_mark_text text, struct kft_strbuf *sb)
{
	kft_strbuf_add_escaped(sb, text.data, text.len);
}

/* Appends the name of a scope; the end of a nested scope does not contain it. */
static void add_scope_name(const struct kft_plain_event *e, const struct kft_mark *m,
			   struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	const struct kft_interval *scope = kft_plain_end(e, &kft_kind_mark);

	if (m->type != 'E') {
		add_mark_text(m->name, sb);
	} else if (scope) {
		kft_key_text(e->report->opts.trace, scope->key, &name);
		kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&name), name.len);
	} else {
		kft_strbuf_adds(sb, "of a scope");
	}
}

/*
 * Describes text written by programs, and the duration of a scope
 * (docs/formats/marks.md).
 */
static bool mark(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_mark m = kft_mark_parse(e->texts[0],
						 e->texts[0] ? e->values[0] : 0);

	kft_strbuf_adds(sb, "mark ");
	add_scope_name(e, &m, sb);
	if (m.type == 'C') {
		kft_strbuf_adds(sb, " = ");
		add_mark_text(m.cookie, sb);
	} else if (m.type == 'B' || m.type == 'S') {
		kft_strbuf_adds(sb, " begins");
	} else if (m.type != 'I') {
		kft_strbuf_adds(sb, " ends");
		kft_plain_add_end(e, &kft_kind_mark, " after ", "", sb);
	}
	kft_plain_add_end(e, &kft_kind_mark_gap, ", ", " after the one before", sb);
	return true;
}

static bool message(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	size_t len = e->texts[0] ? e->values[0] : 0;

	while (len && e->texts[0][len - 1] == '\n')
		len--;
	kft_strbuf_adds(sb, "kernel log: ");
	kft_strbuf_add_escaped(sb, e->texts[0], len);
	return true;
}

#define REQUEST                                      \
	{                                            \
		"dev", "sector", "nr_sector", "rwbs" \
	}

const struct kft_plain_words kft_plain_devices[] = {
	{"block", "block_rq_insert", REQUEST, KFT_PLAIN_NO_COLOUR, insert},
	{"block", "block_rq_issue", REQUEST, KFT_PLAIN_NO_COLOUR, issue},
	{"block", "block_rq_complete", REQUEST, KFT_PLAIN_NO_COLOUR, complete},
	{"workqueue",
	 "workqueue_queue_work",
	 {"function"},
	 KFT_PLAIN_SOFTIRQ,
	 queue_work},
	{"workqueue", "workqueue_execute_start", {"function"}, KFT_PLAIN_SOFTIRQ, work},
	{"workqueue", "workqueue_execute_end", {}, KFT_PLAIN_SOFTIRQ, work_done},
	{"lock", "contention_begin", {"lock_addr"}, KFT_PLAIN_TASK, wait_for_lock},
	{"lock", "contention_end", {"lock_addr", "ret"}, KFT_PLAIN_TASK, end_wait},
	{"power", "cpu_idle", {"state", "cpu_id"}, KFT_PLAIN_NO_COLOUR, idle},
	{"power", "cpu_frequency", {"state", "cpu_id"}, KFT_PLAIN_NO_COLOUR, frequency},
	{"ftrace", "print", {"buf"}, KFT_PLAIN_MARK, mark},
	{"printk", "console", {"msg"}, KFT_PLAIN_MARK, message},
	{},
};
