// SPDX-License-Identifier: LGPL-2.1-or-later
/* Adds new blocks of a stream to its trace. */
#include "file/tracedat/stream/news.h"

#include "decode/cmdlines.h"
#include "decode/task_names.h"
#include "decode/trace_lazy.h"
#include "file/tracedat/read/lost.h"
#include "file/tracedat/read/stream.h"

struct kft_stream *kft_stream_of_cpu(struct kft_trace *t, uint32_t cpu)
{
	return t->buffers.data[0].streams.data[cpu];
}

static void use_tasks(struct kft_trace *t, const struct kft_strbuf *sb)
{
	const char *line = sb->len ? memmem(sb->buf, sb->len, KFT_PARTS_TGIDS_LINE,
					    strlen(KFT_PARTS_TGIDS_LINE))
				   : NULL;
	size_t bad;

	(void)!kft_cmdlines_parse(sb->buf, line ? (size_t)(line - sb->buf) : sb->len,
				  &t->tasks, &bad);
	if (!line)
		return;
	line += strlen(KFT_PARTS_TGIDS_LINE);
	(void)!kft_tgids_parse(line, sb->buf + sb->len - line, &t->tasks, &bad);
}

static int use_losses(struct kft_trace *t, const struct kft_strbuf *sb)
{
	struct kft_cursor c = kft_cursor_init(sb->buf, sb->len, false);
	size_t known = t->meta.lost.len;
	int r = kft_dat_read_lost(&t->meta, &c);

	for (size_t i = known; i < t->meta.lost.len && r == 0; i++) {
		const struct kft_lost_range *range = &t->meta.lost.data[i];

		if (range->cpu < t->buffers.data[0].streams.len)
			r = kft_dat_stream_lose(kft_stream_of_cpu(t, range->cpu), range);
	}
	return r;
}

void kft_stream_news_last(struct kft_trace *t, struct kft_trace *last)
{
	size_t bad;

	(void)kft_trace_tasks(last);
	const struct kft_meta *m = &last->meta;
	(void)!kft_cmdlines_parse(m->cmdlines.data, m->cmdlines.len, &t->tasks, &bad);
	(void)!kft_tgids_parse(m->tgids.data, m->tgids.len, &t->tasks, &bad);
	kft_vec_finish(&t->tasks.names);
	(void)!kft_task_names_parse(m->names.data, m->names.len, &t->tasks);
}

int kft_stream_news_use(const struct kft_stream_news *n, struct kft_trace *t)
{
	for (uint32_t i = 0; i < n->cpus.len; i++)
		if (n->cpus.data[i].bytes)
			kft_dat_stream_grow(kft_stream_of_cpu(t, i), n->cpus.data[i].fd,
					    n->cpus.data[i].bytes);
	(void)kft_trace_tasks(t);
	use_tasks(t, &n->tasks);
	if (n->names.len)
		(void)!kft_task_names_parse(n->names.buf, n->names.len, &t->tasks);
	t->settled = n->settled;
	return use_losses(t, &n->lost);
}

void kft_stream_news_finish(struct kft_stream_news *n)
{
	kft_vec_finish(&n->cpus);
	kft_strbuf_finish(&n->lost);
	kft_strbuf_finish(&n->names);
	kft_strbuf_finish(&n->tasks);
}
