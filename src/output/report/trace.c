// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints events in the format of ftrace. */
#include <inttypes.h>
#include <stdio.h>

#include "output/report/report_impl.h"
#include "output/result/text_width.h"
#include "output/time.h"

/* trace-cmd's format "%16s-%-5d [%03d] %6.1000d: %s: %s", built by hand. */
#define COMM_WIDTH 16
#define PID_WIDTH  5
#define CPU_DIGITS 3

static void begin(struct kft_report *r, struct kft_strbuf *sb)
{
	const struct kft_trace *t = r->opts.trace;

	for (size_t i = 0; t->buffers.len > 1 && i < t->buffers.len; i++)
		r->line.name_width = KFT_MAX(r->line.name_width,
					     strlen(t->buffers.data[i].name));
	kft_strbuf_adds(sb, "cpus=");
	kft_strbuf_addu(sb, t->meta.cpu_count, 1);
	kft_strbuf_addc(sb, '\n');
}

/* Appends "irqs: ", or blanks for the main buffer, if a trace has several buffers. */
static void add_buffer_name(struct kft_report *r, const struct kft_event *ev,
			    struct kft_strbuf *sb)
{
	const char *name = kft_report_buffer(r, ev)->name;
	size_t len = strlen(name);

	kft_strbuf_fill(sb, ' ', r->line.name_width - len);
	kft_strbuf_add_escaped(sb, name, len);
	kft_strbuf_add(sb, len ? ": " : "  ", 2);
}

/* Makes the text "            comm-pid  [" at the first event of a task. */
static const struct kft_report_piece *make_task(struct kft_report *r, uint32_t pid,
						const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf comm = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_escaped(&comm, name, strlen(name));
	size_t width = kft_text_width(kft_strbuf_cstr(&comm), comm.len);
	kft_strbuf_fill(&sb, ' ', width < COMM_WIDTH ? COMM_WIDTH - width : 0);
	kft_strbuf_add(&sb, comm.buf, comm.len);
	kft_strbuf_addf(&sb, "-%-*d [", PID_WIDTH, (int32_t)pid);
	struct kft_report_piece *piece = kft_arena_alloc(&r->line.names, sizeof(*piece));
	if (!piece || !kft_strbuf_ok(&comm) ||
	    !kft_report_keep(&r->line.names, &sb, piece))
		return NULL;
	return piece;
}

static const struct kft_report_piece *meet_task(struct kft_report *r, uint32_t pid,
						uint64_t ts)
{
	const struct kft_task_span name = kft_task_span_at(&r->opts.trace->tasks, pid,
							   ts);
	uint64_t *slot = kft_map_put(&r->line.tasks, (uint64_t)name.number << 32 | pid);

	if (!slot)
		return NULL;
	if (!*slot)
		*slot = (uintptr_t)make_task(r, pid, name.comm);
	r->line.recent[pid % KFT_REPORT_RECENT].pid = pid;
	r->line.recent[pid % KFT_REPORT_RECENT].since = name.since;
	r->line.recent[pid % KFT_REPORT_RECENT].length = name.until - name.since;
	r->line.recent[pid % KFT_REPORT_RECENT].piece =
		(const struct kft_report_piece *)(uintptr_t)*slot;
	return r->line.recent[pid % KFT_REPORT_RECENT].piece;
}

static const struct kft_report_piece *find_task(struct kft_report *r, uint32_t pid,
						uint64_t ts)
{
	const struct kft_report_piece *piece =
		r->line.recent[pid % KFT_REPORT_RECENT].piece;

	if (likely(piece && r->line.recent[pid % KFT_REPORT_RECENT].pid == pid &&
		   ts - r->line.recent[pid % KFT_REPORT_RECENT].since <
			   r->line.recent[pid % KFT_REPORT_RECENT].length))
		return piece;
	return meet_task(r, pid, ts);
}

static void loss(struct kft_report *r, const struct kft_event *ev, struct kft_strbuf *sb)
{
	if (r->line.name_width)
		add_buffer_name(r, ev, sb);
	kft_report_add_loss(r, ev, sb);
	kft_strbuf_addc(sb, '\n');
}

