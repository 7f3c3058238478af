// SPDX-License-Identifier: LGPL-2.1-or-later
/* Turns the events of a trace into items of a page. */
#include "view/pack.h"

#include <errno.h>

#include "base/err.h"
#include "base/scan.h"
#include "decode/printfmt/print.h"
#include "decode/trace_lazy.h"
#include "derive/kinds/kinds.h"
#include "derive/kinds/task_state.h"
#include "model/merge.h"
#include "model/span.h"

/*
 * Text takes more room than all other data of a point. This number of bytes is always
 * kept; in a long trace, more text is kept up to this average per event.
 */
#define TEXT_BYTES_FREE	     (1 << 20)
#define TEXT_BYTES_PER_EVENT 6

#define CPU_MAX 8192

/* Each kind has separate tracks for this many keys; later keys share one. */
#define KEY_TRACKS 256

/* State of the pass over the events. */
struct feed {
	struct kft_view_pack *p;
	struct kft_engine *engine; /* owned */
	struct kft_coverage coverage; /* coverage of the trace */
	struct kft_printer *printer; /* owned */
	const struct kft_field *pid; /* borrowed; NULL: missing */
	uint64_t taken[KFT_ID_WORDS]; /* ids of events that are not shown as points */
	struct kft_strbuf text;
};

void kft_view_pack_finish(struct kft_view_pack *p)
{
	kft_view_chunks_finish(&p->chunks);
	kft_view_pyramid_finish(&p->pyramid);
	kft_view_tracks_finish(&p->tracks);
	kft_view_keys_finish(&p->keys);
	kft_view_counters_finish(&p->counters);
	kft_vec_finish(&p->cpus);
	kft_vec_finish(&p->roots);
}

/*
 * Whether the kind's intervals overlap independently of tasks and CPUs, so that their
 * tracks are chosen by key: rows of devices or functions.
 */
static bool is_of_key(const struct kft_interval_kind *kind)
{
	static const char names[] =
		"block block-queued work-queued hrtimer-late mark-gap";

	return kft_has_word(names, kind->name);
}

/* Chooses the owner of a kind's tracks: the task, or the CPU. */
static enum kft_view_owner owner_of(const struct kft_interval_kind *kind)
{
	if (kind->per_cpu || strcmp(kind->name, "frequency") == 0)
		return KFT_VIEW_OF_CPU;
	return is_of_key(kind) ? KFT_VIEW_OF_NONE : KFT_VIEW_OF_TASK;
}

static uint16_t number_of(const struct kft_view_pack *p,
			  const struct kft_interval_kind *kind)
{
	uint16_t i = 0;

	while (p->kinds[i] != kind)
		i++;
	return i;
}

static uint64_t since_start(const struct kft_view_pack *p, uint64_t ts)
{
	return ts > p->start_ns ? ts - p->start_ns : 0;
}

/* Adds an item to its track; if the tracks are full, the item is dropped and counted. */
static int add(struct kft_view_pack *p, const struct kft_view_track *track,
	       struct kft_view_item *item, const struct kft_strbuf *text)
{
	int r = kft_view_tracks_put(&p->tracks, track, item);

	if (r == -E2BIG) {
		p->dropped++;
		return 0;
	}
	if (r < 0)
		return r;
	return kft_view_pyramid_add(&p->pyramid, item, text ? text->buf : NULL,
				    text ? text->len : 0);
}

/* Adds an item with a key, and counts it there. */
static int add_counted(struct kft_view_pack *p, struct kft_view_track *track,
		       uint64_t key, bool has_track, struct kft_view_item *item,
		       const struct kft_strbuf *text, const struct kft_interval *interval)
{
	int r = kft_view_keys_get(&p->keys, track->kind, key, &item->key);

	if (r == -E2BIG) {
		p->dropped++;
		return 0;
	}
	if (r < 0)
		return r;
	track->key = has_track && kft_view_keys_order(&p->keys, item->key) < KEY_TRACKS
			     ? item->key
			     : KFT_VIEW_ANY_KEY;
	r = add(p, track, item, text);
	if (!r)
		kft_view_keys_count(&p->keys, item->key, item, interval);
	return r;
}

