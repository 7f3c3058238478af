// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints chosen fields of events. */
#include "output/report/report_impl.h"
#include "output/time.h"
#include "output/value.h"

static void add_time(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb)
{
	size_t start = sb->len;

	kft_strbuf_add_ts(sb, kft_report_buffer(r, ev)->clock.unit, ev->ts);
	/* The blanks align the text style; this style has separate columns. */
	size_t blanks = start;
	while (blanks < sb->len && sb->buf[blanks] == ' ')
		blanks++;
	memmove(sb->buf + start, sb->buf + blanks, sb->len - blanks);
	sb->len -= blanks - start;
}

static void add_comm(struct kft_report *r, const struct kft_event *ev,
		     struct kft_strbuf *sb)
{
	uint32_t pid;

	if (!kft_report_pid(r, ev, &pid)) {
		kft_strbuf_addc(sb, '-');
		return;
	}
	const char *comm = kft_report_comm(r, ev, pid);
	kft_strbuf_add_escaped(sb, comm, strlen(comm));
}

static void add_pid(struct kft_report *r, const struct kft_event *ev,
		    struct kft_strbuf *sb)
{
	uint32_t pid;

	if (kft_report_pid(r, ev, &pid))
		kft_strbuf_addi(sb, (int32_t)pid);
	else
		kft_strbuf_addc(sb, '-');
}

static void add_name(const char *name, struct kft_strbuf *sb)
{
	if (name[0])
		kft_strbuf_add_escaped(sb, name, strlen(name));
	else
		kft_strbuf_addc(sb, '-');
}

/*
 * Appends the info on one line: line breaks of a stack trace would
 * look like further events.
 */
static void add_info(struct kft_report *r, const struct kft_event *ev,
		     const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	kft_report_add_info(r, ev, rc, sb);
	for (size_t i = start; i < sb->len; i++)
		if (sb->buf[i] == '\n' || sb->buf[i] == '\t')
			sb->buf[i] = ' ';
}

static void add_column(struct kft_report *r, const struct kft_event *ev,
		       const struct kft_report_class *rc, size_t i, struct kft_strbuf *sb)
{
	char text[KFT_TS_BYTES_MAX];

	switch (r->columns[i].builtin) {
	case KFT_REPORT_FIELD:
		if (rc->fields[i])
			kft_value_add_text(sb, ev, rc->fields[i], r->swap);
		else
			kft_strbuf_addc(sb, '-');
		break;
	case KFT_REPORT_TS:
		kft_strbuf_addu(sb, ev->ts, 1);
		break;
	case KFT_REPORT_TIME:
		add_time(r, ev, sb);
		break;
	case KFT_REPORT_WALL:
		kft_strbuf_add(sb, text, kft_report_put_wall(r, ev, text) - text);
		break;
	case KFT_REPORT_CPU:
		kft_strbuf_addu(sb, ev->cpu, 1);
		break;
	case KFT_REPORT_COMM:
		add_comm(r, ev, sb);
		break;
	case KFT_REPORT_PID:
		add_pid(r, ev, sb);
		break;
	case KFT_REPORT_EVENT:
		kft_strbuf_add(sb, rc->name.text, rc->name.len);
		break;
	case KFT_REPORT_SYSTEM:
		add_name(kft_report_system(rc), sb);
		break;
	case KFT_REPORT_BUFFER:
		add_name(kft_report_buffer(r, ev)->name, sb);
		break;
	case KFT_REPORT_INFO:
		add_info(r, ev, rc, sb);
		break;
	}
}

static void loss(struct kft_report *r, const struct kft_event *ev, struct kft_strbuf *sb)
{
	kft_strbuf_add(sb, "# ", 2);
	kft_report_add_loss(r, ev, sb);
	kft_strbuf_addc(sb, '\n');
}

static void event(struct kft_report *r, const struct kft_event *ev,
		  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < r->opts.n_fields; i++) {
		if (i)
			kft_strbuf_addc(sb, '\t');
		add_column(r, ev, rc, i, sb);
	}
	kft_strbuf_addc(sb, '\n');
}

const struct kft_report_style kft_report_fields = {
	.loss = loss,
	.event = event,
};
