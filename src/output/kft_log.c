// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes KFT's log format. */
#include "output/kft_log.h"

#include <inttypes.h>
#include <string.h>

#define NS_PER_US 1000

/* Widths of KFT's columns. Traces of several CPUs get a wider pid column. */
#define TIME_WIDTH     8
#define PID_WIDTH      5
#define PID_CPU_WIDTH  10
#define FUNCTION_WIDTH 25
#define GAP	       3

static size_t pid_width(const struct kft_log_style *style)
{
	return style->has_cpus ? PID_CPU_WIDTH : PID_WIDTH;
}

static void add_cause(struct kft_strbuf *sb, const char *what, uint64_t ns,
		      const char *words)
{
	kft_strbuf_addf(sb, "Logging %s at %" PRIu64 " usec by ", what, ns / NS_PER_US);
	kft_strbuf_add_escaped(sb, words, strlen(words));
	kft_strbuf_addc(sb, '\n');
}

static void add_filter(uint64_t n, const char *text, struct kft_strbuf *sb)
{
	if (n)
		kft_strbuf_addf(sb, "\t%" PRIu64 "%s\n", n, text);
}

/* Names the filters of the counters, in KFT's words if KFT had the filter. */
static void add_filters(const struct kft_run_info *info, struct kft_strbuf *sb)
{
	bool any = false;

	for (size_t i = 0; i < KFT_RUN_FILTER_COUNT; i++)
		any |= info->has_filter[i];
	if (!any)
		return;
	kft_strbuf_adds(sb, "\nFilters:\n");
	add_filter(info->n_functions, "-entry function list", sb);
	add_filter(info->n_excluded, "-entry list of functions left out", sb);
	add_filter(info->n_tasks, "-entry task list", sb);
	add_filter(info->min_ns / NS_PER_US, " usecs minimum execution time", sb);
	add_filter(info->max_ns / NS_PER_US, " usecs maximum execution time", sb);
	if (info->has_filter[KFT_RUN_FILTER_NOINTS])
		kft_strbuf_adds(sb, "\tno functions in interrupt context\n");
	if (info->has_filter[KFT_RUN_FILTER_ONLYINTS])
		kft_strbuf_adds(sb, "\tno functions NOT in interrupt context\n");
}

/* Appends a counter. Records that the kernel filters out are not counted. */
static void add_count(const char *what, uint64_t n, bool in_kernel, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "%s = ", what);
	if (n || !in_kernel)
		kft_strbuf_addf(sb, "%" PRIu64, n);
	if (in_kernel)
		kft_strbuf_addf(sb, "%sin the kernel, not counted",
				n ? ", and those " : "");
	kft_strbuf_addc(sb, '\n');
}

static void add_counters(const struct kft_run_info *info, struct kft_strbuf *sb)
{
	static const char *const names[] = {
		[KFT_RUN_FILTER_TIME] = "Execution time filter count",
		[KFT_RUN_FILTER_NOINTS] = "No Interrupt functions filter count",
		[KFT_RUN_FILTER_ONLYINTS] = "Only Interrupt functions filter count",
		[KFT_RUN_FILTER_FUNCTIONS] = "Function List filter count",
		[KFT_RUN_FILTER_TASKS] = "Other tasks filter count",
	};
	uint64_t total = 0;
	bool in_kernel = false;

	kft_strbuf_adds(sb, "\nFilter Counters:\n\n");
	for (size_t i = 0; i < KFT_RUN_FILTER_COUNT; i++) {
		if (!info->has_filter[i])
			continue;
		add_count(names[i], info->filtered[i], info->in_kernel[i], sb);
		total += info->filtered[i];
		in_kernel |= info->in_kernel[i];
	}
	if (!info->is_known) {
		kft_strbuf_adds(sb, "not known\n");
		return;
	}
	add_count("Total entries filtered", total, in_kernel, sb);
	add_count("Entries not found", info->not_found, false, sb);
}