static struct kft_view_track track_of(const struct kft_view_pack *p,
				      const struct kft_interval *i)
{
	struct kft_view_track track = {.kind = number_of(p, i->kind)};

	track.owner = p->owners[track.kind];
	if (track.owner == KFT_VIEW_OF_CPU) {
		track.id = (int32_t)i->cpu;
	} else if (track.owner == KFT_VIEW_OF_TASK) {
		track.id = i->pid;
		track.slot = i->depth;
	}
	return track;
}

static int take_interval(void *arg, const struct kft_interval *i)
{
	struct feed *f = arg;
	struct kft_view_pack *p = f->p;
	struct kft_view_track track = track_of(p, i);
	struct kft_view_item item = {
		.begin_ns = since_start(p, i->begin_ns),
		.end_ns = since_start(p, KFT_MAX(i->begin_ns, i->end_ns)),
		.value = i->value,
		.other = i->kind->per_cpu ? i->pid : (int32_t)i->cpu,
		.flags = i->flags,
	};
	if (i->begin_ns < p->start_ns)
		item.flags |= KFT_INTERVAL_BEGUN_BEFORE;
	int r = add_counted(p, &track, i->key, track.owner != KFT_VIEW_OF_TASK, &item,
			    NULL, i);

	if (r < 0 || i->kind != &kft_kind_task || i->key != KFT_TASK_RUNNING)
		return r;
	item.begin_ns = since_start(p, i->begin_ns);
	track = (struct kft_view_track){.kind = p->n_kinds + KFT_VIEW_ON_CPU,
					.owner = KFT_VIEW_OF_CPU,
					.id = (int32_t)i->cpu,
					.key = KFT_VIEW_ANY_KEY};
	item.key = (uint32_t)i->pid;
	item.other = i->pid;
	return add(p, &track, &item, NULL);
}

/* Adds the period for which a counter had a value. */
static int take_step(void *arg, const struct kft_view_step *step)
{
	struct feed *f = arg;
	struct kft_view_track track = {.kind = f->p->n_kinds + KFT_VIEW_COUNTER};
	struct kft_view_item item = {
		.begin_ns = since_start(f->p, step->begin_ns),
		.end_ns = since_start(f->p, step->end_ns),
		.value = step->value,
		.other = -1,
		.flags = KFT_VIEW_PEAK,
	};

	return add_counted(f->p, &track, step->series, true, &item, NULL, NULL);
}

/* Adds a mark for the loss of events before ev on its CPU. */
static int add_loss(struct feed *f, const struct kft_event *ev)
{
	struct kft_view_pack *p = f->p;
	struct kft_view_cpu *cpu = &p->cpus.data[ev->cpu];
	struct kft_view_track track = {.kind = p->n_kinds + KFT_VIEW_LOST,
				       .owner = KFT_VIEW_OF_CPU,
				       .id = (int32_t)ev->cpu};
	struct kft_view_item item = {
		.begin_ns = cpu->any ? cpu->last_ns : 0,
		.end_ns = since_start(p, ev->ts),
		.value = ev->lost_before == KFT_LOST_UNKNOWN ? KFT_INTERVAL_NO_VALUE
							     : (int64_t)ev->lost_before,
		.other = -1,
	};

	p->gaps++;
	if (ev->lost_before != KFT_LOST_UNKNOWN)
		p->lost += ev->lost_before;
	item.begin_ns = KFT_MIN(item.begin_ns, item.end_ns);
	return add_counted(p, &track, 0, false, &item, NULL, NULL);
}

/* Prints the event to p->text if there is room for it. */
static bool print(struct feed *f, const struct kft_event *ev)
{
	struct kft_view_pack *p = f->p;

	if (!p->all_texts &&
	    p->text_bytes > TEXT_BYTES_FREE + p->events * TEXT_BYTES_PER_EVENT) {
		p->no_texts++;
		return false;
	}
	kft_strbuf_clear(&f->text);
	kft_printer_info(f->printer, ev, &f->text);
	p->text_bytes += f->text.len;
	p->texts++;
	return true;
}

