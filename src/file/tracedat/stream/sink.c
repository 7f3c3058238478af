// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes a recording as a stream while it goes on. */
#include "file/tracedat/stream/sink.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/stream/writer.h"
#include "file/tracedat/write/write.h"
#include "file/tracedat/write/option.h"

struct stream_sink {
	struct kft_sink sink;
	struct kft_stream_writer writer;
};

static struct kft_stream_writer *writer_of(struct kft_sink *s)
{
	return &container_of(s, struct stream_sink, sink)->writer;
}

/* Appends the metadata, in the form of a trace.dat, as one block. */
static int add_meta(struct kft_stream_writer *w, enum kft_stream_kind kind,
		    const struct kft_meta *meta, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf dat = {};
	_cleanup_close_ int fd = memfd_create("kft-stream", MFD_CLOEXEC);
	int r = fd < 0 ? kft_err_sys(e, -errno, "cannot prepare the stream")
		       : kft_tracedat_write_live(fd, meta,
						 kft_tracedat_default_compress(7), e);

	if (r < 0)
		return r;
	r = lseek(fd, 0, SEEK_SET) < 0 ? -errno : kft_read_fd(fd, SIZE_MAX, &dat);
	if (r < 0)
		return kft_err_sys(e, r, "cannot prepare the stream");
	kft_stream_add_block(&w->out, kind, 0, dat.buf, dat.len);
	return 0;
}

static int stream_begin(struct kft_sink *s, const struct kft_meta *meta,
			struct kft_err *e)
{
	struct kft_stream_writer *w = writer_of(s);

	kft_strbuf_add(&w->out, KFT_STREAM_MAGIC, KFT_STREAM_MAGIC_BYTES);
	int r = add_meta(w, KFT_STREAM_META, meta, e);
	if (r < 0)
		return r;
	r = kft_stream_writer_start(w, meta);
	return r < 0 ? kft_err_sys(e, r, "cannot start the stream") : 0;
}

static int stream_take_fd(struct kft_sink *s, uint32_t cpu, int raw_fd, struct kft_err *e)
{
	struct kft_stream_writer *w = writer_of(s);

	if (cpu >= w->pages.cpu_count)
		return kft_err_set(e, -EINVAL, "no CPU %u: this machine has %u", cpu,
				   w->pages.cpu_count);
	kft_stream_writer_take(w, cpu, raw_fd);
	return 0;
}

static int hand_on(struct kft_sink *s, enum kft_stream_kind kind,
		   const struct kft_strbuf *data)
{
	if (!kft_strbuf_ok(data))
		return -ENOMEM;
	return kft_stream_writer_hand_on(writer_of(s), kind, data->buf, data->len);
}

static int stream_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf record = {};

	kft_encode_lost(&record, range);
	return hand_on(s, KFT_STREAM_LOST, &record);
}

static int stream_tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
			const struct kft_blob *tgids)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_tracedat_add_tasks(&text, cmdlines, tgids);
	return hand_on(s, KFT_STREAM_TASKS, &text);
}

static void stream_names(struct kft_sink *s, const void *records, size_t len)
{
	/* A failure is harmless: the last block has all names again. */
	if (len)
		(void)!kft_stream_writer_hand_on(writer_of(s), KFT_STREAM_NAMES, records,
						 len);
	kft_stream_writer_looked(writer_of(s));
}

static int stream_failed(struct kft_sink *s, struct kft_err *e)
{
	return kft_stream_writer_failed(writer_of(s), e);
}

static int stream_release(struct kft_sink *s, struct kft_err *e)
{
	kft_stream_writer_stop(writer_of(s));
	return stream_failed(s, e);
}

static int stream_end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	struct kft_stream_writer *w = writer_of(s);

	/*
	 * Writes the losses that were counted at the end before END, for readers that
	 * show events as they come.
	 */
	(void)!kft_stream_writer_flush(w);
	int r = add_meta(w, KFT_STREAM_END, meta, e);
	if (r < 0)
		return r;
	(void)!kft_stream_writer_flush(w);
	return stream_failed(s, e);
}

static uint64_t stream_events(const struct kft_sink *s, uint32_t cpu)
{
	return container_of(s, struct stream_sink, sink)->writer.pages.events[cpu];
}

static uint64_t stream_bytes(const struct kft_sink *s)
{
	const struct stream_sink *ss = container_of(s, struct stream_sink, sink);

	return atomic_load_explicit(&ss->writer.pages.bytes, memory_order_relaxed);
}

static void stream_destroy(struct kft_sink *s)
{
	kft_stream_writer_finish(writer_of(s));
	free(container_of(s, struct stream_sink, sink));
}

static const struct kft_sink_ops stream_ops = {
	.begin = stream_begin,
	.take_fd = stream_take_fd,
	.failed = stream_failed,
	.release = stream_release,
	.events = stream_events,
	.bytes = stream_bytes,
	.lost = stream_lost,
	.tasks = stream_tasks,
	.names = stream_names,
	.end = stream_end,
	.destroy = stream_destroy,
};

int kft_tracedat_stream_create(int out_fd, struct kft_sink **ret, struct kft_err *e)
{
	struct stream_sink *ss = calloc(1, sizeof(*ss));

	if (!ss)
		return kft_err_sys(e, -ENOMEM, "cannot prepare the stream");
	ss->sink.ops = &stream_ops;
	int r = kft_stream_writer_init(&ss->writer, out_fd);
	if (r < 0) {
		stream_destroy(&ss->sink);
		return kft_err_sys(e, r, "cannot prepare the stream");
	}
	*ret = &ss->sink;
	return 0;
}
