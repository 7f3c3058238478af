// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens trace.dat files. */
#include "file/tracedat/read/read.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/pool.h"
#include "base/strbuf.h"
#include "decode/format.h"
#include "file/tracedat/format.h"
#include "file/tracedat/read/stream.h"
#include "file/tracedat/read/user_symbol.h"
#include "file/tracedat/read/version.h"
#include "model/span.h"

#define VERSION_BYTES_MAX 16
#define NAME_BYTES_MAX	  64

bool kft_tracedat_match(const void *head, size_t len)
{
	return len >= KFT_TRACEDAT_MAGIC_BYTES &&
	       memcmp(head, KFT_TRACEDAT_MAGIC, KFT_TRACEDAT_MAGIC_BYTES) == 0;
}

int kft_dat_only_text(struct kft_err *e)
{
	int r = kft_err_set(e, -ENOTSUP,
			    "it has no events, only the output of a latency tracer");

	kft_err_hint(e, "trace-cmd report prints that text");
	return r;
}

static void reader_destroy(struct kft_trace *t)
{
	struct kft_dat_reader *d = t->reader;

	kft_vec_for_each(&d->buffers, b)
		kft_vec_finish(&b->cpus);
	kft_vec_finish(&d->buffers);
	kft_dat_stamps_finish(&d->stamps);
	kft_dat_maps_finish(&d->maps);
	(void)kft_pool_destroy(d->ahead);
	kft_dat_decompressor_finish(&d->dec);
	kft_closep(&d->in.fd);
	free(d);
}

/* INITIAL FORMAT after the magic: version, byte order, long size, page size. */
static int read_start(struct kft_dat_reader *d, struct kft_dat_walk *w, struct kft_err *e)
{
	struct kft_meta *m = &d->trace->meta;
	const char *version;
	const uint8_t *p;

	if (!kft_dat_walk_skip(w, KFT_TRACEDAT_MAGIC_BYTES) ||
	    !kft_dat_walk_str(w, VERSION_BYTES_MAX, &version))
		return kft_err_set(e, -ENODATA, "at byte %d: the version is not there",
				   KFT_TRACEDAT_MAGIC_BYTES);
	d->version = strcmp(version, "6") == 0 ? 6 : strcmp(version, "7") == 0 ? 7 : 0;
	if (!d->version)
		return kft_err_set(e, -ENOTSUP,
				   "at byte %d: it is of no version that "
				   "kft knows (6 and 7)",
				   KFT_TRACEDAT_MAGIC_BYTES);
	if (!kft_dat_walk_bytes(w, 2, &p))
		return kft_err_set(e, -ENODATA, "the file ends in its first bytes");
	if (p[0] > 1)
		return kft_err_set(e, -EINVAL,
				   "at byte 12: invalid byte order %u (0 or "
				   "1 expected)",
				   p[0]);
	if (p[1] != 4 && p[1] != 8)
		return kft_err_set(e, -EINVAL, "at byte 13: words of %u bytes", p[1]);
	m->big_endian = p[0];
	m->long_size = p[1];
	d->trace->swap = m->big_endian != KFT_HOST_BIG_ENDIAN;
	d->in.swap = d->trace->swap;
	if (!kft_dat_walk_u32(w, &m->page_size))
		return kft_err_set(e, -ENODATA, "the file ends in its first bytes");
	return 0;
}

/* Version 7: "algorithm\0version\0" and the file offset of the first options. */
static int read_start_v7(struct kft_dat_reader *d, struct kft_dat_walk *w,
			 uint64_t *ret_options, struct kft_err *e)
{
	enum kft_dat_codec codec;
	const char *s;

	if (!kft_dat_walk_str(w, NAME_BYTES_MAX, &s))
		return kft_err_set(e, -ENODATA, "at byte 18: no compression is named");
	int r = kft_dat_codec_find(s, &codec, e);
	if (r < 0)
		return r;
	kft_dat_decompressor_init(&d->dec, codec);
	if (!kft_dat_walk_str(w, NAME_BYTES_MAX, &s) || !kft_dat_walk_u64(w, ret_options))
		return kft_err_set(e, -ENODATA, "the file ends in its first bytes");
	return 0;
}

/* Escapes the path for messages, as it can hold terminal control sequences. */
static const char *escaped(struct kft_arena *a, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_escaped(&sb, path, strlen(path));
	return kft_arena_strdup(a, kft_strbuf_cstr(&sb));
}

static int by_cpu(const void *pa, const void *pb)
{
	const struct kft_stream *const *a = pa;
	const struct kft_stream *const *b = pb;

	return (*a)->cpu < (*b)->cpu ? -1 : (*a)->cpu > (*b)->cpu;
}

