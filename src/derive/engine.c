// SPDX-License-Identifier: LGPL-2.1-or-later
#include "derive/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "derive/kinds.h"

const struct kft_interval_kind *const kft_interval_kinds[] = {
	&kft_kind_irq, &kft_kind_softirq, &kft_kind_syscall, &kft_kind_task, NULL,
};

/* An event class that a kind needs. */
struct listener {
	uint16_t id;
	uint16_t running; /* index of the kind in kft_engine.kinds */
	unsigned int event;
	unsigned int n_fields;
	const struct kft_field *fields[KFT_KIND_FIELDS]; /* borrowed */
};

struct running {
	const struct kft_interval_kind *kind;
	void *state; /* owned */
};

struct kft_engine {
	struct kft_interval_sink sink;
	bool swap;
	bool started;
	struct kft_kind_input last; /* its times and losses */
	size_t n_kinds;
	struct running *kinds; /* owned */
	KFT_VEC(struct listener) listeners;
};

const struct kft_interval_kind *kft_interval_kind_find(const char *name)
{
	for (size_t i = 0; kft_interval_kinds[i]; i++)
		if (strcmp(kft_interval_kinds[i]->name, name) == 0)
			return kft_interval_kinds[i];
	return NULL;
}

static bool find_fields(const struct kft_class *cls, const struct kft_kind_event *event,
			struct listener *l)
{
	for (size_t i = 0; i < KFT_KIND_FIELDS && event->fields[i]; i++) {
		l->fields[i] = kft_class_field(cls, event->fields[i]);
		if (!l->fields[i] || l->fields[i]->kind != KFT_FIELD_INT)
			return false;
		l->n_fields++;
	}
	return true;
}

static int listen(struct kft_engine *e, struct kft_trace *t, size_t running)
{
	const struct kft_interval_kind *kind = e->kinds[running].kind;

	for (unsigned int i = 0; i < KFT_KIND_EVENTS && kind->events[i].name; i++) {
		const struct kft_class *cls = kft_class_table_find(
			&t->classes, kind->events[i].system, kind->events[i].name);
		struct listener l = {.running = running, .event = i};

		if (!cls || !find_fields(cls, &kind->events[i], &l))
			continue;
		l.id = cls->id;
		if (!kft_vec_push(&e->listeners, l))
			return -ENOMEM;
	}
	return 0;
}

int kft_engine_create(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, const struct kft_interval_sink *sink,
		      struct kft_engine **ret)
{
	_cleanup_(kft_engine_destroyp) struct kft_engine *e = calloc(1, sizeof(*e));
	int r = 0;

	if (!e)
		return -ENOMEM;
	e->sink = *sink;
	e->swap = t->swap;
	e->kinds = calloc(n + 1, sizeof(*e->kinds));
	if (!e->kinds)
		return -ENOMEM;
	for (size_t i = 0; i < n && !r; i++) {
		r = kinds[i]->create(&e->kinds[i].state);
		if (r < 0)
			break;
		e->kinds[i].kind = kinds[i];
		e->n_kinds++;
		r = listen(e, t, i);
	}
	if (r < 0)
		return r;
	*ret = TAKE(e);
	return 0;
}

struct kft_engine *kft_engine_destroy(struct kft_engine *e)
{
	if (!e)
		return NULL;
	for (size_t i = 0; i < e->n_kinds; i++)
		e->kinds[i].kind->destroy(e->kinds[i].state);
	free(e->kinds);
	kft_vec_finish(&e->listeners);
	free(e);
	return NULL;
}

void kft_engine_needs(struct kft_trace *t, const struct kft_interval_kind *const *kinds,
		      size_t n, uint64_t *wanted)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < KFT_KIND_EVENTS && kinds[i]->events[j].name; j++) {
			const struct kft_kind_event *event = &kinds[i]->events[j];
			const struct kft_class *cls = kft_class_table_find(
				&t->classes, event->system, event->name);

			if (cls)
				kft_bits_add(wanted, cls->id);
		}
	}
}

static int feed_kind(struct kft_engine *e, const struct listener *l,
		     const struct kft_event *ev)
{
	const struct running *running = &e->kinds[l->running];
	struct kft_kind_input in = e->last;

	in.event = l->event;
	for (unsigned int i = 0; i < l->n_fields; i++)
		if (!kft_event_int(ev, l->fields[i], e->swap, &in.fields[i]))
			return 0;
	return running->kind->feed(running->state, &in, &e->sink);
}

int kft_engine_feed(struct kft_engine *e, const struct kft_event *ev)
{
	int r = 0;

	if (!e->started)
		e->last.first_ts = ev->ts;
	e->started = true;
	e->last.ts = ev->ts;
	e->last.cpu = ev->cpu;
	e->last.losses += ev->lost_before != 0;
	for (size_t i = 0; i < e->listeners.len && !r; i++)
		if (e->listeners.data[i].id == ev->id)
			r = feed_kind(e, &e->listeners.data[i], ev);
	return r;
}

int kft_engine_flush(struct kft_engine *e)
{
	int r = 0;

	for (size_t i = 0; i < e->n_kinds && !r; i++)
		r = e->kinds[i].kind->flush(e->kinds[i].state, &e->last, &e->sink);
	return r;
}