static int add_point(struct feed *f, const struct kft_event *ev)
{
	struct kft_view_pack *p = f->p;
	struct kft_view_track track = {.kind = p->n_kinds + KFT_VIEW_EVENT,
				       .owner = KFT_VIEW_OF_CPU,
				       .id = (int32_t)ev->cpu};
	uint64_t pid;
	struct kft_view_item item = {
		.begin_ns = since_start(p, ev->ts),
		.end_ns = since_start(p, ev->ts),
		.value = KFT_INTERVAL_NO_VALUE,
		.other = -1,
	};

	if (f->pid && kft_event_int(ev, f->pid, p->trace->swap, &pid))
		item.other = (int32_t)pid;
	return add_counted(p, &track, ev->id, true, &item, print(f, ev) ? &f->text : NULL,
			   NULL);
}

static int change_queue(void *arg, uint64_t ts, uint32_t cpu, int by)
{
	struct feed *f = arg;

	return kft_view_counters_queue(&f->p->counters, ts, cpu, by);
}

static int make_cpu(struct kft_view_pack *p, uint32_t cpu)
{
	while (p->cpus.len <= cpu)
		if (!kft_vec_push(&p->cpus, (struct kft_view_cpu){}))
			return -ENOMEM;
	return 0;
}

static bool has_other_clock(const struct kft_trace *t, const struct kft_event *ev)
{
	const struct kft_buffer *b = t->buffers.data;

	return ev->buffer && ev->buffer < t->buffers.len &&
	       strcmp(b[ev->buffer].clock.name, b[0].clock.name) != 0;
}

static int feed_event(struct feed *f, const struct kft_event *ev)
{
	struct kft_view_pack *p = f->p;

	if (has_other_clock(p->trace, ev) || ev->cpu >= CPU_MAX) {
		p->other_clocks++;
		return 0;
	}
	int r = make_cpu(p, ev->cpu);

	p->events++;
	p->end_ns = KFT_MAX(p->end_ns, ev->ts);
	if (!r && ev->lost_before && !kft_trace_is_overwritten(p->trace, ev))
		r = add_loss(f, ev);
	if (r < 0)
		return r;
	p->cpus.data[ev->cpu] = (struct kft_view_cpu){.any = true,
						      .last_ns = since_start(p, ev->ts)};
	/* A loss before any event affects all kinds. */
	r = kft_engine_feed(f->engine, ev);
	if (!r)
		r = kft_view_counters_feed(&p->counters, ev);
	return r < 0 || kft_id_wanted(f->taken, ev->id) ? r : add_point(f, ev);
}

static int feed_all(struct feed *f)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	int r = kft_merge_create(f->p->trace, NULL, &m);

	while (r >= 0 && (r = kft_merge_next(m, &ev)) > 0)
		r = feed_event(f, ev);
	if (!r)
		r = kft_engine_flush(f->engine);
	if (!r)
		r = kft_view_series_end(&f->p->counters.series, f->p->end_ns);
	return r;
}

/*
 * Selects all kinds but the states of CPUs, which would repeat the tasks on
 * CPUs, interrupts and softirqs.
 */
static void choose_kinds(struct kft_view_pack *p)
{
	for (size_t i = 0; kft_interval_kinds[i]; i++) {
		const struct kft_interval_kind *kind = kft_interval_kinds[i];

		if (strcmp(kind->name, "cpu") == 0 || p->n_kinds == KFT_VIEW_ENGINE_KINDS)
			continue;
		p->owners[p->n_kinds] = owner_of(kind);
		p->kinds[p->n_kinds++] = kind;
	}
}

