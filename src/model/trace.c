// SPDX-License-Identifier: LGPL-2.1-or-later
/* Owns a trace: buffers, streams, tables. */
#include "model/trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Limits against hostile files with millions of problems. */
#define NOTES_MAX	100
#define NOTE_TEXT_BYTES 512

int kft_trace_create(struct kft_trace **ret)
{
	struct kft_trace *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	/*
	 * A default until the file's value is known: readers and printers divide by it.
	 */
	t->meta.long_size = t->classes.long_size = 8;
	kft_names_init(&t->names);
	*ret = t;
	return 0;
}

static void destroy_streams(struct kft_buffer *b)
{
	kft_vec_for_each(&b->streams, s)
		(*s)->ops->destroy(*s);
	kft_vec_finish(&b->streams);
}

struct kft_trace *kft_trace_destroy(struct kft_trace *t)
{
	if (!t)
		return NULL;
	/* Streams use the reader's files, so they are destroyed first. */
	kft_vec_for_each(&t->buffers, b)
		destroy_streams(b);
	kft_vec_finish(&t->buffers);
	if (t->destroy)
		t->destroy(t);
	kft_map_finish(&t->printk);
	kft_names_finish(&t->names);
	kft_task_table_finish(&t->tasks);
	kft_symbol_table_finish(&t->symbols);
	kft_vec_finish(&t->notes);
	kft_class_table_finish(&t->classes);
	kft_meta_finish(&t->meta);
	kft_arena_finish(&t->arena);
	free(t);
	return NULL;
}

void kft_trace_note(struct kft_trace *t, uint64_t offset, const char *fmt, ...)
{
	char text[NOTE_TEXT_BYTES] = "further notes are left out";
	va_list ap;

	if (t->notes.len == NOTES_MAX)
		return;
	if (t->notes.len < NOTES_MAX - 1) {
		va_start(ap, fmt);
		(void)vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
	}
	const char *copy = kft_arena_strdup(&t->arena, text);
	if (copy)
		(void)kft_vec_push(&t->notes,
				   (struct kft_note){.text = copy, .offset = offset});
}

bool kft_trace_is_own(const struct kft_trace *t)
{
	const struct kft_blob *by = &t->meta.version;

	return by->len > 4 && memcmp(by->data, "kft ", 4) == 0;
}

uint64_t kft_trace_overwritten(const struct kft_trace *t, uint16_t buffer, uint32_t cpu)
{
	const char *name = buffer < t->buffers.len ? t->buffers.data[buffer].name : "";
	bool own = kft_trace_is_own(t);

	kft_vec_for_each(&t->meta.stats, s)
		if (own && s->cpu == cpu && strcmp(s->buffer ? s->buffer : "", name) == 0)
			return s->overwritten;
	return 0;
}

bool kft_trace_is_overwritten(const struct kft_trace *t, const struct kft_event *ev)
{
	uint64_t n = kft_trace_overwritten(t, ev->buffer, ev->cpu);

	/* A page without room for the number of lost events only has the flag. */
	return n && (ev->lost_before == n || ev->lost_before == KFT_LOST_UNKNOWN);
}

const struct kft_field *kft_trace_common_field(struct kft_trace *t, const char *name)
{
	struct kft_map *ids = &t->classes.by_id;

	for (size_t i = 0; ids->slots && i <= ids->mask; i++) {
		uint64_t id = ids->slots[i].key;
		const struct kft_class *c = id == KFT_MAP_NO_KEY ? NULL
								 : kft_trace_class(t, id);
		const struct kft_field *f = c ? kft_class_field(c, name) : NULL;

		if (f && f->is_common)
			return f;
	}
	return NULL;
}

const struct kft_blob *kft_trace_kallsyms(struct kft_trace *t)
{
	if (t->load_kallsyms) {
		t->load_kallsyms(t);
		t->load_kallsyms = NULL;
	}
	return &t->meta.kallsyms;
}
