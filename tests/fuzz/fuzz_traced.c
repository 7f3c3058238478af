// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of a system call of a hostile program: the input is its ABI, number, arguments, result and
 * memory, which changes between the entry and the exit.
 */
#include "fuzz.h"

#include <string.h>

#include "strace/lines.h"

#define MEMORY	   UINT64_C(0x10000)
#define HEAD_BYTES 64

/* The style of the input. */
enum { VERBOSE = 1, ALL_HEX = 2, IS_ERROR = 4, IS_32 = 8, SHORT = 16, CHANGES = 32 };

struct memory {
	const uint8_t *data;
	size_t size;
	uint8_t mask; /* of the bytes at this moment */
};

static ssize_t read_memory(void *arg, pid_t tid, uint64_t address, void *data, size_t len)
{
	const struct memory *m = arg;
	uint64_t at = address - MEMORY;

	if (address < MEMORY || at >= m->size)
		return -1;
	len = KFT_MIN(len, m->size - at);
	for (size_t i = 0; i < len; i++)
		((uint8_t *)data)[i] = m->data[at + i] ^ m->mask;
	return (ssize_t)len;
}

/* All text is printable and ends, whatever the program has in its memory. */
static void check(void *arg, pid_t tid, struct kft_strbuf *text)
{
	FUZZ_ASSERT(text->len < 4 * KFT_STRACE_TEXT_MAX);
	for (size_t i = 0; i < text->len; i++)
		FUZZ_ASSERT(text->buf[i] == '\n' ||
			    (text->buf[i] >= ' ' && text->buf[i] < 0x7f));
	kft_strbuf_clear(text);
}

static void run(struct kft_strace_lines *lines, struct memory *m, const uint8_t *head)
{
	struct kft_traced_source source = {read_memory, m};
	struct kft_traced_sink sink = kft_strace_lines_sink(lines);
	struct kft_traced_task task = {.tid = 1, .call.tid = 1, .call.source = &source};
	struct kft_traced_call *c = &task.call;

	kft_traced_call_begin(c);
	c->abi = sizeof(long) == 8 && head[0] & IS_32 ? KFT_TRACED_32 : KFT_TRACED_NATIVE;
	c->number = (head[1] | head[2] << 8) % KFT_SYSCALLS;
	memcpy(c->args, head + 8, sizeof(c->args));
	memcpy(&c->result, head + 56, sizeof(c->result));
	c->is_error = head[0] & IS_ERROR;
	if (c->is_error)
		c->result = -(c->result & 0xfff);
	task.in_call = true;
	sink.enter(sink.arg, &task);
	task.in_call = false;
	m->mask = head[0] & CHANGES ? 1 : 0;
	c->at_exit = true;
	sink.leave(sink.arg, &task);
	sink.end(sink.arg, &task, 0);
	kft_traced_call_finish(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kft_strace_options o;
	struct memory m = {data + HEAD_BYTES, size - HEAD_BYTES, 0};

	if (size < HEAD_BYTES)
		return 0;
	o = (struct kft_strace_options){.lines = true, .column = 40, .write = check};
	o.style.string_max = data[0] & SHORT ? data[3] : 32;
	o.style.verbose = data[0] & VERBOSE;
	o.style.hex = data[0] & ALL_HEX ? KFT_STRACE_HEX_ALL : KFT_STRACE_HEX_NONE;
	kft_strace_choice_init(&o.choice);
	_cleanup_(kft_strace_lines_destroyp) struct kft_strace_lines *lines =
		kft_strace_lines_create(&o);

	if (lines)
		run(lines, &m, data);
	return 0;
}
