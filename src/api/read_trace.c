// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a trace for a program: the functions of include/kft/reader.h. */
#include <kft/trace.h>

#include <errno.h>

#include "analysis/select.h"
#include "api/reader.h"
#include "api/sized.h"
#include "base/bits.h"
#include "base/err.h"
#include "decode/printfmt/print.h"
#include "decode/trace_lazy.h"
#include "file/registry.h"
#include "model/merge.h"

struct kft_reader {
	struct kft_trace *trace; /* borrowed */
	struct kft_merge *merge; /* owned; NULL: the events come from the feed */
	struct kft_feed *feed; /* borrowed; NULL: the events come from the merge */
	uint64_t *wanted; /* owned; NULL: all */
	struct kft_filters filters;
	uint64_t *cpus; /* owned; NULL: all */
	struct kft_printer *printer; /* owned; NULL until a text is requested */
	struct kft_strbuf text; /* result of the last request for a text */
};

KFT_EXPORT int kft_trace_open(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	if (!path || !ret)
		return kft_err_missing(e, path ? "place for the trace" : "file");
	return kft_file_open(path, ret, e);
}

KFT_EXPORT struct kft_trace *kft_trace_close(struct kft_trace *t)
{
	if (!t || t->is_live)
		return NULL;
	if (t->has_reader) {
		t->is_closed = true;
		return NULL;
	}
	return kft_trace_destroy(t);
}

static const struct kft_err *first_damage(const struct kft_trace *t)
{
	if (t->damage.code)
		return &t->damage;
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if ((*s)->damage_count)
				return &(*s)->damage;
	return NULL;
}

KFT_EXPORT bool kft_trace_damage(const struct kft_trace *t, struct kft_err *ret)
{
	const struct kft_err *first = t ? first_damage(t) : NULL;

	if (first && ret)
		*ret = *first;
	return first != NULL;
}

KFT_EXPORT bool kft_trace_is_unfinished(const struct kft_trace *t)
{
	return t && t->unfinished;
}

KFT_EXPORT uint32_t kft_trace_cpu_count(const struct kft_trace *t)
{
	return t ? t->meta.cpu_count : 0;
}

static const struct kft_buffer *buffer_at(const struct kft_trace *t, size_t i)
{
	return t && i < t->buffers.len ? &t->buffers.data[i] : NULL;
}

KFT_EXPORT const char *kft_trace_buffer_name(const struct kft_trace *t, size_t buffer)
{
	const struct kft_buffer *b = buffer_at(t, buffer);

	return b ? b->name : NULL;
}

KFT_EXPORT const char *kft_trace_buffer_clock(const struct kft_trace *t, size_t buffer)
{
	const struct kft_buffer *b = buffer_at(t, buffer);

	return b ? b->clock.name : NULL;
}

KFT_EXPORT bool kft_trace_buffer_is_ns(const struct kft_trace *t, size_t buffer)
{
	const struct kft_buffer *b = buffer_at(t, buffer);

	return b && b->clock.unit == KFT_CLOCK_NS;
}

KFT_EXPORT const char *kft_trace_comm(struct kft_trace *t, uint32_t pid)
{
	static const struct kft_task_table none;

	return kft_task_comm(t ? kft_trace_tasks(t) : &none, pid);
}

static const struct kft_class *class_of(struct kft_trace *t, const struct kft_event *ev)
{
	return t && ev ? kft_trace_class(t, ev->id) : NULL;
}

KFT_EXPORT const char *kft_trace_event_system(struct kft_trace *t,
					      const struct kft_event *ev)
{
	const struct kft_class *c = class_of(t, ev);

	return c ? c->system : NULL;
}

KFT_EXPORT const char *kft_trace_event_name(struct kft_trace *t,
					    const struct kft_event *ev)
{
	const struct kft_class *c = class_of(t, ev);

	return c ? c->name : NULL;
}

