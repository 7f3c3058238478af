// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints calls one per line, as text and JSON. */
#include "output/calls_flat.h"

#include <inttypes.h>
#include <string.h>

#include "output/json.h"
#include "output/result/text_width.h"

/* The columns of the trace style (output/report/trace.c). */
#define COMM_WIDTH     16
#define PID_WIDTH      5
#define DURATION_WIDTH 12

static const char *comm_of(const struct kft_calls_flat *f,
			   const struct kft_call_node *call)
{
	return call->pid == KFT_CALL_IN_INTERRUPT
		       ? "<interrupt>"
		       : kft_task_comm_at(&f->trace->tasks, call->pid,
					  f->start_ns + call->entry_ns);
}

static void add_task(const struct kft_calls_flat *f, const struct kft_call_node *call,
		     struct kft_strbuf *sb)
{
	const char *comm = comm_of(f, call);
	size_t start = sb->len;

	kft_strbuf_add_escaped(sb, comm, strlen(comm));
	size_t width = kft_text_width(sb->buf + start, sb->len - start);
	kft_strbuf_pad(sb, start, COMM_WIDTH + sb->len - start - width, true);
	if (call->pid == KFT_CALL_IN_INTERRUPT)
		kft_strbuf_fill(sb, ' ', 1 + PID_WIDTH);
	else
		kft_strbuf_addf(sb, "-%-*" PRId32, PID_WIDTH, call->pid);
	kft_strbuf_addf(sb, " [%03" PRId32 "] ", call->cpu);
}

static void add_time(struct kft_calls_flat *f, uint64_t ts, struct kft_strbuf *sb)
{
	if (!kft_strbuf_reserve(sb, KFT_TS_BYTES_MAX))
		return;
	sb->len = kft_ts_write(&f->time, f->trace->meta.clock.unit, ts,
			       sb->buf + sb->len) -
		  sb->buf;
	kft_strbuf_adds(sb, ": ");
}

/* Appends the duration in microseconds; "?" when the call's exit is missing. */
static void add_duration(const struct kft_call_node *call, struct kft_strbuf *sb)
{
	size_t start = sb->len;

	if (call->end == KFT_CALL_ENDED) {
		kft_strbuf_addu(sb, call->dur_ns / 1000, 1);
		kft_strbuf_addc(sb, '.');
		kft_strbuf_addu(sb, call->dur_ns % 1000, 3);
	} else {
		kft_strbuf_addc(sb, '?');
	}
	kft_strbuf_pad(sb, start, DURATION_WIDTH, true);
	kft_strbuf_adds(sb, " us  ");
}

static void add_name(const struct kft_calls_flat *f, uint32_t name, struct kft_strbuf *sb)
{
	const char *text = kft_intern_text(f->names, name);

	kft_strbuf_add_escaped(sb, text, strlen(text));
}

static void add_caller(const struct kft_calls_flat *f, const struct kft_call_node *call,
		       struct kft_strbuf *sb)
{
	if (call->caller == KFT_INTERN_NONE)
		return;
	kft_strbuf_adds(sb, " <- ");
	add_name(f, call->caller, sb);
	if (!call->caller_offset)
		return;
	kft_strbuf_adds(sb, "+0x");
	kft_strbuf_addx(sb, call->caller_offset, 1);
}

void kft_calls_flat_text(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb)
{
	add_task(f, call, sb);
	add_time(f, f->start_ns + call->entry_ns, sb);
	add_duration(call, sb);
	add_name(f, call->func, sb);
	add_caller(f, call, sb);
	if (call->missing)
		kft_strbuf_addf(sb, " (%" PRIu32 " deeper calls are missing)",
				call->missing);
	kft_strbuf_addc(sb, '\n');
}

static void add_json_caller(struct kft_json *j, const struct kft_calls_flat *f,
			    const struct kft_call_node *call)
{
	kft_json_key(j, "caller");
	if (call->caller == KFT_INTERN_NONE)
		kft_json_null(j);
	else
		kft_json_str(j, kft_intern_text(f->names, call->caller));
	if (!call->caller_offset)
		return;
	kft_json_key(j, "caller_offset");
	kft_json_exact(j, call->caller_offset);
}

void kft_calls_flat_json(struct kft_calls_flat *f, const struct kft_call_node *call,
			 struct kft_strbuf *sb)
{
	struct kft_json j = {.sb = sb};
	bool in_task = call->pid != KFT_CALL_IN_INTERRUPT;

	kft_json_begin_object(&j);
	kft_json_key(&j, "ts");
	kft_json_exact(&j, f->start_ns + call->entry_ns);
	kft_json_key(&j, "cpu");
	kft_json_exact(&j, call->cpu);
	kft_json_key(&j, "comm");
	if (in_task)
		kft_json_str(&j, comm_of(f, call));
	else
		kft_json_null(&j);
	kft_json_key(&j, "pid");
	if (in_task)
		kft_json_exact(&j, call->pid);
	else
		kft_json_null(&j);
	kft_json_key(&j, "function");
	kft_json_str(&j, kft_intern_text(f->names, call->func));
	kft_json_key(&j, "duration");
	if (call->end == KFT_CALL_ENDED)
		kft_json_exact(&j, call->dur_ns);
	else
		kft_json_null(&j);
	add_json_caller(&j, f, call);
	kft_json_key(&j, "depth");
	kft_json_exact(&j, call->depth);
	if (call->missing) {
		kft_json_key(&j, "missing");
		kft_json_exact(&j, call->missing);
	}
	kft_json_end_object(&j);
	kft_strbuf_addc(sb, '\n');
}
