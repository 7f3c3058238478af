// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes a page's description of its trace, as JSON. */
#include "view/about.h"

#include <inttypes.h>
#include <stdio.h>

#include "decode/trace_lazy.h"
#include "output/json.h"
#include "view/pack.h"
#include "view/explain.h"

static void add_u64(struct kft_json *j, const char *key, uint64_t v)
{
	kft_json_key(j, key);
	kft_json_u64(j, v);
}

static void add_str(struct kft_json *j, const char *key, const char *s)
{
	kft_json_key(j, key);
	kft_json_str(j, s ? s : "");
}

static void add_trace(struct kft_json *j, const struct kft_view_pack *p, const char *name)
{
	const struct kft_trace *t = p->trace;
	char start[24];

	(void)snprintf(start, sizeof(start), "%" PRIu64, p->start_ns);
	add_str(j, "file", name);
	add_str(j, "kft", KFT_VERSION);
	kft_json_key(j, "kernel");
	kft_json_strn(j, t->meta.uname.data, t->meta.uname.len);
	add_str(j, "clock", t->buffers.data[0].clock.name);
	kft_json_key(j, "isNs");
	kft_json_bool(j, t->buffers.data[0].clock.unit == KFT_CLOCK_NS);
	kft_json_key(j, "unfinished");
	kft_json_bool(j, t->unfinished);
	add_str(j, "start", start);
	add_u64(j, "span", p->end_ns - p->start_ns);
	add_u64(j, "cpus", KFT_MAX(t->meta.cpu_count, (uint32_t)p->cpus.len));
	add_u64(j, "events", p->events);
	add_u64(j, "lost", p->lost);
	add_u64(j, "gaps", p->gaps);
	add_u64(j, "dropped", p->dropped);
	add_u64(j, "texts", p->texts);
	add_u64(j, "noTexts", p->no_texts);
	add_u64(j, "otherClocks", p->other_clocks);
}

static void add_kind(struct kft_json *j, const char *name, const char *about,
		     const char *value)
{
	kft_json_begin_object(j);
	add_str(j, "name", name);
	add_str(j, "about", about);
	add_str(j, "value", value);
	kft_json_end_object(j);
}

static void add_kinds(struct kft_json *j, const struct kft_view_pack *p)
{
	kft_json_key(j, "kinds");
	kft_json_begin_array(j);
	for (uint16_t i = 0; i < p->n_kinds; i++)
		add_kind(j, p->kinds[i]->name, p->kinds[i]->about, p->kinds[i]->value);
	add_kind(j, "on-cpu", "tasks on their CPUs", NULL);
	add_kind(j, "event", "other events", NULL);
	add_kind(j, "lost", "where events are missing", "events");
	add_kind(j, "counter", "values that change", "value");
	add_kind(j, "boot", "where the time of the boot went", NULL);
	kft_json_end_array(j);
}

/* Each track is an array: kind, owner, CPU or pid, key or -1, slot. */
static void add_tracks(struct kft_json *j, const struct kft_view_pack *p)
{
	kft_json_key(j, "tracks");
	kft_json_begin_array(j);
	kft_vec_for_each(&p->tracks.list, l) {
		kft_json_begin_array(j);
		kft_json_u64(j, l->kind);
		kft_json_u64(j, l->owner);
		kft_json_i64(j, l->id);
		kft_json_i64(j, l->key == KFT_VIEW_ANY_KEY ? -1 : (int64_t)l->key);
		kft_json_u64(j, l->slot);
		kft_json_end_array(j);
	}
	kft_json_end_array(j);
}

static void add_event_text(struct kft_strbuf *sb, struct kft_trace *t, uint16_t id)
{
	const struct kft_class *cls = kft_trace_class(t, id);

	if (cls)
		kft_strbuf_addf(sb, "%s:%s", cls->system, cls->name);
	else
		kft_strbuf_addf(sb, "event %u", id);
}

/* Appends the labels of the chart's rows; tracks refer to them by number. */
static void add_chart(struct kft_json *j, const struct kft_view_pack *p)
{
	kft_json_key(j, "boot");
	kft_json_begin_array(j);
	for (size_t i = 0; p->chart && i < p->chart->rows.len; i++)
		kft_json_str(j, p->chart->rows.data[i]->label);
	kft_json_end_array(j);
	if (p->chart && p->chart->early_end_ns > p->start_ns)
		add_u64(j, "bootEnd", p->chart->early_end_ns - p->start_ns);
}

static void add_key_name(struct kft_json *j, const struct kft_view_pack *p,
			 const struct kft_view_key *k)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};

	if (k->kind < p->n_kinds)
		kft_interval_key_text(p->trace, p->kinds[k->kind], k->key, &name);
	else if (k->kind == p->n_kinds + KFT_VIEW_EVENT)
		add_event_text(&name, p->trace, k->key);
	else if (k->kind == p->n_kinds + KFT_VIEW_COUNTER)
		kft_view_counters_name(&p->counters, (uint32_t)k->key, &name);
	else if (k->kind == p->n_kinds + KFT_VIEW_CHART)
		kft_strbuf_adds(&name, kft_view_chart_name(p, k->key));
	kft_json_strn(j, name.buf, name.len);
}