/* Writes "012]". */
static char *put_cpu(char *p, uint32_t cpu)
{
	char digits[16];
	size_t n = sizeof(digits);

	/*
	 * Written directly: a copy from `digits` would have to wait for the stores to it.
	 */
	if (likely(cpu < 1000)) {
		p[0] = '0' + cpu / 100;
		p[1] = '0' + cpu / 10 % 10;
		p[2] = '0' + cpu % 10;
		p[3] = ']';
		return p + 4;
	}
	do {
		digits[--n] = '0' + cpu % 10;
		cpu /= 10;
	} while (cpu || sizeof(digits) - n < CPU_DIGITS);
	memcpy(p, digits + n, sizeof(digits) - n);
	p += sizeof(digits) - n;
	*p++ = ']';
	return p;
}

/*
 * Writes " d..2.": interrupts off, reschedule pending, interrupt context, depth of
 * disabled preemption and migration; like the kernel's trace_print_lat_fmt().
 */
static char *put_flags(struct kft_report *r, const struct kft_event *ev, char *p)
{
	static const char due[] = ".lnbpLNB"; /* bits: lazy, now, preempt */
	static const char in[] = ".shHzzZZ"; /* bits: softirq, hardirq, NMI */
	static const char depth[] = ".123456789abcdef";
	uint64_t flags;
	uint64_t preempt;

	*p++ = ' ';
	if (!kft_report_common(r, ev, r->flags, &flags) ||
	    !kft_report_common(r, ev, r->preempt, &preempt)) {
		memcpy(p, "-----", 5);
		return p + 5;
	}
	bool bh_off = flags & 0x80;
	if (flags & 0x01)
		*p++ = bh_off ? 'D' : 'd';
	else
		*p++ = bh_off ? 'b' : '.';
	/*
	 * Since 6.13, 0x02 is a pending lazy reschedule; older kernels of current
	 * architectures do not set it.
	 */
	*p++ = due[(flags >> 1 & 1) | (flags >> 2 & 1) << 1 | (flags >> 5 & 1) << 2];
	*p++ = in[(flags >> 4 & 1) | (flags >> 3 & 1) << 1 | (flags >> 6 & 1) << 2];
	*p++ = depth[preempt & 15];
	*p++ = depth[preempt >> 4 & 15];
	return p;
}

/* Writes ": (+13)   " in microseconds, like trace-cmd's --ts-diff; the label follows. */
static char *put_diff(const struct kft_report *r, const struct kft_event *ev,
		      enum kft_clock_unit unit, char *p)
{
	const uint64_t scale = unit == KFT_CLOCK_NS ? 1000 : 1;
	char text[32] = "";

	if (r->before != KFT_REPORT_NO_TIME)
		(void)snprintf(text, sizeof(text), "(%+" PRId64 ")",
			       (int64_t)((ev->ts + scale / 2) / scale -
					 (r->before + scale / 2) / scale));
	return p + sprintf(p, ": %-8s", text);
}

static void event(struct kft_report *r, const struct kft_event *ev,
		  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	uint32_t pid = 0;

	/* trace-cmd prints the buffer's name before a loss. */
	if (unlikely(r->line.name_width) && !ev->lost_before)
		add_buffer_name(r, ev, sb);
	(void)kft_report_pid(r, ev, &pid);
	const struct kft_report_piece *task = find_task(r, pid, ev->ts);
	if (unlikely(!task)) {
		sb->failed = true;
		return;
	}
	const struct kft_report_piece *label = &rc->label;
	size_t room = task->len + label->len + KFT_TS_BYTES_MAX + 5 * KFT_REPORT_BLOCK;
	if (unlikely(!kft_strbuf_reserve(sb, room)))
		return;
	char *p = kft_report_put(sb->buf + sb->len, task);
	p = put_cpu(p, ev->cpu);
	if (unlikely(r->opts.flags))
		p = put_flags(r, ev, p);
	enum kft_clock_unit unit = kft_report_buffer(r, ev)->clock.unit;
	/* trace-cmd prints no blank before a number that is not a time. */
	if (likely(unit == KFT_CLOCK_NS))
		*p++ = ' ';
	if (unlikely(r->opts.wall))
		p = kft_report_put_wall(r, ev, p);
	else
		p = kft_ts_write(&r->line.time, unit, ev->ts, p);
	if (unlikely(r->opts.diff)) {
		p = put_diff(r, ev, unit, p);
		label = &rc->label_after;
	}
	p = kft_report_put(p, label);
	sb->len = p - sb->buf;
	kft_report_add_info(r, ev, rc, sb);
	kft_strbuf_addc(sb, '\n');
}

const struct kft_report_style kft_report_trace = {
	.begin = begin,
	.loss = loss,
	.event = event,
};
