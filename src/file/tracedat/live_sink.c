// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes a recording to disk so that a crash at any moment loses
 * nothing that was written.
 */
#include "file/tracedat/live_sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "decode/task_names.h"
#include "file/tracedat/format.h"
#include "file/tracedat/parts_finish.h"
#include "file/tracedat/read/lost.h"
#include "file/tracedat/write/option.h"

#define LOST_BYTES_MAX ((size_t)KFT_TRACEDAT_MAX_LOST_RECORDS * KFT_LOST_RECORD_BYTES)

/* One buffer of the recording. */
struct live_buffer {
	struct kft_sink sink; /* for buffers other than the main one */
	struct live_sink *live;
	const char *name; /* borrowed; "" for the main one, NULL: not used */
	int *cpu_fds; /* owned; -1: not created yet */
};

struct live_sink {
	/* First member: the users of the sink have a pointer to it. */
	struct kft_sink sink;
	struct live_buffer buffers[KFT_PARTS_BUFFERS];
	struct kft_parts parts;
	struct kft_tracedat_opts opts;
	bool begun;
	bool resumes; /* parts of an earlier process may exist and are continued */
	size_t page_size;
	int file_fd; /* owned: FILE with its lock while recording */
	int lost_fd; /* owned; -1: not created yet */
	int names_fd; /* owned; -1: not created yet */
	uint64_t lost_began; /* offset in the part of this sink's first record */
	uint64_t lost_pos; /* end of the last whole record; guarded by lock */
	pthread_mutex_t lock; /* guards all cpu_fds, lost_fd and lost_pos */
	uint32_t cpu_count;
};

static struct live_sink *of(struct kft_sink *s)
{
	return container_of(s, struct live_sink, sink);
}

static int create_part(const struct live_sink *ls, const char *name)
{
	return kft_make_file_at(ls->parts.fd, name, O_RDWR | (ls->resumes ? 0 : O_EXCL));
}

/*
 * The end of the last whole record, where writing continues: a partial record
 * would shift all later ones.
 */
static int whole_end(int fd, size_t record_bytes, uint64_t *ret)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*ret = st.st_size - st.st_size % record_bytes;
	return 0;
}

/* Opens a part for appending. */
static int open_records_part(const struct live_sink *ls, const char *name,
			     size_t record_bytes)
{
	uint64_t end = 0;
	_cleanup_close_ int fd = create_part(ls, name);

	if (fd < 0)
		return fd;
	int r = whole_end(fd, record_bytes, &end);
	if (r == 0 && lseek(fd, (off_t)end, SEEK_SET) < 0)
		r = -errno;
	return r < 0 ? r : TAKE_FD(fd);
}

static int open_lost_part(struct live_sink *ls)
{
	_cleanup_close_ int fd = create_part(ls, KFT_PARTS_LOST);
	int r = fd < 0 ? fd : whole_end(fd, KFT_LOST_RECORD_BYTES, &ls->lost_pos);

	if (r < 0)
		return r;
	ls->lost_began = ls->lost_pos;
	ls->lost_fd = TAKE_FD(fd);
	return 0;
}

static int write_live(void *arg, int fd, struct kft_err *e)
{
	return kft_tracedat_write_live(fd, arg, KFT_TRACEDAT_PLAIN, e);
}

static int alloc_cpu_fds(struct live_sink *ls, uint32_t count)
{
	for (size_t b = 0; b < KFT_PARTS_BUFFERS; b++) {
		int *fds = ls->buffers[b].cpu_fds = calloc(count, sizeof(*fds));

		if (!fds)
			return -ENOMEM;
		for (uint32_t i = 0; i < count; i++)
			fds[i] = -1;
	}
	ls->cpu_count = count;
	return 0;
}

static int resume(struct live_sink *ls, const struct kft_meta *meta, struct kft_err *e)
{
	int r = kft_parts_resume(&ls->parts, e);

	if (r < 0)
		return r;
	r = alloc_cpu_fds(ls, meta->cpu_count);
	return r < 0 ? kft_err_sys(e, r, "cannot write '%s'", ls->parts.path) : 0;
}

