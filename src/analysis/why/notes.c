// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remarks on the limits of an answer of kft why, and a command that records more. */
#include "analysis/why/why.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/why/read.h"
#include "base/units.h"

/* A trace with fewer symbols has only some of the kernel's. */
#define SYMBOLS_OF_A_KERNEL 10000

/* An event type, and the details that it adds to an answer. */
struct advice {
	uint32_t missing; /* enum kft_why_seen */
	const char *events;
	const char *tells;
};

static const struct advice advices[] = {
	{KFT_WHY_SEEN_SWITCH, "sched:sched_switch", "running and waiting tasks"},
	{KFT_WHY_SEEN_WAKING, "sched:sched_waking", "wakers of tasks"},
	{KFT_WHY_SEEN_WAKEUP, "sched:sched_wakeup", "the CPU that a task waits for"},
	{KFT_WHY_SEEN_HRTIMER, "timer:hrtimer_*",
	 "timers, and with their tick whether a CPU was silent"},
	{KFT_WHY_SEEN_IRQ, "irq:irq_handler_*", "which device interrupts"},
	{KFT_WHY_SEEN_SOFTIRQ, "irq:softirq_*", "durations of softirqs"},
	{KFT_WHY_SEEN_SYSCALL, "raw_syscalls", "system calls of tasks"},
	{KFT_WHY_SEEN_BLOCK, "block:block_rq_*", "requests to disks"},
	{KFT_WHY_SEEN_WORK, "workqueue", "work of kworkers"},
	{KFT_WHY_SEEN_SIGNAL, "signal", "senders of signals"},
};

static bool has(const struct kft_blob *text, const char *word)
{
	return text->len && memmem(text->data, text->len, word, strlen(word));
}

/*
 * Whether --for why recorded the trace, with all event types that kft why uses and the
 * kernel has.
 */
static bool is_for_why(const struct kft_why *w)
{
	const struct kft_blob *command = &w->trace->meta.command;

	return has(command, "--for why") || has(command, "--for=why");
}

/*
 * Whether an event type was not recorded. With --for why, a type that the kernel has was
 * recorded even if it does not occur in the range.
 */
static bool is_missing(const struct kft_why *w, const struct advice *a)
{
	if (w->facts.seen & a->missing)
		return false;
	for (const struct kft_why_event *e = kft_why_events; e->system; e++)
		if (e->seen & a->missing)
			return !is_for_why(w) ||
			       !kft_class_table_find(&w->trace->classes, e->system,
						     e->name);
	return true;
}

static void add_missing(const struct kft_why *w, struct kft_strbuf *sb)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(advices); i++) {
		if (!is_missing(w, &advices[i]))
			continue;
		kft_strbuf_addf(sb, "%s%s (%s)",
				any		? ", "
				: is_for_why(w) ? "this kernel does not have: "
						: "not in this stretch: ",
				advices[i].events, advices[i].tells);
		any = true;
	}
	if (any)
		kft_strbuf_addc(sb, '\n');
}

/*
 * Some kernels (seen on 6.18) do not record the switches from idle on a CPU that was off
 * and on again.
 */
static void add_unseen(const struct kft_why *w, struct kft_strbuf *sb)
{
	for (uint32_t i = 0; i < w->facts.cpus.len; i++) {
		const struct kft_why_cpu *cpu = &w->facts.cpus.data[i];

		if (cpu->n_left_idle_unseen && !cpu->n_left_idle)
			kft_strbuf_addf(
				sb,
				"switches from idle are not recorded on CPU %u: "
				"a task is known to run from its first event on\n",
				i);
	}
}

/*
 * Names the longer wait for input or a time that was left out, since it also made the
 * task slow.
 */
static void add_left_out(const struct kft_why *w, struct kft_strbuf *sb)
{
	const struct kft_interval *i = &w->left_out;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf what = {};

	if (!i->kind)
		return;
	kft_strbuf_addf(&what, "%s:", i->kind->name);
	kft_interval_key_text(w->trace, i->kind, i->key, &what);
	kft_strbuf_adds(sb,
			"a longer wait for an event that may never come is left out: ");
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&what), what.len);
	kft_strbuf_adds(sb, " took ");
	kft_strbuf_add_duration(sb, kft_interval_ns(i));
	kft_strbuf_adds(sb, " (kft why FILE ");
	kft_strbuf_add_escaped(sb, kft_strbuf_cstr(&what), what.len);
	kft_strbuf_addf(sb, " --task %d)\n", i->pid);
}

/*
 * Causes below 1 % need no remark: a timer is always due some microseconds before its
 * interrupt.
 */
static bool matters(const struct kft_why *w, enum kft_why_cause cause)
{
	return w->by_cause[cause] &&
	       w->by_cause[cause] >= kft_interval_ns(&w->interval) / 100;
}

