// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes interrupts, softirqs and timers. */
#include "derive/kinds/kinds.h"
#include "output/plain/words.h"

static bool irq(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "IRQ ");
	kft_strbuf_addi(sb, (int64_t)e->values[0]);
	if (e->values[1]) {
		kft_strbuf_adds(sb, " (");
		kft_plain_add_text(e, 1, sb);
		kft_strbuf_addc(sb, ')');
	}
	kft_plain_add_end(e, &kft_kind_irq_gap, ", ", " after the one before", sb);
	return true;
}

/* IRQ_NONE on a shared line: the interrupt came from another device. */
static bool irq_back(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "back from IRQ ");
	kft_strbuf_addi(sb, (int64_t)e->values[0]);
	kft_plain_add_end(e, &kft_kind_irq, " after ", "", sb);
	if (!e->values[1])
		kft_strbuf_adds(sb, ", which was not for it");
	return true;
}

/* Describes a vector of x86: the event has the vector's name. */
static bool vector(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	static const char entry[] = "_entry";
	static const char exit[] = "_exit";
	const char *name = e->rc->cls->name;
	size_t len = strlen(name);

	if (len > strlen(entry) && !strcmp(name + len - strlen(entry), entry)) {
		kft_strbuf_adds(sb, "interrupt ");
		kft_strbuf_add_escaped(sb, name, len - strlen(entry));
		return true;
	}
	if (len <= strlen(exit) || strcmp(name + len - strlen(exit), exit) != 0)
		return false;
	kft_strbuf_adds(sb, "back from interrupt ");
	kft_strbuf_add_escaped(sb, name, len - strlen(exit));
	kft_plain_add_end(e, &kft_kind_vector, " after ", "", sb);
	return true;
}

static void add_vector(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	size_t before = sb->len;

	kft_strbuf_adds(sb, "softirq ");
	size_t name = sb->len;
	kft_key_vector(e->report->opts.trace, e->values[0], sb);
	if (sb->len == name && sb->len > before)
		kft_strbuf_addu(sb, e->values[0], 1);
}

static bool softirq_raise(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "raise ");
	add_vector(e, sb);
	return true;
}

static bool softirq(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	add_vector(e, sb);
	kft_plain_add_end(e, &kft_kind_softirq_raised, ", ", " after it was raised", sb);
	return true;
}

static bool softirq_back(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "back from ");
	add_vector(e, sb);
	kft_plain_add_end(e, &kft_kind_softirq, " after ", "", sb);
	return true;
}

static bool tasklet(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "tasklet ");
	kft_plain_add_function(e, e->values[0], sb);
	return true;
}

/* Appends the function from the begin event; the end event lacks it. */
static void add_back(const struct kft_plain_event *e, const char *what,
		     const struct kft_interval_kind *kind, struct kft_strbuf *sb)
{
	const struct kft_interval *i = kft_plain_end(e, kind);

	kft_strbuf_adds(sb, "back from ");
	kft_strbuf_adds(sb, what);
	if (!i)
		return;
	kft_strbuf_addc(sb, ' ');
	kft_plain_add_function(e, i->key, sb);
	kft_plain_add_end(e, kind, " after ", "", sb);
}

static bool tasklet_back(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	add_back(e, "tasklet", &kft_kind_tasklet, sb);
	return true;
}

static bool hrtimer(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "timer ");
	kft_plain_add_function(e, e->values[0], sb);
	kft_plain_add_end(e, &kft_kind_hrtimer_late, ", ", " late", sb);
	return true;
}

static bool hrtimer_back(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	add_back(e, "timer", &kft_kind_hrtimer, sb);
	return true;
}

/* Timers of the wheel count in jiffies; kernels before 5.0 do not record their delay. */
static bool timer(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	uint64_t late = e->values[1] - e->values[2];

	kft_strbuf_adds(sb, "timer ");
	kft_plain_add_function(e, e->values[0], sb);
	if (!e->fields[2] || !late || late > INT32_MAX)
		return true;
	kft_strbuf_adds(sb, ", ");
	kft_strbuf_addu(sb, late, 1);
	kft_strbuf_adds(sb, late == 1 ? " jiffy late" : " jiffies late");
	return true;
}

static bool timer_back(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	add_back(e, "timer", &kft_kind_timer, sb);
	return true;
}

const struct kft_plain_words kft_plain_interrupts[] = {
	{"irq", "irq_handler_entry", {"irq", "?name"}, KFT_PLAIN_INTERRUPT, irq},
	{"irq", "irq_handler_exit", {"irq", "ret"}, KFT_PLAIN_INTERRUPT, irq_back},
	{"irq_vectors", "*", {}, KFT_PLAIN_INTERRUPT, vector},
	{"irq", "softirq_raise", {"vec"}, KFT_PLAIN_SOFTIRQ, softirq_raise},
	{"irq", "softirq_entry", {"vec"}, KFT_PLAIN_SOFTIRQ, softirq},
	{"irq", "softirq_exit", {"vec"}, KFT_PLAIN_SOFTIRQ, softirq_back},
	{"irq", "tasklet_entry", {"func"}, KFT_PLAIN_SOFTIRQ, tasklet},
	{"irq", "tasklet_exit", {}, KFT_PLAIN_SOFTIRQ, tasklet_back},
	{"timer", "hrtimer_expire_entry", {"function"}, KFT_PLAIN_SOFTIRQ, hrtimer},
	{"timer", "hrtimer_expire_exit", {}, KFT_PLAIN_SOFTIRQ, hrtimer_back},
	{"timer",
	 "timer_expire_entry",
	 {"function", "?now", "?baseclk"},
	 KFT_PLAIN_SOFTIRQ,
	 timer},
	{"timer", "timer_expire_exit", {}, KFT_PLAIN_SOFTIRQ, timer_back},
	{},
};