static int live_begin(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	struct live_sink *ls = of(s);

	ls->page_size = meta->page_size;
	if (ls->resumes)
		return resume(ls, meta, e);
	int r = kft_parts_claim(&ls->parts, e);
	if (r < 0)
		return r;
	r = alloc_cpu_fds(ls, meta->cpu_count);
	if (r < 0)
		r = kft_err_sys(e, r, "cannot write '%s'", ls->parts.path);
	else if (ls->opts.is_copy)
		r = kft_parts_mark_copy(&ls->parts, e);
	if (r == 0)
		r = kft_parts_replace_file(&ls->parts, write_live, (void *)meta,
					   &ls->file_fd, e);
	if (r < 0) {
		kft_parts_remove(&ls->parts);
		return r;
	}
	ls->begun = true;
	return 0;
}

static int cpu_fd_of(struct live_buffer *b, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	struct live_sink *ls = b->live;
	char name[KFT_PARTS_NAME_MAX];

	if (cpu >= ls->cpu_count)
		return kft_err_set(e, -EINVAL, "no CPU %u: this machine has %u", cpu,
				   ls->cpu_count);
	kft_parts_cpu_name(b->name, cpu, name);
	(void)pthread_mutex_lock(&ls->lock);
	if (b->cpu_fds[cpu] < 0)
		b->cpu_fds[cpu] = open_records_part(ls, name, ls->page_size);
	int fd = b->cpu_fds[cpu];
	(void)pthread_mutex_unlock(&ls->lock);
	if (fd < 0)
		return kft_err_sys(e, fd, "cannot create '%s" KFT_PARTS_SUFFIX "/%s'",
				   ls->parts.path, name);
	*ret_fd = fd;
	return 0;
}

static int live_cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd, struct kft_err *e)
{
	return cpu_fd_of(&of(s)->buffers[0], cpu, ret_fd, e);
}

static int further_cpu_fd(struct kft_sink *s, uint32_t cpu, int *ret_fd,
			  struct kft_err *e)
{
	return cpu_fd_of(container_of(s, struct live_buffer, sink), cpu, ret_fd, e);
}

/*
 * Loss records have no field for a buffer, so only statistics count a
 * further buffer's losses.
 */
static int further_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	(void)s;
	(void)range;
	return 0;
}

static const struct kft_sink_ops further_ops = {.cpu_fd = further_cpu_fd,
						.lost = further_lost};

static int live_buffer(struct kft_sink *s, const char *name,
		       const struct kft_buffer_shape *shape, struct kft_sink **ret,
		       struct kft_err *e)
{
	for (size_t i = 1; i < KFT_PARTS_BUFFERS; i++) {
		struct live_buffer *b = &of(s)->buffers[i];

		if (b->name && strcmp(b->name, name) != 0)
			continue;
		b->name = name;
		*ret = &b->sink;
		return 0;
	}
	return kft_err_set(e, -E2BIG, "a recording has no room for the buffer '%s'",
			   name);
}

/*
 * Writes at the end of the last whole record instead of appending: a record that a full
 * disk cut is overwritten by the next one, so that records never shift.
 */
static int append_lost(struct live_sink *ls, const struct kft_strbuf *record)
{
	int r = ls->lost_fd < 0 ? open_lost_part(ls) : 0;

	if (r < 0)
		return r;
	ssize_t n = pwrite(ls->lost_fd, record->buf, record->len, ls->lost_pos);
	if (n < 0)
		return -errno;
	if ((size_t)n != record->len)
		return -ENOSPC;
	ls->lost_pos += n;
	return 0;
}

static int live_lost(struct kft_sink *s, const struct kft_lost_range *range)
{
	struct live_sink *ls = of(s);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf record = {};

	kft_encode_lost(&record, range);
	if (!kft_strbuf_ok(&record))
		return -ENOMEM;
	(void)pthread_mutex_lock(&ls->lock);
	int r = append_lost(ls, &record);
	(void)pthread_mutex_unlock(&ls->lock);
	return r;
}