/* A task has no known state while it may have been on a CPU without events. */
static void add_coverage(const struct kft_why_facts *f, struct kft_strbuf *sb)
{
	if (f->coverage.is_partial)
		kft_strbuf_adds(
			sb, "events of some CPUs are not in the trace: the state of a "
			    "task that may have been on one of them is unknown\n");
	if (f->first_ts < f->coverage.whole_from)
		kft_strbuf_adds(
			sb, "older events of some CPUs were overwritten: the state of a "
			    "task that may have been on one of them is unknown; kft "
			    "stats shows the time from which all CPUs have events\n");
}

/* Remarks on alternatives that the trace cannot distinguish. */
static void add_open(const struct kft_why *w, struct kft_strbuf *sb)
{
	if (matters(w, KFT_WHY_SILENT))
		kft_strbuf_adds(sb,
				"silence is interrupts off, or a machine (or its one "
				"CPU) that stood still: the trace does not distinguish "
				"these\n");
	if (matters(w, KFT_WHY_HELD))
		kft_strbuf_adds(
			sb, "a task that stays on its CPU although a reschedule is "
			    "due has preemption disabled, or reaches no point where the "
			    "kernel may switch\n");
	if (w->facts.n_unseen && matters(w, KFT_WHY_UNKNOWN))
		kft_strbuf_adds(sb,
				"switches between some tasks are not in the trace, which "
				"records other tasks or lost them: the states of these "
				"tasks are unknown\n");
	add_unseen(w, sb);
	add_coverage(&w->facts, sb);
	if (!w->facts.tick_ns && (w->facts.seen & KFT_WHY_SEEN_SWITCH))
		kft_strbuf_adds(sb,
				"without ticks in the trace, a stall looks like work\n");
}

/*
 * Whether the traced kernel may have the function graph tracer: its symbols have the
 * tracer's functions, or are not in the trace.
 */
static bool has_functions(const struct kft_why *w)
{
	static const char name[] = "register_ftrace_graph";
	const struct kft_symbol_table *table = &w->trace->symbols;

	for (size_t i = 0; i < table->syms.len; i++)
		if (table->syms.data[i].name_len == sizeof(name) - 1 &&
		    memcmp(table->syms.data[i].name, name, sizeof(name) - 1) == 0)
			return true;
	return table->syms.len < SYMBOLS_OF_A_KERNEL;
}

/* Whether tasks ran, and samples would show in which functions. */
static bool wants_samples(const struct kft_why *w)
{
	return (w->lead == KFT_WHY_RUN || w->lead == KFT_WHY_DEP) &&
	       w->lead_row < w->rows.len && !w->facts.samples.len;
}

/* The minimum length of function calls that would show the cause; NULL: they would not. */
static const char *functions_wanted(const struct kft_why *w)
{
	return w->lead == KFT_WHY_SILENT || w->lead == KFT_WHY_HELD ? "1ms" : NULL;
}

/*
 * Suggests a recording with the event types that this trace lacks, with samples if tasks ran, or
 * with long function calls, which for silence include the function that kept interrupts off.
 */
void kft_why_add_next(const struct kft_why *w, struct kft_strbuf *sb)
{
	const char *min = functions_wanted(w);
	bool is_more = !w->facts.tick_ns && !is_for_why(w);

	for (size_t i = 0; i < ARRAY_SIZE(advices); i++)
		is_more |= is_missing(w, &advices[i]) && !is_for_why(w);
	if (min && has_functions(w))
		kft_strbuf_addf(sb, "kft record --for why -f '*' --min %s -d 10s", min);
	else if (HAVE_PERF && wants_samples(w))
		kft_strbuf_adds(sb, "kft record --for why --sample -d 10s");
	else if (is_more)
		kft_strbuf_adds(sb, "kft record --for why -d 10s");
}

/* Few samples are no proof of the functions in which most of the time went. */
static void add_few_samples(const struct kft_why *w, struct kft_strbuf *sb)
{
	const struct kft_why_running *running =
		w->facts.samples.len && w->lead_row < w->rows.len
			? kft_why_running_of(w, &w->rows.data[w->lead_row].like)
			: NULL;

	if (!running || kft_why_top_function(w, running))
		return;
	kft_strbuf_adds(sb,
			"samples could name the functions in which the time went, but ");
	if (running->samples)
		kft_strbuf_addf(sb, "only %" PRIu64 " were taken in that time\n",
				running->samples);
	else
		kft_strbuf_adds(sb, "none was taken in that time\n");
}

void kft_why_add_remarks(const struct kft_why *w, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf next = {};

	add_left_out(w, sb);
	add_open(w, sb);
	if (HAVE_PERF)
		add_few_samples(w, sb);
	add_missing(w, sb);
	kft_why_add_next(w, &next);
	if (next.len)
		kft_strbuf_addf(sb, "to know more: %s\n", kft_strbuf_cstr(&next));
	if (functions_wanted(w) && !has_functions(w))
		kft_strbuf_adds(sb,
				"calls of functions would show more: this kernel has no "
				"tracer for them (CONFIG_FUNCTION_GRAPH_TRACER)\n");
}