KFT_EXPORT const struct kft_field *
kft_trace_field(struct kft_trace *t, const struct kft_event *ev, const char *name)
{
	const struct kft_class *c = class_of(t, ev);

	return c && name ? kft_class_field(c, name) : NULL;
}

KFT_EXPORT bool kft_trace_next_event_type(struct kft_trace *t, size_t *place,
					  struct kft_event_type *ret)
{
	if (!t || !place || !ret)
		return false;
	while (*place < t->classes.texts.len) {
		size_t i = (*place)++;
		const struct kft_class *c = kft_class_table_at(&t->classes, i);

		/* If several texts have the same id, the last one is used. */
		if (!c || kft_trace_class(t, c->id) != c)
			continue;
		const struct kft_event_type kind = {
			.system = c->system, .name = c->name, .id = c->id};
		return kft_sized_give(ret, &kind, sizeof(kind)) == 0;
	}
	return false;
}

KFT_EXPORT const struct kft_field *kft_trace_kind_field(struct kft_trace *t, uint16_t id,
							size_t i)
{
	const struct kft_class *c = t ? kft_trace_class(t, id) : NULL;

	return c && i < c->n_fields ? &c->fields[i] : NULL;
}

KFT_EXPORT void kft_field_info(const struct kft_field *f, struct kft_field_info *ret)
{
	if (!f || !ret)
		return;
	const struct kft_field_info info = {
		.name = f->name,
		.type = f->type,
		.kind = f->kind,
		.offset = f->offset,
		.bytes = f->size,
		.element_bytes = f->elem_size,
		.is_signed = f->is_signed,
		.is_common = f->is_common,
	};

	(void)kft_sized_give(ret, &info, sizeof(info));
}

KFT_EXPORT bool kft_trace_field_int(struct kft_trace *t, const struct kft_event *ev,
				    const struct kft_field *f, uint64_t *ret)
{
	return t && ev && f && ret && f->kind == KFT_FIELD_INT &&
	       f->place == KFT_FIELD_INLINE && kft_event_int(ev, f, t->swap, ret);
}

KFT_EXPORT bool kft_trace_field_str(struct kft_trace *t, const struct kft_event *ev,
				    const struct kft_field *f, const char **ret,
				    size_t *ret_len)
{
	return t && ev && f && ret && ret_len && f->kind == KFT_FIELD_STRING &&
	       kft_event_str(ev, f, t->swap, ret, ret_len);
}

static int choose_events(struct kft_reader *r, struct kft_trace *t,
			 const struct kft_reader_opts *opts, struct kft_err *e)
{
	if (!opts->n_events)
		return 0;
	r->wanted = calloc(KFT_ID_WORDS, sizeof(*r->wanted));
	if (!r->wanted)
		return kft_err_sys(e, -ENOMEM, "cannot read the trace");
	return kft_select_events(t, opts->events, opts->n_events, r->wanted, &r->filters,
				 e);
}

static uint32_t max_cpu(const struct kft_trace *t)
{
	uint32_t max = 0;

	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			max = KFT_MAX(max, (*s)->cpu);
	return max;
}

/* Sets the bits of the chosen CPUs, up to the highest CPU with events. */
static int choose_cpus(struct kft_reader *r, const struct kft_trace *t,
		       const struct kft_reader_opts *opts, uint32_t *ret_n,
		       struct kft_err *e)
{
	*ret_n = max_cpu(t) + 1;
	if (!opts->n_cpus)
		return 0;
	r->cpus = calloc(*ret_n / 64 + 1, sizeof(*r->cpus));
	if (!r->cpus)
		return kft_err_sys(e, -ENOMEM, "cannot read the trace");
	for (size_t i = 0; i < opts->n_cpus; i++) {
		uint32_t cpu = opts->cpus[i];

		if (cpu < *ret_n)
			kft_bits_add(r->cpus, cpu);
	}
	return 0;
}