static int replace_part(const struct live_sink *ls, const char *name, const char *text,
			size_t len)
{
	const int dir = ls->parts.fd;

	(void)unlinkat(dir, KFT_PARTS_TASKS_NEW, 0);
	_cleanup_close_ int fd = create_part(ls, KFT_PARTS_TASKS_NEW);
	if (fd < 0)
		return fd;
	int r = kft_write_all(fd, text, len);
	if (r == 0 && renameat(dir, KFT_PARTS_TASKS_NEW, dir, name) < 0)
		r = -errno;
	if (r < 0)
		(void)unlinkat(dir, KFT_PARTS_TASKS_NEW, 0);
	return r;
}

static int live_tasks(struct kft_sink *s, const struct kft_blob *cmdlines,
		      const struct kft_blob *tgids)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_tracedat_add_tasks(&text, cmdlines, tgids);
	return kft_strbuf_ok(&text)
		       ? replace_part(of(s), KFT_PARTS_TASKS, text.buf, text.len)
		       : -ENOMEM;
}

static int live_modules(struct kft_sink *s, const char *blocks, size_t len)
{
	return replace_part(of(s), KFT_PARTS_MODULES, blocks, len);
}

/* Readers accept no more names than this. */
static bool has_room(int names_fd, size_t len)
{
	off_t end = lseek(names_fd, 0, SEEK_CUR);

	return end < 0 || (uint64_t)end + len <= KFT_TASK_NAMES_MAX_BYTES;
}

/*
 * Writes names for readers of a killed recording; a completed one has
 * all names in its metadata.
 */
static void live_names(struct kft_sink *s, const void *records, size_t len)
{
	struct live_sink *ls = of(s);

	if (!len)
		return;
	if (ls->names_fd < 0)
		ls->names_fd = open_records_part(ls, KFT_PARTS_NAMES,
						 KFT_TASK_NAME_BYTES);
	if (ls->names_fd < 0 || !has_room(ls->names_fd, len) ||
	    kft_write_all(ls->names_fd, records, len) == 0)
		return;
	/*
	 * The disk is full: names after a truncated record would be
	 * misread, so no more are written.
	 */
	kft_closep(&ls->names_fd);
	ls->names_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
}

static void close_parts(struct live_sink *ls)
{
	for (size_t b = 0; b < KFT_PARTS_BUFFERS; b++) {
		for (uint32_t i = 0; i < ls->cpu_count; i++)
			kft_closep(&ls->buffers[b].cpu_fds[i]);
		free(TAKE(ls->buffers[b].cpu_fds));
	}
	ls->cpu_count = 0;
	kft_closep(&ls->lost_fd);
	ls->lost_fd = -1;
	kft_closep(&ls->names_fd);
	ls->names_fd = -1;
}

/* After a resume the metadata has only this process's names, the part has all of them. */
static int add_names(const struct live_sink *ls, struct kft_meta *meta,
		     struct kft_strbuf *names)
{
	int r = kft_read_at(ls->parts.fd, KFT_PARTS_NAMES, KFT_TASK_NAMES_MAX_BYTES,
			    names);

	if (r == 0)
		meta->names = (struct kft_blob){names->buf, names->len};
	return r == -ENOENT ? 0 : r;
}

/*
 * Losses from earlier processes precede those of this one, which are in the metadata and
 * in the part from lost_began on.
 */
static int add_earlier_lost(const struct live_sink *ls, struct kft_meta *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf records = {};
	int r = kft_read_at(ls->parts.fd, KFT_PARTS_LOST, LOST_BYTES_MAX, &records);

	if (r < 0)
		return r == -ENOENT ? 0 : r;
	struct kft_cursor c =
		kft_cursor_init(records.buf, KFT_MIN(records.len, ls->lost_began), false);
	return kft_dat_read_lost(ret, &c);
}

