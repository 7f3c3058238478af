// SPDX-License-Identifier: LGPL-2.1-or-later
/* Derives calls of functions from a trace. */
#include "derive/calls/calls.h"

#include <errno.h>

#include "base/bits.h"
#include "derive/calls/func_exits.h"
#include "derive/calls/func_graph.h"
#include "model/merge.h"
#include "model/run_info.h"

/* State of both ways of reading. */
struct run {
	struct kft_trace *trace;
	const struct kft_calls_opts *opts;
	struct kft_func_reader reader;
	struct kft_func_names names;
	struct kft_offcpu off;
	struct kft_calls_found found;
	struct kft_run_windows windows; /* the trace's KFT run */
	bool has_durations; /* the trace has records of function_graph */
	bool have_buffer;
	uint16_t buffer; /* functions are taken from it: the first with any */
};

static bool is_function(const struct kft_func_event *fe)
{
	return fe->kind != KFT_FUNC_EVENT_NONE && fe->kind != KFT_FUNC_EVENT_SWITCH;
}

/*
 * kft record -f --entries records entries in an instance of their own, in addition to
 * calls.
 */
static bool is_entry_only(const struct run *run, const struct kft_event *ev,
			  const struct kft_func_event *fe)
{
	return run->has_durations && fe->kind == KFT_FUNC_EVENT_CALL &&
	       !(run->have_buffer && ev->buffer == run->buffer);
}

/*
 * Two instances that trace functions see the same calls, so one of them is enough.
 * Switches may be recorded in another instance. False: the event is skipped.
 */
static bool take(struct run *run, const struct kft_event *ev,
		 const struct kft_func_event *fe)
{
	run->found.gaps += ev->lost_before != 0;
	if (!is_function(fe))
		return fe->kind == KFT_FUNC_EVENT_SWITCH;
	run->found.records++;
	if (is_entry_only(run, ev, fe)) {
		run->found.entries++;
		return false;
	}
	if (!run->have_buffer) {
		run->have_buffer = true;
		run->buffer = ev->buffer;
	}
	run->found.other_buffers += ev->buffer != run->buffer;
	return ev->buffer == run->buffer;
}

/*
 * Whether the run ended before the call. The comparison uses the records' clock, as
 * call_ns and return_ns may be from another one.
 */
static bool is_late(const struct run *run, const struct kft_event *ev,
		    const struct kft_func_event *fe)
{
	uint64_t dur = fe->return_ns > fe->call_ns ? fe->return_ns - fe->call_ns : 0;

	return fe->kind == KFT_FUNC_EVENT_EXIT &&
	       kft_run_windows_cut(&run->windows, ev->ts > dur ? ev->ts - dur : 0,
				   ev->ts);
}

/*
 * Whether the trace has any event of a kind: a class may be described without having
 * events.
 */
static int has_any(struct run *run, enum kft_func_event_kind kind, bool *ret)
{
	uint64_t wanted[ARRAY_SIZE(run->reader.wanted)] = {};
	struct kft_scope scope = run->opts->scope ? *run->opts->scope
						  : (struct kft_scope){};
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	const struct kft_event *ev;

	for (size_t i = 0; i < run->reader.n_classes; i++) {
		const struct kft_func_class *c = &run->reader.classes[i];

		if (c->kind == kind)
			kft_bits_add(wanted, c->id);
	}
	scope.wanted = wanted;
	int r = kft_merge_create(run->trace, &scope, &merge);

	if (!r)
		r = kft_merge_next(merge, &ev);
	*ret = r > 0;
	return r < 0 ? r : 0;
}

typedef int feed_fn(void *state, const struct kft_event *ev,
		    const struct kft_func_event *fe);

/*
 * Marks the ids of all classes, or if only functions are needed, without context
 * switches.
 */
static void choose_classes(const struct run *run, bool functions, uint64_t *wanted)
{
	for (size_t i = 0; i < run->reader.n_classes; i++) {
		const struct kft_func_class *c = &run->reader.classes[i];

		if (!functions || c->kind != KFT_FUNC_EVENT_SWITCH)
			kft_bits_add(wanted, c->id);
	}
}