/* Adds streams without events for CPUs that lost all of theirs, as a stream has losses. */
static int add_lost_cpus(struct kft_dat_reader *d)
{
	bool has_stream[KFT_TRACEDAT_MAX_CPUS] = {};
	int r = 0;

	if (!d->trace->buffers.len || !d->trace->meta.lost.len)
		return 0;
	kft_vec_for_each(&d->trace->buffers.data[0].streams, s)
		has_stream[(*s)->cpu] = true;
	kft_vec_for_each(&d->trace->meta.lost, range) {
		struct kft_dat_source src = {
			.cpu = range->cpu,
			.page_size = d->trace->buffers.data[0].page_size,
			.fd = -1,
		};
		if (r == 0 && !has_stream[range->cpu])
			r = kft_dat_stream_add(d, &src);
		has_stream[range->cpu] = true;
	}
	struct kft_buffer *main = &d->trace->buffers.data[0];
	if (main->streams.len)
		qsort(main->streams.data, main->streams.len, sizeof(*main->streams.data),
		      by_cpu);
	return r;
}

static int read_file(struct kft_dat_reader *d, const char *path, bool parts,
		     struct kft_err *e)
{
	_cleanup_(kft_dat_walk_finish) struct kft_dat_walk w = {};
	uint64_t options = 0;

	d->path = escaped(&d->trace->arena, path);
	if (!d->path || kft_dat_walk_init(&w, &d->in, 0) < 0)
		return -ENOMEM;
	int r = read_start(d, &w, e);
	if (r < 0)
		return r;
	if (d->version == 6)
		return kft_dat_read_v6(d, w.pos, e);
	r = read_start_v7(d, &w, &options, e);
	if (r == 0)
		r = kft_dat_read_v7(d, w.pos, options, e);
	if (r == 0 && d->live.is_live && parts)
		r = kft_dat_read_parts(d, path);
	return r == 0 ? add_lost_cpus(d) : r;
}

static void read_ahead(struct kft_trace *t, unsigned int threads)
{
	struct kft_dat_reader *d = t->reader;

	/* Without threads, reading is only slower. */
	if (d->dec.codec != KFT_DAT_CODEC_NONE && !d->ahead && threads)
		(void)!kft_pool_create(threads, &d->ahead);
}

static int create(int fd, struct kft_trace **ret)
{
	_cleanup_close_ int own = fd;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct stat st;

	if (fstat(own, &st) < 0)
		return -errno;
	if (kft_trace_create(&t) < 0)
		return -ENOMEM;
	struct kft_dat_reader *d = calloc(1, sizeof(*d));
	if (!d)
		return -ENOMEM;
	kft_dat_decompressor_init(&d->dec, KFT_DAT_CODEC_NONE);
	d->in = (struct kft_dat_input){.fd = TAKE_FD(own), .size = st.st_size};
	d->trace = t;
	t->reader = d;
	t->destroy = reader_destroy;
	t->read_ahead = read_ahead;
	t->classes.parse = kft_format_parse;
	kft_dat_use_clock(&t->meta.clock, "local", strlen("local"));
	*ret = TAKE(t);
	return 0;
}

static struct kft_stream *stream_of(const struct kft_trace *t,
				    const struct kft_cpu_stat *stat)
{
	kft_vec_for_each(&t->buffers, b)
		kft_vec_for_each(&b->streams, s)
			if ((*s)->cpu == stat->cpu &&
			    strcmp(b->name, stat->buffer ? stat->buffer : "") == 0)
				return *s;
	return NULL;
}

/*
 * In kft's own recordings, overwritten events are missing on purpose. Without a number at
 * the first event, the kernel's count of the whole recording has to do. With a larger one,
 * the rest was lost.
 */
static void find_overwritten(struct kft_trace *t)
{
	kft_vec_for_each(&t->meta.stats, stat) {
		struct kft_stream *s = kft_trace_is_own(t) && stat->overrun
					       ? stream_of(t, stat)
					       : NULL;
		uint64_t lost = s ? kft_span_stream_lost_before(s) : 0;

		stat->overwritten = lost ? KFT_MIN(lost, stat->overrun) : stat->overrun;
	}
}

static int open_file(int fd, const char *path, bool parts, struct kft_trace **ret,
		     struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err why = {};
	int r = create(fd, &t);

	if (r == 0)
		r = read_file(t->reader, path, parts, &why);
	if (r < 0) {
		if (!why.code)
			(void)kft_err_sys(&why, r, "cannot open it");
		if (e)
			*e = why;
		return r;
	}
	find_overwritten(t);
	*ret = TAKE(t);
	return 0;
}

int kft_tracedat_open(int fd, const char *path, struct kft_trace **ret, struct kft_err *e)
{
	int r = open_file(fd, path, true, ret, e);

	return r < 0 ? r
		     : kft_dat_user_symbol_init((*ret)->reader, path, kft_tracedat_open);
}

int kft_tracedat_open_live(int fd, const char *path, struct kft_trace **ret,
			   struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	int r = open_file(fd, path, false, &t, e);

	if (r < 0)
		return r;
	const struct kft_dat_reader *d = t->reader;
	if (!d->live.is_live)
		return kft_err_set(e, -EINVAL, "its metadata is not that of a recording");
	*ret = TAKE(t);
	return 0;
}
