// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the events of one part of a KPTrace file. */
#include <errno.h>
#include <stdlib.h>

#include "file/kpt/reader.h"

#define BATCH 32
struct stream {
	struct kft_stream base;
	struct kft_kpt *k; /* borrowed */
	const struct kft_kpt_part *part; /* borrowed */
	struct kft_kpt_cursor cursor;
	struct kft_kpt_state state;
	uint8_t *records; /* owned; BATCH of KFT_KPT_RECORD_BYTES */
};

static int fill(struct kft_stream *stream, struct kft_event *evs, size_t max)
{
	struct stream *s = container_of(stream, struct stream, base);
	struct kft_kpt_line line;
	size_t n = 0;

	if (!s->records)
		s->records = malloc((size_t)BATCH * KFT_KPT_RECORD_BYTES);
	if (!s->records)
		return -ENOMEM;
	for (; n < KFT_MIN(max, (size_t)BATCH) && kft_kpt_next(&s->cursor, &line); n++)
		evs[n] = kft_kpt_make(s->k, &s->state, &line, s->base.cpu,
				      s->records + n * KFT_KPT_RECORD_BYTES);
	return (int)n;
}

static int rewind_stream(struct kft_stream *stream, uint64_t since)
{
	struct stream *s = container_of(stream, struct stream, base);

	s->cursor = (struct kft_kpt_cursor){
		.text = s->k->text, .pos = s->part->begin, .end = s->part->end};
	s->state = (struct kft_kpt_state){.switches = s->part->first_switch};
	return 0;
}

static void destroy(struct kft_stream *stream)
{
	struct stream *s = container_of(stream, struct stream, base);

	free(s->records);
	free(s);
}

static const struct kft_stream_ops ops = {
	.fill = fill,
	.rewind = rewind_stream,
	.destroy = destroy,
};

static int add_stream(struct kft_kpt *k, const struct kft_kpt_part *part)
{
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->base = (struct kft_stream){.ops = &ops, .cpu = part->cpu};
	s->k = k;
	s->part = part;
	(void)rewind_stream(&s->base, 0);
	if (kft_vec_push(&k->trace->buffers.data[0].streams, &s->base))
		return 0;
	destroy(&s->base);
	return -ENOMEM;
}

int kft_kpt_add_streams(struct kft_kpt *k)
{
	int r = 0;

	kft_vec_for_each(&k->parts, part)
		if (!r)
			r = add_stream(k, part);
	return r;
}