static int feed_all(struct run *run, bool functions, feed_fn *feed, void *state)
{
	uint64_t wanted[ARRAY_SIZE(run->reader.wanted)] = {};
	struct kft_scope scope = run->opts->scope ? *run->opts->scope
						  : (struct kft_scope){};
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	const struct kft_event *ev;
	struct kft_func_event fe;

	choose_classes(run, functions, wanted);
	scope.wanted = wanted;
	run->have_buffer = false;
	run->found = (struct kft_calls_found){};
	int r = kft_merge_create(run->trace, &scope, &merge);

	while (!r && (r = kft_merge_next(merge, &ev)) > 0) {
		kft_func_event_read(&run->reader, ev, &fe);
		fe.is_late = is_late(run, ev, &fe);
		r = take(run, ev, &fe) ? feed(state, ev, &fe) : 0;
	}
	return r;
}

static int feed_orphans(void *state, const struct kft_event *ev,
			const struct kft_func_event *fe)
{
	return kft_func_orphans_feed(state, ev->ts, ev->cpu, fe);
}

static int feed_graph(void *state, const struct kft_event *ev,
		      const struct kft_func_event *fe)
{
	struct kft_func_graph *graph = state;

	graph->losses += ev->lost_before != 0;
	return kft_func_graph_feed(graph, ev->ts, ev->cpu, fe);
}

static int run_graph(struct run *run, bool entries, struct kft_nest *nest)
{
	_cleanup_(kft_func_orphans_finish) struct kft_func_orphans orphans = {
		.symbols = run->opts->symbols};
	struct kft_func_graph graph = {.nest = nest,
				       .names = &run->names,
				       .off = &run->off,
				       .orphans = &orphans};

	run->off.keep_spans = true;
	int r = entries ? feed_all(run, true, feed_orphans, &orphans) : 0;

	kft_func_orphans_settle(&orphans);
	if (!r)
		r = feed_all(run, false, feed_graph, &graph);
	run->found.start_ns = graph.start_ns;
	run->found.too_deep = graph.overruns.count;
	kft_func_graph_finish(&graph);
	return r < 0 ? r : kft_nest_flush(nest);
}

static int feed_exits(void *state, const struct kft_event *ev,
		      const struct kft_func_event *fe)
{
	struct kft_func_exits *exits = state;

	exits->losses += ev->lost_before != 0;
	return kft_func_exits_feed(exits, ev->ts, ev->cpu, fe);
}

static int run_exits(struct run *run, struct kft_nest *nest)
{
	struct kft_func_exits exits = {.names = &run->names, .off = &run->off};

	run->off.keep_spans = true;
	int r = feed_all(run, false, feed_exits, &exits);

	if (!r)
		r = kft_func_exits_nest(&exits, nest);
	run->found.start_ns = exits.start_ns + (uint64_t)exits.ahead_ns;
	run->found.too_deep = exits.overruns.count;
	kft_func_exits_finish(&exits);
	return r;
}

static int run_any(struct run *run, struct kft_nest *nest)
{
	bool entries = false;
	bool exits = false;
	int r = has_any(run, KFT_FUNC_EVENT_ENTRY, &entries);

	if (!r && !entries)
		r = has_any(run, KFT_FUNC_EVENT_EXIT, &exits);
	if (r < 0)
		return r;
	run->has_durations = entries || exits;
	r = exits ? run_exits(run, nest) : run_graph(run, entries, nest);
	return !r && !run->found.records ? -ENODATA : r;
}

int kft_calls_run(struct kft_trace *t, const struct kft_calls_opts *opts,
		  struct kft_nest *nest, struct kft_calls_found *ret)
{
	struct run run = {.trace = t, .opts = opts};

	/* If the description of the run is unreadable, the records can still be used. */
	(void)!kft_run_windows_parse(&t->meta.run, &run.windows);
	kft_func_reader_init(&run.reader, t);
	kft_func_names_init(&run.names, opts->symbols, opts->names);
	int r = run_any(&run, nest);

	kft_func_names_finish(&run.names);
	kft_offcpu_finish(&run.off);
	kft_run_windows_finish(&run.windows);
	*ret = run.found;
	return r;
}
