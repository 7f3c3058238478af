// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes buffers and streams from the files of a CTF trace. */
#include "file/ctf/reader.h"

#include <errno.h>
#include <stdio.h>

/* A channel with streams becomes a buffer; a single one has no name. */
static int add_buffer(struct kft_ctf_reader *c, struct kft_ctf_channel *ch, bool named)
{
	struct kft_trace *t = c->trace;
	struct kft_buffer b = {.clock = t->meta.clock, .page_size = t->meta.page_size};
	const char *name = named && ch->name ? ch->name : "";
	const char *label = c->label ? c->label : "";

	(void)snprintf(b.name, sizeof(b.name), "%s%s%s", label,
		       *label && *name ? "/" : "", name);
	ch->buffer = t->buffers.len;
	return kft_vec_push(&t->buffers, b) ? 0 : -ENOMEM;
}

static int add_stream(struct kft_ctf_reader *c, const struct kft_ctf_lane *lane)
{
	const struct kft_ctf_channel *ch = &c->channels.data[lane->channel];
	struct kft_buffer *b = &c->trace->buffers.data[ch->buffer];
	struct kft_stream *s = kft_ctf_stream_create(c, lane, true);

	if (!s)
		return -ENOMEM;
	if (!kft_vec_push(&b->streams, s)) {
		s->ops->destroy(s);
		return -ENOMEM;
	}
	c->trace->meta.cpu_count = KFT_MAX(c->trace->meta.cpu_count, lane->cpu + 1);
	return 0;
}

static int by_cpu(const void *pa, const void *pb)
{
	const struct kft_ctf_lane *a = *(struct kft_ctf_lane *const *)pa;
	const struct kft_ctf_lane *b = *(struct kft_ctf_lane *const *)pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

static bool has_lane(const struct kft_ctf_reader *c, size_t channel)
{
	kft_vec_for_each(&c->lanes, l)
		if ((*l)->channel == channel)
			return true;
	return false;
}

static int add_streams(struct kft_ctf_reader *c)
{
	size_t used = 0;
	int r = 0;

	for (size_t i = 0; i < c->channels.len; i++)
		used += has_lane(c, i);
	for (size_t i = 0; i < c->channels.len && r == 0; i++)
		if (has_lane(c, i))
			r = add_buffer(c, &c->channels.data[i], used > 1 || c->label);
	if (c->lanes.len)
		qsort(c->lanes.data, c->lanes.len, sizeof(*c->lanes.data), by_cpu);
	kft_vec_for_each(&c->lanes, l) {
		if (r == 0)
			r = add_stream(c, *l);
	}
	/* A trace without events has one buffer as well. */
	if (r == 0 && !used && !c->label)
		r = add_buffer(c, &c->channels.data[0], false);
	return r;
}

/*
 * Sets uname to "Linux host release version machine", and version to the
 * tracer's name and version.
 */
static int describe(struct kft_ctf_reader *c)
{
	static const char *const uname_keys[][2] = {{"sysname", "sysname"},
						    {"hostname", "host"},
						    {"kernel_release", "release"},
						    {"kernel_version", "version"},
						    {"machine", "machine"}};
	static const char *const tracer_keys[] = {"tracer_name", "tracer_major",
						  "tracer_minor", "tracer_patchlevel"};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta *m = &c->trace->meta;

	for (size_t i = 0; i < ARRAY_SIZE(uname_keys); i++) {
		const char *v = kft_ctf_env_get(&c->meta, uname_keys[i][0]);

		v = v ? v : kft_ctf_env_get(&c->meta, uname_keys[i][1]);
		kft_strbuf_addf(&sb, "%s%s", sb.len && v ? " " : "", v ? v : "");
	}
	/* With several traces, the first one is used. */
	if (m->uname.data || m->version.data)
		return 0;
	int r = sb.len ? kft_meta_set_blob(m, &m->uname, kft_strbuf_cstr(&sb), sb.len)
		       : 0;
	kft_strbuf_clear(&sb);
	for (size_t i = 0; i < ARRAY_SIZE(tracer_keys); i++) {
		const char *v = kft_ctf_env_get(&c->meta, tracer_keys[i]);

		if (v)
			kft_strbuf_addf(&sb, "%s%s", i > 1 ? "." : i ? " " : "", v);
	}
	if (r == 0 && sb.len)
		r = kft_meta_set_blob(m, &m->version, kft_strbuf_cstr(&sb), sb.len);
	return r;
}

int kft_ctf_start(struct kft_ctf_reader *c)
{
	int r = kft_ctf_index(c);

	if (r == 0)
		r = add_streams(c);
	return r < 0 ? r : describe(c);
}