static int join_lost(const struct live_sink *ls, const struct kft_meta *meta,
		     struct kft_meta *all)
{
	int r = add_earlier_lost(ls, all);

	/*
	 * A damaged part must not prevent completing the trace:
	 * totals are in the metadata.
	 */
	if (r == -ENOMEM)
		return r;
	kft_vec_for_each(&meta->lost, range)
		if (all->lost.len < KFT_TRACEDAT_MAX_LOST_RECORDS &&
		    !kft_vec_push(&all->lost, *range))
			return -ENOMEM;
	return 0;
}

static int live_end(struct kft_sink *s, const struct kft_meta *meta, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf names = {};
	struct live_sink *ls = of(s);
	_cleanup_(kft_meta_finish) struct kft_meta losses = {};
	struct kft_meta with_names = *meta;

	close_parts(ls);
	int r = meta->names.len || !HAVE_SESSION_NAMES
			? 0
			: add_names(ls, &with_names, &names);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the names of tasks of '%s'",
				   ls->parts.path);
	if (ls->resumes) {
		r = join_lost(ls, meta, &losses);
		if (r < 0)
			return kft_err_sys(e, r, "cannot read the losses of '%s'",
					   ls->parts.path);
		memcpy(&with_names.lost, &losses.lost, sizeof(losses.lost));
	}
	r = kft_parts_merge(&ls->parts, &with_names, &ls->opts, e);
	if (r == 0)
		ls->begun = false;
	return r;
}

/* Removes a recording that ended before its first page. */
static void drop_if_empty(struct live_sink *ls)
{
	if (!ls->begun || ls->opts.keep_empty || kft_parts_have_data(&ls->parts))
		return;
	kft_parts_remove_file(&ls->parts, ls->file_fd);
	kft_parts_remove(&ls->parts);
}

static void live_destroy(struct kft_sink *s)
{
	struct live_sink *ls = of(s);

	close_parts(ls);
	drop_if_empty(ls);
	kft_closep(&ls->file_fd);
	kft_parts_finish(&ls->parts);
	(void)pthread_mutex_destroy(&ls->lock);
	free(ls);
}

static const struct kft_sink_ops live_ops = {
	.begin = live_begin,
	.cpu_fd = live_cpu_fd,
	.buffer = live_buffer,
	.lost = live_lost,
	.tasks = live_tasks,
	.names = live_names,
	.modules = live_modules,
	.end = live_end,
	.destroy = live_destroy,
};

static int create(const char *path, const struct kft_tracedat_opts *opts, bool resumes,
		  struct kft_sink **ret, struct kft_err *e)
{
	int r = kft_tracedat_check_opts(opts, e);

	if (r < 0)
		return r;
	struct live_sink *ls = calloc(1, sizeof(*ls));
	if (!ls)
		return kft_err_sys(e, -ENOMEM, "cannot write '%s'", path);
	ls->sink.ops = &live_ops;
	for (size_t i = 0; i < KFT_PARTS_BUFFERS; i++)
		ls->buffers[i] = (struct live_buffer){.sink.ops = &further_ops,
						      .live = ls};
	ls->buffers[0].name = "";
	ls->opts = *opts;
	ls->resumes = resumes;
	ls->lost_began = UINT64_MAX;
	ls->file_fd = -1;
	ls->lost_fd = -1;
	ls->names_fd = -1;
	(void)pthread_mutex_init(&ls->lock, NULL);
	r = kft_parts_init(&ls->parts, path, e);
	if (r < 0) {
		live_destroy(&ls->sink);
		return r;
	}
	*ret = &ls->sink;
	return 0;
}

int kft_tracedat_sink_create(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e)
{
	return create(path, opts, false, ret, e);
}

int kft_tracedat_sink_resume(const char *path, const struct kft_tracedat_opts *opts,
			     struct kft_sink **ret, struct kft_err *e)
{
	return create(path, opts, true, ret, e);
}
