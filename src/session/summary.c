// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes summaries of runs for people. */
#include "session/summary.h"

#include "base/units.h"

static void add_watch(const struct kft_watch_counts *w, struct kft_strbuf *sb)
{
	if (!w->looks)
		return;
	kft_strbuf_adds(sb, "; ");
	kft_strbuf_add_count(sb, w->stacks);
	kft_strbuf_adds(sb, " deep stacks in ");
	kft_strbuf_add_count(sb, w->looks);
	kft_strbuf_adds(sb, " looks at the stack tracer, at most ");
	kft_strbuf_add_count(sb, w->longest_ns / 1000000);
	kft_strbuf_adds(sb, " ms apart");
	if (w->stacks)
		kft_strbuf_adds(sb, ": others between two looks are not known");
}

void kft_run_counts_text(const struct kft_session_state *rec, const struct kft_cut *cut,
			 struct kft_strbuf *sb)
{
	static const struct {
		enum kft_verdict verdict;
		const char *text;
	} dropped[] = {
		{KFT_VERDICT_OUTSIDE, "outside the run"},
		{KFT_VERDICT_EARLIER, "entered before it"},
		{KFT_VERDICT_SHORT, "too short"},
		{KFT_VERDICT_LONG, "too long"},
		{KFT_VERDICT_INTERRUPT, "in interrupts"},
		{KFT_VERDICT_NO_INTERRUPT, "not in interrupts"},
		{KFT_VERDICT_TASK, "of other tasks"},
		{KFT_VERDICT_BEYOND, "beyond logentries"},
	};

	uint64_t open = cut->counts[KFT_VERDICT_LATE] + cut->counts[KFT_VERDICT_OPEN];
	const char *before = "; records dropped: ";

	kft_strbuf_add_count(sb, cut->counts[KFT_VERDICT_CALL] + open);
	kft_strbuf_adds(sb, " calls kept");
	if (open) {
		kft_strbuf_adds(sb, ", ");
		kft_strbuf_add_count(sb, open);
		kft_strbuf_adds(sb, " of them under way at the stop");
	}
	if (cut->too_deep) {
		kft_strbuf_adds(sb, ", ");
		kft_strbuf_add_count(sb, cut->too_deep);
		kft_strbuf_adds(sb, " lost: deeper than the kernel's return stack");
	}
	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++) {
		if (!cut->counts[dropped[i].verdict])
			continue;
		kft_strbuf_adds(sb, before);
		before = ", ";
		kft_strbuf_add_count(sb, cut->counts[dropped[i].verdict]);
		kft_strbuf_addf(sb, " %s", dropped[i].text);
	}
	if (rec)
		add_watch(&rec->watch, sb);
}

void kft_run_others_text(const struct kft_session_state *rec, const struct kft_cut *cut,
			 struct kft_strbuf *sb)
{
	static const struct {
		enum kft_run_disturbance bit;
		const char *text;
	} texts[] = {
		{KFT_DISTURBED_TRACER, "took the tracer"},
		{KFT_DISTURBED_THRESH,
		 "changed tracing_thresh, by which calls are left out"},
		{KFT_DISTURBED_BUFFER, "emptied the buffer"},
	};
	const char *before = "another program ";
	unsigned int disturbed = rec->disturbed |
				 (cut->start_missing && !cut->taken ? KFT_DISTURBED_BUFFER
								    : 0);

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!(disturbed & texts[i].bit))
			continue;
		kft_strbuf_addf(sb, "%s%s", before, texts[i].text);
		before = ", ";
	}
	if (rec->stopped == KFT_CAUSE_OTHER && !(disturbed & KFT_DISTURBED_TRACER)) {
		kft_strbuf_addf(sb, "%sswitched recording off", before);
		before = ", ";
	}
	if (!cut->taken)
		return;
	kft_strbuf_addf(sb, "%sread ", before);
	kft_strbuf_add_count(sb, cut->taken);
	kft_strbuf_adds(sb, " of the records");
}