static int start(struct feed *f)
{
	struct kft_view_pack *p = f->p;
	const struct kft_interval_sink sink = {take_interval, f, change_queue};

	/* Loads the symbols, which later lookups need. */
	(void)kft_trace_symbols(p->trace);
	kft_engine_tells(p->trace, p->kinds, p->n_kinds, f->taken);
	f->pid = kft_trace_common_field(p->trace, "common_pid");
	int r = kft_engine_create(p->trace, p->kinds, p->n_kinds, &sink, &f->engine);

	if (r < 0)
		return r;
	kft_engine_span(f->engine, p->start_ns, p->end_ns);
	kft_coverage_find(p->trace, NULL, &f->coverage);
	kft_engine_cover(f->engine, &f->coverage);
	p->counters.series.take = take_step;
	p->counters.series.arg = f;
	r = kft_view_counters_usual(&p->counters, p->trace);
	if (r < 0)
		return r;
	return kft_printer_create(p->trace, &f->printer);
}

static void finish(struct feed *f)
{
	f->engine = kft_engine_destroy(f->engine);
	f->printer = kft_printer_destroy(f->printer);
	kft_strbuf_finish(&f->text);
}

static int end_pyramid(struct kft_view_pack *p)
{
	size_t before = p->chunks.list.len;
	int r = kft_view_pyramid_end(&p->pyramid);

	kft_view_pyramid_finish(&p->pyramid);
	p->pyramid = (struct kft_view_pyramid){.chunks = &p->chunks};
	if (r < 0 || p->chunks.list.len == before)
		return r;
	return kft_vec_push(&p->roots, p->chunks.list.len - 1) ? 0 : -ENOMEM;
}

/* A key combines the number of a row and that of a bar in it. */
#define ROW_SHIFT 32

static int add_bar(struct kft_view_pack *p, uint64_t row, uint64_t number,
		   const struct kft_chart_bar *bar)
{
	const uint16_t kind = p->n_kinds + KFT_VIEW_CHART;
	const struct kft_view_track track = {.kind = kind,
					     .id = (int32_t)row,
					     .slot = (uint16_t)bar->lane,
					     .key = KFT_VIEW_ANY_KEY};
	struct kft_view_item item = {
		.begin_ns = since_start(p, bar->begin_ns),
		.end_ns = since_start(p, KFT_MAX(bar->begin_ns, bar->end_ns)),
		.value = KFT_INTERVAL_NO_VALUE,
		.other = -1,
	};
	int r = kft_view_keys_get(&p->keys, kind, row << ROW_SHIFT | number, &item.key);

	if (!r)
		r = kft_view_tracks_put(&p->tracks, &track, &item);
	if (!r)
		r = kft_view_pyramid_add(&p->pyramid, &item, NULL, 0);
	if (!r)
		kft_view_keys_count(&p->keys, item.key, &item, NULL);
	if (r != -E2BIG)
		return r;
	p->dropped++;
	return 0;
}

/* Adds the bars of the chart as rows of the page. */
static int add_chart(struct kft_view_pack *p)
{
	int r = 0;

	for (size_t row = 0; p->chart && row < p->chart->rows.len; row++) {
		const struct kft_chart_row *of = p->chart->rows.data[row];

		for (size_t i = 0; i < of->bars.len && !r; i++)
			r = add_bar(p, row, i, &of->bars.data[i]);
	}
	return r;
}

const char *kft_view_chart_name(const struct kft_view_pack *p, uint64_t key)
{
	const struct kft_chart_row *row = p->chart->rows.data[key >> ROW_SHIFT];
	const char *name = row->bars.data[key & UINT32_MAX].name;

	return name ? name : row->label;
}

int kft_view_pack_run(struct kft_trace *t, struct kft_view_pack *p, struct kft_err *e)
{
	_cleanup_(finish) struct feed f = {.p = p};

	p->trace = t;
	p->pyramid.chunks = &p->chunks;
	choose_kinds(p);
	int r = kft_view_chunks_init(&p->chunks, e);

	if (r < 0)
		return r;
	if (!kft_span_first(t, &p->start_ns) || !kft_span_last(t, &p->end_ns))
		return kft_err_set(e, -ENODATA, "the trace has no events");
	r = start(&f);
	if (!r)
		r = feed_all(&f);
	if (!r)
		r = add_chart(p);
	if (!r)
		r = end_pyramid(p);
	return r < 0 ? kft_err_sys(e, r, "cannot collect the contents of the page") : 0;
}
