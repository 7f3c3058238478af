// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens files of KPTrace. */
#include "file/kpt/read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "decode/format.h"
#include "decode/trace_lazy.h"
#include "file/kpt/reader.h"

/*
 * A kpt file has no call numbers and no machine. Calls get the numbers that ARM, one of
 * KPTrace's machines, has for their names.
 */
#define UNAME "Linux unknown unknown kptrace"

bool kft_kpt_match(const void *head, size_t len)
{
	const char *p = head;
	size_t digits = 0;

	while (digits < len && p[digits] >= '0' && p[digits] <= '9')
		digits++;
	if (!digits || len < digits + 9 || p[digits] != '.' || p[digits + 7] != ' ')
		return false;
	for (size_t i = 1; i <= 6; i++)
		if (p[digits + i] < '0' || p[digits + i] > '9')
			return false;
	return p[digits + 8] >= '0' && p[digits + 8] <= '9';
}

static void reader_destroy(struct kft_trace *t)
{
	struct kft_kpt *k = t->reader;

	kft_map_finish(&k->calls);
	kft_map_finish(&k->irq_names);
	kft_vec_finish(&k->parts);
	kft_vec_finish(&k->slept);
	kft_mapped_destroy(k->mapped);
	free(k);
}

static int create(struct kft_trace **ret)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;

	if (kft_trace_create(&t) < 0)
		return -ENOMEM;
	struct kft_kpt *k = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->trace = t;
	t->reader = k;
	t->destroy = reader_destroy;
	t->classes.parse = kft_format_parse;
	t->meta.big_endian = KFT_HOST_BIG_ENDIAN;
	t->meta.uname = (struct kft_blob){UNAME, strlen(UNAME)};
	if (!kft_vec_push(&t->buffers, (struct kft_buffer){}))
		return -ENOMEM;
	*ret = TAKE(t);
	return 0;
}

static int add_class(struct kft_kpt *k, const struct kft_kpt_record *r)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta *m = &k->trace->meta;
	struct kft_format_text text = {.system = r->system};

	kft_kpt_add_format(r, &sb);
	if (!kft_strbuf_ok(&sb) ||
	    kft_meta_set_blob(m, &text.text, kft_strbuf_cstr(&sb), sb.len) < 0 ||
	    !kft_vec_push(&m->formats, text))
		return -ENOMEM;
	return kft_class_table_add(&k->trace->classes, r->system, text.text.data,
				   text.text.len);
}

/* The two codes for marks share the class of the first one. */
static int add_classes(struct kft_kpt *k)
{
	int r = 0;

	for (size_t i = 0; !r && i < kft_kpt_n_records; i++)
		if (kft_kpt_id(&kft_kpt_records[i]) == KFT_KPT_FIRST_ID + i)
			r = add_class(k, &kft_kpt_records[i]);
	return r;
}

static int map_text(struct kft_kpt *k, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if ((uint64_t)st.st_size > SIZE_MAX)
		return -EFBIG;
	int r = st.st_size ? kft_mapped_create(fd, (size_t)st.st_size, &k->mapped) : 0;

	if (r < 0 || !st.st_size)
		return r;
	k->text = (const char *)kft_mapped_data(k->mapped);
	k->size = (size_t)st.st_size;
	return 0;
}

static int read_all(struct kft_kpt *k, int fd, const char *path)
{
	struct kft_trace *t = k->trace;
	int r = map_text(k, fd);

	if (r == 0)
		r = add_classes(k);
	if (r == 0)
		r = kft_kpt_read_symbols(k, path);
	if (r < 0)
		return r;
	(void)kft_trace_symbols(t);
	(void)kft_trace_tasks(t);
	r = kft_kpt_scan(k);
	t->meta.cpu_count = 1;
	if (k->parts.len)
		t->meta.cpu_count = k->parts.data[k->parts.len - 1].cpu + 1;
	return r < 0 ? r : kft_kpt_add_streams(k);
}

int kft_kpt_open(int fd, const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_close_ int own = fd;
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	int r = create(&t);

	if (r == 0)
		r = read_all(t->reader, own, path);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read KPTrace's text");
	*ret = TAKE(t);
	return 0;
}
