// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints events in words, one per line, in the style of KPTrace. */
#include "output/plain/words.h"

#include "output/result/text_width.h"

#define COMM_WIDTH 16
#define PID_WIDTH  6

/* Deeper nesting is shown at the maximum depth. */
#define TREE_WIDTH 2
#define TREE_MAX   24

#define NS_PER_US  1000
#define TIME_WIDTH 12

static const char *const colours[] = {
	[KFT_PLAIN_NO_COLOUR] = "",	  [KFT_PLAIN_INTERRUPT] = "\033[33m",
	[KFT_PLAIN_SOFTIRQ] = "\033[36m", [KFT_PLAIN_TASK] = "\033[32m",
	[KFT_PLAIN_CALL] = "\033[34m",	  [KFT_PLAIN_MARK] = "\033[35m",
	[KFT_PLAIN_BAD] = "\033[1;31m",
};

static void begin_colour(const struct kft_report *r, enum kft_plain_colour colour,
			 struct kft_strbuf *sb)
{
	if (r->opts.colour)
		kft_strbuf_adds(sb, colours[colour]);
}

static void end_colour(const struct kft_report *r, enum kft_plain_colour colour,
		       struct kft_strbuf *sb)
{
	if (r->opts.colour && colour != KFT_PLAIN_NO_COLOUR)
		kft_strbuf_adds(sb, "\033[0m");
}

/* Appends "name: text"; the text of functions comes without a name. */
static void add_own_words(struct kft_report *r, const struct kft_event *ev,
			  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	if (strncmp(rc->name.text, "funcgraph_", strlen("funcgraph_")) != 0) {
		kft_strbuf_add(sb, rc->name.text, rc->name.len);
		kft_strbuf_adds(sb, ": ");
	}
	kft_report_add_info(r, ev, rc, sb);
}

/* The time as it is shown: microseconds since the start, or ticks of another clock. */
static int64_t shown_time(const struct kft_report *r, const struct kft_event *ev,
			  uint64_t ts)
{
	uint64_t since = ts - r->opts.start;

	if (kft_report_buffer(r, ev)->clock.unit != KFT_CLOCK_NS)
		return (int64_t)since;
	return (int64_t)since / NS_PER_US + ((int64_t)since % NS_PER_US >= NS_PER_US / 2);
}

static void add_seconds(bool is_time, int64_t us, struct kft_strbuf *sb)
{
	uint64_t v = us < 0 ? -(uint64_t)us : (uint64_t)us;

	if (us < 0)
		kft_strbuf_addc(sb, '-');
	if (!is_time) {
		kft_strbuf_addu(sb, v, 1);
		return;
	}
	kft_strbuf_addu(sb, v / 1000000, 1);
	kft_strbuf_addc(sb, '.');
	kft_strbuf_addu(sb, v % 1000000, 6);
}

static void add_times(const struct kft_report *r, const struct kft_event *ev,
		      struct kft_strbuf *sb)
{
	bool is_time = kft_report_buffer(r, ev)->clock.unit == KFT_CLOCK_NS;
	int64_t now = shown_time(r, ev, ev->ts);
	uint64_t before = r->before == KFT_REPORT_NO_TIME ? ev->ts : r->before;
	size_t start = sb->len;

	add_seconds(is_time, now, sb);
	kft_strbuf_pad(sb, start, TIME_WIDTH, true);
	kft_strbuf_adds(sb, " (");
	/* In a damaged file, the clock may give any two numbers. */
	add_seconds(is_time,
		    (int64_t)((uint64_t)now - (uint64_t)shown_time(r, ev, before)), sb);
	kft_strbuf_adds(sb, ") [");
	kft_strbuf_addu(sb, ev->cpu, 3);
	kft_strbuf_addc(sb, ']');
}

static void add_who(const struct kft_report *r, const struct kft_event *ev,
		    struct kft_strbuf *sb)
{
	uint32_t pid = 0;
	bool has_pid = kft_report_pid(r, ev, &pid);
	const char *comm = has_pid ? kft_report_comm(r, ev, pid) : "-";
	size_t start = sb->len;

	kft_strbuf_addi(sb, (int32_t)pid);
	kft_strbuf_pad(sb, start, PID_WIDTH, true);
	kft_strbuf_addc(sb, ' ');
	start = sb->len;
	kft_strbuf_add_escaped(sb, comm, strlen(comm));
	size_t width = sb->failed ? 0 : kft_text_width(sb->buf + start, sb->len - start);
	kft_strbuf_fill(sb, ' ', width < COMM_WIDTH ? COMM_WIDTH - width : 0);
	kft_strbuf_addc(sb, ' ');
}

static void add_place(const struct kft_report *r, const struct kft_event *ev,
		      struct kft_strbuf *sb)
{
	const char *name = kft_report_buffer(r, ev)->name;

	if (r->opts.trace->buffers.len > 1 && name[0]) {
		kft_strbuf_add_escaped(sb, name, strlen(name));
		kft_strbuf_adds(sb, ": ");
	}
	if (r->opts.tree && r->moment)
		kft_strbuf_fill(sb, ' ',
				TREE_WIDTH *
					KFT_MIN(r->moment->depth, (uint32_t)TREE_MAX));
}

static void event(struct kft_report *r, const struct kft_event *ev,
		  const struct kft_report_class *rc, struct kft_strbuf *sb)
{
	const struct kft_plain_words *w = rc->plain->words;
	enum kft_plain_colour colour = w ? w->colour : KFT_PLAIN_NO_COLOUR;

	add_times(r, ev, sb);
	add_who(r, ev, sb);
	add_place(r, ev, sb);
	begin_colour(r, colour, sb);
	if (!kft_plain_say(r, ev, rc, sb))
		add_own_words(r, ev, rc, sb);
	end_colour(r, colour, sb);
	kft_strbuf_addc(sb, '\n');
}

static void loss(struct kft_report *r, const struct kft_event *ev, struct kft_strbuf *sb)
{
	begin_colour(r, KFT_PLAIN_BAD, sb);
	kft_report_add_loss(r, ev, sb);
	end_colour(r, KFT_PLAIN_BAD, sb);
	kft_strbuf_addc(sb, '\n');
}

static void begin(struct kft_report *r, struct kft_strbuf *sb)
{
	r->plain = kft_plain_create(r);
	if (!r->plain)
		sb->failed = true;
	kft_strbuf_adds(sb, "    Time (s)    (since)   CPU    PID Command          "
			    "Event\n");
}

const struct kft_report_style kft_report_plain = {
	.begin = begin,
	.meet = kft_plain_meet,
	.loss = loss,
	.event = event,
};
