// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens perf.data files. */
#include "file/perf/read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "decode/format.h"
#include "file/perf/classes.h"
#include "file/perf/meta.h"
#include "file/perf/scan.h"
#include "file/perf/stream.h"
#include "file/perf/user_symbol.h"

bool kft_perf_match(const void *head, size_t len)
{
	static const char *const magics[] = {KFT_PERF_MAGIC_LITTLE, KFT_PERF_MAGIC_BIG,
					     KFT_PERF_MAGIC_OLD};

	for (size_t i = 0; i < ARRAY_SIZE(magics) && len >= KFT_PERF_MAGIC_BYTES; i++)
		if (memcmp(head, magics[i], KFT_PERF_MAGIC_BYTES) == 0)
			return true;
	return false;
}

static void reader_destroy(struct kft_trace *t)
{
	struct kft_perf *p = t->reader;

	kft_vec_for_each(&p->cpus, cpu) {
		kft_perf_blocks_finish(&(*cpu)->blocks);
		free(*cpu);
	}
	kft_vec_finish(&p->cpus);
	kft_perf_attrs_finish(&p->attrs);
	kft_map_finish(&p->cpu_by_id);
	kft_perf_maps_finish(&p->maps);
	kft_closep(&p->spool_fd);
	kft_closep(&p->in.fd);
	free(p);
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
	struct kft_perf *p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	p->in = (struct kft_dat_input){.fd = TAKE_FD(own), .size = st.st_size};
	p->spool_fd = -1;
	kft_perf_maps_init(&p->maps);
	t->user_symbol = kft_perf_user_symbol;
	p->trace = t;
	t->reader = p;
	t->destroy = reader_destroy;
	t->classes.parse = kft_format_parse;
	*ret = TAKE(t);
	return 0;
}

static int read_order(struct kft_perf *p)
{
	uint8_t head[KFT_PERF_PIPE_HEADER_BYTES] = {};
	size_t len;
	int r = kft_dat_input_read_some(&p->in, 0, head, sizeof(head), &len);
	bool big = memcmp(head, KFT_PERF_MAGIC_BIG, KFT_PERF_MAGIC_BYTES) == 0;

	if (r < 0)
		return r;
	/*
	 * The old magic is the same in both byte orders. The u64 header size after it is
	 * below 64 KiB only in the right one.
	 */
	if (memcmp(head, KFT_PERF_MAGIC_OLD, KFT_PERF_MAGIC_BYTES) == 0)
		big = kft_load_u64(head + KFT_PERF_MAGIC_BYTES, !KFT_HOST_BIG_ENDIAN) <=
		      UINT16_MAX;
	p->trace->meta.big_endian = big;
	p->trace->swap = big != KFT_HOST_BIG_ENDIAN;
	p->in.swap = p->trace->swap;
	p->attrs.swap = p->trace->swap;
	p->attrs.big_endian = big;
	return 0;
}

/* Escapes the path for messages, as it can hold terminal control sequences. */
static int set_path(struct kft_perf *p, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_escaped(&sb, path, strlen(path));
	p->path = kft_arena_strdup(&p->trace->arena, kft_strbuf_cstr(&sb));
	return p->path ? 0 : -ENOMEM;
}

static int read_file(struct kft_perf *p, const char *path, struct kft_err *e)
{
	int r = set_path(p, path);

	if (r == 0)
		r = read_order(p);
	if (r == 0)
		r = kft_perf_read_header(p, e);
	if (r < 0)
		return r;
	p->data = p->in;
	r = kft_perf_scan(p, e);
	if (r == 0)
		r = kft_perf_finish_meta(p);
	if (r == 0)
		r = kft_perf_add_classes(p);
	/* perf.data has task names in its records, and the scan read all of them. */
	p->trace->have_tasks = true;
	return r == 0 ? kft_perf_add_streams(p) : r;
}

int kft_perf_open(int fd, const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err why = {};
	int r = create(fd, &t);

	if (r == 0)
		r = read_file(t->reader, path, &why);
	if (r < 0) {
		if (!why.code)
			(void)kft_err_sys(&why, r, "cannot open it");
		if (e)
			*e = why;
		return r;
	}
	*ret = TAKE(t);
	return 0;
}
