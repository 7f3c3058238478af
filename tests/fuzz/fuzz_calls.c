// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls from records of the function tracers, as a trace may claim them: each 8 bytes are a
 * record of some task, in the order of time or not.
 */
#include "fuzz.h"

#include "derive/calls/func_exits.h"
#include "derive/calls/func_graph.h"

#define RECORD_BYTES 8

struct tally {
	uint64_t entered;
	uint64_t left;
};

static int on_enter(void *arg, const struct kft_nested *n)
{
	struct tally *t = arg;

	FUZZ_ASSERT(!n->parent || n->parent->level < n->level || !n->level);
	t->entered++;
	return 0;
}

static int on_leave(void *arg, const struct kft_nested *n)
{
	struct tally *t = arg;

	FUZZ_ASSERT(kft_nested_local_ns(n) <= n->call.dur_ns);
	FUZZ_ASSERT(kft_nested_on_ns(n) <= n->call.dur_ns);
	FUZZ_ASSERT(kft_nested_on_local_ns(n) <= n->call.dur_ns);
	t->left++;
	return 0;
}

static struct kft_func_event event_of(const uint8_t *p, uint64_t ts)
{
	struct kft_func_event fe = {
		.kind = p[0] % 5,
		.pid = p[1] % 4,
		.context = p[2] % 3,
		.func = p[3] % 8 << 8,
		.caller = p[4] % 8 << 8,
		.depth = p[5] % 16,
		.return_ns = ts,
		.call_ns = ts - p[6] * 3,
		.prev = p[1] % 4,
		.next = p[2] % 4,
		.overrun = p[6],
	};

	if (p[5] == 255)
		fe.depth = UINT32_MAX;
	return fe;
}

/* The first pass over entries and exits. */
static void find_orphans(const uint8_t *data, size_t size, struct kft_func_orphans *o)
{
	for (uint64_t ts = 1000; size >= RECORD_BYTES; size -= RECORD_BYTES) {
		ts += (int8_t)data[7];
		struct kft_func_event fe = event_of(data, ts);

		FUZZ_ASSERT(kft_func_orphans_feed(o, ts, data[7] & 1, &fe) == 0);
		data += RECORD_BYTES;
	}
	kft_func_orphans_settle(o);
}

static void feed(const uint8_t *data, size_t size, bool exits_only)
{
	struct tally tally = {};
	struct kft_nest_sink sink = {on_enter, on_leave, &tally};
	struct kft_symbol_table symbols = {};
	struct kft_intern strings = {};
	struct kft_func_names names;
	struct kft_offcpu off = {.keep_spans = exits_only};
	struct kft_nest *nest;

	if (kft_nest_create(&sink, &nest) < 0)
		return;
	kft_func_names_init(&names, &symbols, &strings);
	struct kft_func_orphans orphans = {.symbols = names.symbols};
	struct kft_func_graph graph = {
		.nest = nest, .names = &names, .off = &off, .orphans = &orphans};
	struct kft_func_exits exits = {.names = &names, .off = &off};

	if (!exits_only)
		find_orphans(data, size, &orphans);
	for (uint64_t ts = 1000; size >= RECORD_BYTES; size -= RECORD_BYTES) {
		ts += (int8_t)data[7];
		struct kft_func_event fe = event_of(data, ts);

		graph.losses += data[4] == 255;
		exits.losses += data[4] == 255;
		int r = exits_only ? kft_func_exits_feed(&exits, ts, data[7] & 1, &fe)
				   : kft_func_graph_feed(&graph, ts, data[7] & 1, &fe);

		FUZZ_ASSERT(r == 0);
		data += RECORD_BYTES;
	}
	if (exits_only)
		FUZZ_ASSERT(kft_func_exits_nest(&exits, nest) == 0);
	FUZZ_ASSERT(kft_nest_flush(nest) == 0);
	FUZZ_ASSERT(tally.entered == tally.left);
	kft_func_exits_finish(&exits);
	kft_func_graph_finish(&graph);
	kft_func_orphans_finish(&orphans);
	kft_offcpu_finish(&off);
	kft_func_names_finish(&names);
	kft_intern_finish(&strings);
	nest = kft_nest_destroy(nest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	feed(data, size, false);
	feed(data, size, true);
	return 0;
}
