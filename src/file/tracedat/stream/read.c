// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads a complete recording in the stream format. */
#include "file/tracedat/stream/read.h"

#include <errno.h>

#include "base/err.h"
#include "file/tracedat/read/lost.h"
#include "file/tracedat/read/stream.h"
#include "file/tracedat/read/version.h"
#include "file/tracedat/stream/blocks.h"

bool kft_stream_match(const void *head, size_t len)
{
	return len >= KFT_STREAM_MAGIC_BYTES &&
	       memcmp(head, KFT_STREAM_MAGIC, KFT_STREAM_MAGIC_BYTES) == 0;
}

/* Takes all blocks; -ENODATA when the stream ends before END. */
static int take_blocks(struct kft_stream_blocks *s, struct kft_err *e)
{
	int r = kft_stream_blocks_begin(s);
	struct kft_stream_block block;

	while (r == 0 && !s->is_ended)
		r = kft_stream_blocks_take(s, &block, e);
	return r;
}

/* Without END, its content is made from the blocks before. */
static int use_parts(struct kft_stream_blocks *s, struct kft_meta *m)
{
	struct kft_cursor lost = kft_cursor_init(s->lost.buf, s->lost.len, false);
	int r = kft_dat_read_lost(m, &lost);

	if (r == 0 && s->tasks.len)
		r = kft_dat_use_tasks(m, &s->tasks);
	if (r == 0 && s->names.len)
		r = kft_meta_set_blob(m, &m->names, s->names.buf, s->names.len);
	return r;
}

static int add_streams(struct kft_stream_blocks *s, struct kft_dat_reader *d)
{
	uint16_t buffer;
	int r = kft_dat_add_live_buffer(d, &buffer);

	for (uint32_t cpu = 0; cpu < s->cpus.len && r == 0; cpu++) {
		struct kft_stream_cpu *spool = &s->cpus.data[cpu];
		const struct kft_dat_source src = {
			.cpu = cpu,
			.buffer = buffer,
			.page_size = d->live.page_size,
			.end = spool->bytes,
			.fd = spool->fd,
			.size = spool->bytes,
			.path = d->path,
		};

		if (spool->fd < 0)
			continue;
		spool->fd = -1;
		r = kft_dat_stream_add(d, &src);
	}
	return r;
}

static int read_stream(struct kft_stream_blocks *s, struct kft_trace **ret,
		       struct kft_err *e)
{
	struct kft_err why = {};
	int r = take_blocks(s, &why);

	if (r == -ENOMEM || !s->page_size) {
		r = kft_stream_blocks_no_trace(r, &why);
		if (e)
			*e = why;
		return r;
	}
	/* The last metadata makes the better trace, as it is more complete. */
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = TAKE(s->last);
	if (!t)
		t = TAKE(s->trace);
	kft_stream_blocks_ended(s, r, &why, t);
	r = s->is_ended ? 0 : use_parts(s, &t->meta);
	if (r == 0)
		r = add_streams(s, t->reader);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the stream");
	*ret = TAKE(t);
	return 0;
}

int kft_stream_open(int fd, const void *head, size_t len, const char *name,
		    struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(kft_stream_blocks_finish) struct kft_stream_blocks s = {};
	int r = kft_stream_blocks_init(&s, fd, head, len, name);

	return r < 0 ? kft_err_sys(e, r, "cannot read it") : read_stream(&s, ret, e);
}
