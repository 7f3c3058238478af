/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FAKE_TRACE_H
#define KFT_TESTS_FAKE_TRACE_H

/*
 * A trace from arrays instead of a file: streams with the events that a test gives them.
 * Records are 16 bytes: common_type, common_flags, common_preempt_count, common_pid as
 * the kernel lays them out, and two u32 "a" and "b". Include after t.h.
 */
#include <stdio.h>

#include "decode/format.h"
#include "formats.h"
#include "model/trace.h"

#define FAKE_EVENTS_MAX 512

struct fake_record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint32_t a;
	uint32_t b;
};

struct fake_stream {
	struct kft_stream s;
	struct kft_event evs[FAKE_EVENTS_MAX];
	struct fake_record records[FAKE_EVENTS_MAX];
	size_t len;
	size_t pos;
	size_t per_fill; /* events that a fill hands out at most */
	int end; /* returned by fill at the end */
};

static inline int fake_fill(struct kft_stream *s, struct kft_event *evs, size_t max)
{
	struct fake_stream *f = container_of(s, struct fake_stream, s);
	size_t room = KFT_MIN(max, f->per_fill);
	size_t n = KFT_MIN(room, f->len - f->pos);

	memcpy(evs, f->evs + f->pos, n * sizeof(*evs));
	f->pos += n;
	return n ? (int)n : f->end;
}

static inline int fake_rewind(struct kft_stream *s, uint64_t since)
{
	container_of(s, struct fake_stream, s)->pos = 0;
	return 0;
}

static inline void fake_destroy(struct kft_stream *s)
{
	free(container_of(s, struct fake_stream, s));
}

static const struct kft_stream_ops fake_ops = {fake_fill, fake_rewind, fake_destroy};

static inline struct fake_stream *fake_add_stream(struct kft_trace *t, uint16_t buffer,
						  uint32_t cpu)
{
	struct fake_stream *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->s = (struct kft_stream){.ops = &fake_ops, .cpu = cpu, .buffer = buffer};
	f->per_fill = 7;
	while (t->buffers.len <= buffer)
		assert_true(kft_vec_push(&t->buffers, (struct kft_buffer){}));
	assert_true(kft_vec_push(&t->buffers.data[buffer].streams, &f->s));
	return f;
}

static inline void fake_add_event(struct fake_stream *f, uint64_t ts, uint16_t id,
				  int32_t pid, uint64_t lost)
{
	struct fake_record *r = &f->records[f->len];

	assert_true(f->len < FAKE_EVENTS_MAX);
	*r = (struct fake_record){.type = id, .pid = pid, .a = f->len, .b = ts};
	f->evs[f->len++] = (struct kft_event){.ts = ts,
					      .lost_before = lost,
					      .data = (const uint8_t *)r,
					      .size = sizeof(*r),
					      .cpu = f->s.cpu,
					      .id = id,
					      .buffer = f->s.buffer};
}

/* The parser of formats for kft_class_table: every class has the same fields. */
static inline int fake_parse(const char *system, const char *text, size_t len,
			     uint32_t long_size, const struct kft_class_text *like,
			     struct kft_arena *arena, struct kft_class *ret)
{
	static const struct kft_field fields[] = {
		{"common_type", "unsigned short", 0, 2, 2, KFT_FIELD_INT, 0, false, true},
		{"common_flags", "unsigned char", 2, 1, 1, KFT_FIELD_INT, 0, false, true},
		{"common_preempt_count", "unsigned char", 3, 1, 1, KFT_FIELD_INT, 0,
		 false, true},
		{"common_pid", "int", 4, 4, 4, KFT_FIELD_INT, 0, true, true},
		{"a", "u32", 8, 4, 4, KFT_FIELD_INT},
		{"b", "u32", 12, 4, 4, KFT_FIELD_INT},
	};
	char name[64] = "";
	unsigned int id = 0;

	assert_int_equal(sscanf(text, "name: %63s\nID: %u", name, &id), 2);
	*ret = (struct kft_class){.id = id,
				  .system = system,
				  .name = kft_arena_strdup(arena, name),
				  .fields = fields,
				  .n_fields = ARRAY_SIZE(fields),
				  .n_common = 4,
				  .print_fmt = "\"a=%u b=%u\", REC->a, REC->b"};
	return 0;
}

/* A trace without streams, with the classes 1 sched:tick, 2 sched:wake, 3 irq:tick_irq. */
static inline struct kft_trace *fake_trace(void)
{
	static const char *const texts[][2] = {
		{"sched", "name: tick\nID: 1\nformat:\n"},
		{"sched", "name: wake\nID: 2\nformat:\n"},
		{"irq", "name: tick_irq\nID: 3\nformat:\n"},
	};
	struct kft_trace *t;

	assert_int_equal(kft_trace_create(&t), 0);
	t->classes.parse = fake_parse;
	t->classes.long_size = 8;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_int_equal(kft_class_table_add(&t->classes, texts[i][0],
						     texts[i][1], strlen(texts[i][1])),
				 0);
	return t;
}

/* An empty trace with n classes, each a system and a description. */
static inline struct kft_trace *fake_trace_of(const char *const (*formats)[2], size_t n)
{
	struct kft_trace *t = NULL;

	assert_int_equal(kft_trace_create(&t), 0);
	t->classes.parse = kft_format_parse;
	t->classes.long_size = 8;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kft_class_table_add(&t->classes, formats[i][0],
						     formats[i][1],
						     strlen(formats[i][1])),
				 0);
	return t;
}

#endif
