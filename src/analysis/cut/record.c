// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads of an event what decides whether it belongs to a run. */
#include "analysis/cut/record.h"

#include <stdio.h>
#include <string.h>

#include "base/scan.h"

static void find_fields(struct kft_cut_reader *events, enum kft_cut_kind kind,
			const char *system, const char *name, const char *func)
{
	const struct kft_class *c = kft_class_table_find(&events->trace->classes, system,
							 name);

	if (!c)
		return;
	events->of[kind] = (struct kft_cut_fields){
		.class = c,
		.flags = kft_class_field(c, "common_flags"),
		.pid = kft_class_field(c, "common_pid"),
		.func = kft_class_field(c, func),
		.depth = kft_class_field(c, "depth"),
		.calltime = kft_class_field(c, "calltime"),
		.rettime = kft_class_field(c, "rettime"),
		.overrun = kft_class_field(c, "overrun"),
		.text = kft_class_field(c, "buf"),
	};
}

void kft_cut_reader_init(struct kft_cut_reader *events, struct kft_trace *t,
			 const char *probe_group)
{
	*events = (struct kft_cut_reader){.trace = t};
	find_fields(events, KFT_CUT_ENTRY, "ftrace", "funcgraph_entry", "func");
	find_fields(events, KFT_CUT_EXIT, "ftrace", "funcgraph_exit", "func");
	if (!probe_group)
		return;
	find_fields(events, KFT_CUT_PRINT, "ftrace", "print", "ip");
	find_fields(events, KFT_CUT_START, probe_group, KFT_PROBE_START, "__probe_ip");
	find_fields(events, KFT_CUT_STOP, probe_group, KFT_PROBE_STOP, "__probe_ip");
	/* A probe on a return has another name for it. */
	for (int kind = KFT_CUT_START; kind <= KFT_CUT_STOP; kind++) {
		struct kft_cut_fields *f = &events->of[kind];

		if (f->class && !f->func)
			f->func = kft_class_field(f->class, "__probe_func");
	}
}

static uint64_t read_field(const struct kft_cut_reader *events,
			   const struct kft_event *ev, const struct kft_field *f)
{
	uint64_t v;

	return f && kft_event_int(ev, f, events->trace->swap, &v) ? v : 0;
}

bool kft_cut_record_read(const struct kft_cut_reader *events, const struct kft_event *ev,
			 struct kft_cut_record *ret)
{
	for (int kind = 0; kind < KFT_CUT_KINDS; kind++) {
		const struct kft_cut_fields *f = &events->of[kind];

		if (!f->class || f->class->id != ev->id)
			continue;
		*ret = (struct kft_cut_record){
			.kind = kind,
			.ev = ev,
			.flags = read_field(events, ev, f->flags),
			.pid = (int64_t)read_field(events, ev, f->pid),
			.func = read_field(events, ev, f->func),
			.depth = read_field(events, ev, f->depth),
			.overrun = read_field(events, ev, f->overrun),
		};
		uint64_t in = read_field(events, ev, f->calltime);
		uint64_t out = read_field(events, ev, f->rettime);
		ret->duration_ns = out > in ? out - in : 0;
		return true;
	}
	return false;
}

uint64_t kft_cut_record_entry_ns(const struct kft_cut_record *exit)
{
	return exit->duration_ns < exit->ev->ts ? exit->ev->ts - exit->duration_ns : 0;
}

static enum kft_run_cause cause_of(const char *word, size_t len)
{
	static const char *const words[] = {
		[KFT_CAUSE_USER] = "user",
		[KFT_CAUSE_TIME] = "time",
		[KFT_CAUSE_FULL] = "full",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i] && strlen(words[i]) == len &&
		    memcmp(words[i], word, len) == 0)
			return i;
	return KFT_CAUSE_OTHER;
}

/* "kft: start CAUSE NS" */
static struct kft_cut_mark parse_mark(const char *text)
{
	static const char *const prefixes[] = {
		[KFT_CUT_MARK_START] = KFT_MARK_START,
		[KFT_CUT_MARK_STOP] = KFT_MARK_STOP,
		[KFT_CUT_MARK_PAUSE] = KFT_MARK_PAUSE,
		[KFT_CUT_MARK_RESUME] = KFT_MARK_RESUME,
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t prefix_len = prefixes[i] ? strlen(prefixes[i]) : 0;
		const char *p = text + prefix_len;
		const char *cause;
		size_t len;
		uint64_t ns;

		if (prefix_len && strncmp(text, prefixes[i], prefix_len) == 0 &&
		    kft_scan_word(&p, &cause, &len) && kft_scan_u64(&p, &ns))
			return (struct kft_cut_mark){i, cause_of(cause, len), ns};
	}
	return (struct kft_cut_mark){};
}

struct kft_cut_mark kft_cut_record_mark(const struct kft_cut_reader *events,
					const struct kft_cut_record *print)
{
	const struct kft_field *f = events->of[KFT_CUT_PRINT].text;
	const char *p;
	size_t len;
	char text[96] = "";

	if (f && kft_event_str(print->ev, f, events->trace->swap, &p, &len))
		(void)snprintf(text, sizeof(text), "%.*s",
			       (int)KFT_MIN(len, sizeof(text) - 1), p);
	return parse_mark(text);
}