/* Appends the histogram up to its last non-empty bucket. */
static void add_histogram(struct kft_json *j, const struct kft_view_key *k)
{
	int n = KFT_VIEW_BUCKETS;

	while (n > 0 && !k->histogram[n - 1])
		n--;
	kft_json_key(j, "histogram");
	kft_json_begin_array(j);
	for (int i = 0; i < n; i++)
		kft_json_u64(j, k->histogram[i]);
	kft_json_end_array(j);
}

static void add_limits(struct kft_json *j, const struct kft_view_one_series *s)
{
	kft_json_key(j, "low");
	kft_json_i64(j, s->low);
	kft_json_key(j, "high");
	kft_json_i64(j, s->high);
}

static void add_key(struct kft_json *j, const struct kft_view_pack *p,
		    const struct kft_view_key *k)
{
	kft_json_begin_object(j);
	add_u64(j, "kind", k->kind);
	kft_json_key(j, "name");
	add_key_name(j, p, k);
	add_u64(j, "count", k->count);
	add_u64(j, "cut", k->cut);
	if (k->count > k->cut) {
		add_u64(j, "total", k->total_ns);
		add_u64(j, "min", k->min_ns);
		add_u64(j, "max", k->longest.end_ns - k->longest.begin_ns);
		add_u64(j, "at", k->longest.begin_ns);
		add_u64(j, "track", k->longest.track);
		add_histogram(j, k);
	}
	if (k->kind == p->n_kinds + KFT_VIEW_COUNTER)
		add_limits(j, &p->counters.series.list.data[k->key]);
	if (k->worst.kind) {
		const struct kft_view_item *w = &k->worst_item;

		kft_json_key(j, "worst");
		kft_json_begin_array(j);
		kft_json_u64(j, w->track);
		kft_json_u64(j, w->begin_ns);
		kft_json_u64(j, w->end_ns - w->begin_ns);
		kft_json_end_array(j);
	}
	kft_json_end_object(j);
}

static void add_keys(struct kft_json *j, const struct kft_view_pack *p)
{
	kft_json_key(j, "keys");
	kft_json_begin_array(j);
	kft_vec_for_each(&p->keys.list, k)
		add_key(j, p, k);
	kft_json_end_array(j);
}

/* Each task is an array: pid, thread group or 0, name. */
static void add_tasks(struct kft_json *j, const struct kft_view_pack *p)
{
	const struct kft_task_table *tasks = kft_trace_tasks(p->trace);
	const struct kft_map *m = &tasks->by_pid;

	kft_json_key(j, "tasks");
	kft_json_begin_array(j);
	for (size_t i = 0; m->slots && i <= m->mask; i++) {
		if (m->slots[i].key == KFT_MAP_NO_KEY)
			continue;
		uint32_t pid = m->slots[i].key;
		const struct kft_task *task = kft_task_get(tasks, pid);

		kft_json_begin_array(j);
		kft_json_u64(j, pid);
		kft_json_u64(j, task ? task->tgid : 0);
		kft_json_str(j, kft_task_comm(tasks, pid));
		kft_json_end_array(j);
	}
	kft_json_end_array(j);
}

/* Each chunk is an array: level, items, begin, length, 1 if it is left out. */
static void add_chunks(struct kft_json *j, const struct kft_view_pack *p)
{
	kft_json_key(j, "chunks");
	kft_json_begin_array(j);
	kft_vec_for_each(&p->chunks.list, c) {
		kft_json_begin_array(j);
		kft_json_u64(j, c->level);
		kft_json_u64(j, c->items);
		kft_json_u64(j, c->begin_ns);
		kft_json_u64(j, c->end_ns - c->begin_ns);
		kft_json_u64(j, c->is_left_out);
		kft_json_end_array(j);
	}
	kft_json_end_array(j);
	kft_json_key(j, "roots");
	kft_json_begin_array(j);
	kft_vec_for_each(&p->roots, root)
		kft_json_u64(j, *root);
	kft_json_end_array(j);
}

void kft_view_about(const struct kft_view_pack *p, const char *name, bool is_served,
		    struct kft_strbuf *ret)
{
	struct kft_json j = {.sb = ret};

	kft_json_begin_object(&j);
	kft_json_key(&j, "served");
	kft_json_bool(&j, is_served);
	add_trace(&j, p, name);
	add_kinds(&j, p);
	add_tracks(&j, p);
	add_chart(&j, p);
	add_keys(&j, p);
	add_tasks(&j, p);
	add_chunks(&j, p);
	kft_json_key(&j, "why");
	kft_view_explain(p, &j);
	kft_json_end_object(&j);
}