void kft_reader_free(struct kft_reader *r)
{
	if (!r)
		return;
	kft_merge_destroy(r->merge);
	kft_printer_destroy(r->printer);
	kft_strbuf_finish(&r->text);
	kft_filters_finish(&r->filters);
	free(r->wanted);
	free(r->cpus);
	free(r);
}

static void reader_freep(struct kft_reader **r)
{
	kft_reader_free(*r);
}

static int check_reader(const struct kft_trace *t, const struct kft_reader_opts *opts,
			struct kft_reader **ret, struct kft_err *e)
{
	if (!t || !ret)
		return kft_err_missing(e, t ? "place for the reader" : "trace");
	if ((opts->n_events && !opts->events) || (opts->n_cpus && !opts->cpus))
		return kft_err_missing(e, "list of events or CPUs");
	for (size_t i = 0; i < opts->n_events; i++)
		if (!opts->events[i])
			return kft_err_missing(e, "name of an event");
	if (t->has_reader)
		return kft_err_set(e, -EBUSY, "the trace has a reader already");
	if (t->is_live)
		return kft_err_set(e, -EINVAL, "the session has a reader of its own");
	return 0;
}

KFT_EXPORT int kft_reader_create(struct kft_trace *t, const struct kft_reader_opts *opts,
				 struct kft_reader **ret, struct kft_err *e)
{
	struct kft_reader_opts o = {};
	struct kft_scope scope = {};
	int misused = opts ? kft_sized_take(&o, opts, sizeof(o), "reader's options", e)
			   : 0;

	opts = &o;
	if (misused == 0)
		misused = check_reader(t, opts, ret, e);
	if (misused < 0)
		return misused;
	_cleanup_(reader_freep) struct kft_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return kft_err_sys(e, -ENOMEM, "cannot read the trace");
	r->trace = t;
	int code = choose_events(r, t, opts, e);
	if (code == 0)
		code = choose_cpus(r, t, opts, &scope.n_cpus, e);
	if (code < 0)
		return code;
	scope.cpus = r->cpus;
	scope.wanted = r->wanted;
	scope.filters = r->filters.by_id.len ? &r->filters : NULL;
	scope.since = opts->since;
	scope.until = opts->until;
	code = kft_merge_create(t, &scope, &r->merge);
	if (code < 0)
		return kft_err_sys(e, code, "cannot read the trace");
	t->has_reader = true;
	*ret = TAKE(r);
	return 0;
}

int kft_reader_of_feed(struct kft_feed *feed, struct kft_reader **ret)
{
	struct kft_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->trace = kft_feed_trace(feed);
	r->feed = feed;
	*ret = r;
	return 0;
}

KFT_EXPORT struct kft_reader *kft_reader_destroy(struct kft_reader *r)
{
	if (!r || r->feed)
		return NULL;
	struct kft_trace *t = r->trace;
	kft_reader_free(r);
	t->has_reader = false;
	if (t->is_closed)
		(void)kft_trace_destroy(t);
	return NULL;
}

KFT_EXPORT int kft_reader_next(struct kft_reader *r, const struct kft_event **ret)
{
	if (!r || !ret)
		return -EINVAL;
	return r->feed ? kft_feed_next(r->feed, ret) : kft_merge_next(r->merge, ret);
}

KFT_EXPORT int kft_reader_text(struct kft_reader *r, const struct kft_event *ev,
			       const char **ret)
{
	if (!r || !ev || !ret)
		return -EINVAL;
	if (!r->printer) {
		int code = kft_printer_create(r->trace, &r->printer);

		if (code < 0)
			return code;
	}
	kft_strbuf_clear(&r->text);
	kft_printer_info(r->printer, ev, &r->text);
	const char *text = kft_strbuf_cstr(&r->text);
	if (!kft_strbuf_ok(&r->text))
		return -ENOMEM;
	*ret = text;
	return 0;
}