/* Describes the stack tracer's result: the kernel keeps only the deepest stack. */
static void add_watch(const struct kft_run_info *info, struct kft_strbuf *sb)
{
	if (!info->looks)
		return;
	kft_strbuf_addf(sb,
			"\nStack watch: %" PRIu64 " stacks in %" PRIu64
			" looks, at most %" PRIu64 " usec apart\n",
			info->stacks, info->looks, info->longest_look_ns / NS_PER_US);
	if (info->stacks)
		kft_strbuf_adds(sb, "of several between two looks the deepest one, the "
				    "others not counted\n");
}

static void add_titles(const struct kft_log_style *style, struct kft_strbuf *sb)
{
	size_t width = pid_width(style);

	kft_strbuf_adds(sb, "\n\n Entry      Delta      PID");
	kft_strbuf_fill(sb, ' ', width - PID_WIDTH);
	kft_strbuf_adds(sb, "            Function                    Called At\n");
	kft_strbuf_adds(sb, "--------   --------   ");
	kft_strbuf_fill(sb, '-', width);
	kft_strbuf_adds(sb, "   -------------------------   -------------------------\n");
}

void kft_log_write_head(const struct kft_log_style *style,
			const struct kft_run_info *info, uint64_t n_calls,
			struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "\nKernel Instrumentation Run ID %" PRIu64 "\n\n", info->id);
	add_cause(sb, "started", info->start_ns, info->started);
	add_cause(sb, "stopped", info->stop_ns, info->stopped);
	add_filters(info, sb);
	add_counters(info, sb);
	add_watch(info, sb);
	kft_strbuf_addf(sb, "\nNumber of entries after filters = %" PRIu64 "\n", n_calls);
	add_titles(style, sb);
}

static void add_delta(const struct kft_call *call, struct kft_strbuf *sb)
{
	switch (call->end) {
	case KFT_CALL_ENDED:
		kft_strbuf_addu(sb, call->dur_ns / NS_PER_US, 1);
		return;
	case KFT_CALL_OPEN:
		kft_strbuf_adds(sb, "-1");
		return;
	case KFT_CALL_WATCHED:
		kft_strbuf_adds(sb, "-2");
		return;
	}
}

static void add_pid(const struct kft_log_style *style, const struct kft_call *call,
		    struct kft_strbuf *sb)
{
	kft_strbuf_addi(sb, call->pid);
	if (!style->has_cpus || call->cpu == KFT_CALL_NO_CPU)
		return;
	kft_strbuf_addc(sb, '.');
	kft_strbuf_addi(sb, call->cpu);
}

/* Appends a name. Kernel names contain no blanks, which would end the column. */
static void add_name(const struct kft_intern *names, uint32_t name, struct kft_strbuf *sb)
{
	const char *text = kft_intern_text(names, name);
	size_t start = sb->len;

	if (!*text)
		text = "?";
	kft_strbuf_add_escaped(sb, text, strlen(text));
	for (size_t i = start; i < sb->len; i++)
		if (sb->buf[i] == ' ' || sb->buf[i] == '\t')
			sb->buf[i] = '_';
}

void kft_log_write_call(const struct kft_log_style *style, const struct kft_intern *names,
			const struct kft_call *call, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	kft_strbuf_addu(sb, call->entry_ns / NS_PER_US, 1);
	kft_strbuf_pad(sb, start, TIME_WIDTH, true);
	kft_strbuf_fill(sb, ' ', GAP);
	start = sb->len;
	add_delta(call, sb);
	kft_strbuf_pad(sb, start, TIME_WIDTH, true);
	kft_strbuf_fill(sb, ' ', GAP);
	start = sb->len;
	add_pid(style, call, sb);
	kft_strbuf_pad(sb, start, pid_width(style), true);
	kft_strbuf_fill(sb, ' ', GAP);
	start = sb->len;
	add_name(names, call->func, sb);
	kft_strbuf_pad(sb, start, FUNCTION_WIDTH, true);
	kft_strbuf_fill(sb, ' ', GAP);
	add_name(names, call->caller, sb);
	if (call->caller_offset) {
		kft_strbuf_adds(sb, "+0x");
		kft_strbuf_addx(sb, call->caller_offset, 1);
	}
	kft_strbuf_addc(sb, '\n');
}
