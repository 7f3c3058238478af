// SPDX-License-Identifier: LGPL-2.1-or-later
/* Replaces a recording by a complete file. */
#include "file/tracedat/parts_finish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>

#include "base/err.h"
#include "base/io.h"
#include "file/tracedat/format.h"
#include "file/tracedat/read/part_pages.h"

static int sync_and_rename(const struct kft_parts *p, int fd, struct kft_err *e)
{
	/*
	 * On a file system without locks, other processes cannot see
	 * that the file is in use.
	 */
	(void)flock(fd, LOCK_EX | LOCK_NB);
	if (fsync(fd) < 0)
		return kft_err_sys(e, -errno, "sync failed");
	if (renameat(p->fd, KFT_PARTS_NEW, p->dir_fd, p->name) < 0)
		return kft_err_sys(e, -errno, "rename failed");
	/*
	 * Makes the new name durable; a file system that cannot sync
	 * directories writes it later.
	 */
	if (fsync(p->dir_fd) < 0 && errno != EINVAL)
		return kft_err_sys(e, -errno, "sync of the directory failed");
	return 0;
}

int kft_parts_replace_file(const struct kft_parts *p, kft_parts_write_fn *write,
			   void *arg, int *ret_fd, struct kft_err *e)
{
	/*
	 * A leftover of an earlier attempt; other users cannot
	 * create files in FILE.parts.
	 */
	(void)unlinkat(p->fd, KFT_PARTS_NEW, 0);
	_cleanup_close_ int fd = kft_make_file_at(p->fd, KFT_PARTS_NEW, O_RDWR | O_EXCL);
	int r = fd < 0 ? kft_err_sys(e, fd, "cannot create a file") : 0;

	if (r == 0)
		r = write(arg, fd, e);
	if (r == 0)
		r = sync_and_rename(p, fd, e);
	if (r < 0) {
		(void)unlinkat(p->fd, KFT_PARTS_NEW, 0);
		return kft_err_wrap(e, r, "cannot write '%s'", p->path);
	}
	if (ret_fd)
		*ret_fd = TAKE_FD(fd);
	return 0;
}

struct merge {
	const struct kft_meta *meta;
	const struct kft_tracedat_opts *opts;
	struct kft_parts_buffers found;
	struct kft_part_pages pages[KFT_PARTS_BUFFERS];
};

static int write_merged(void *arg, int fd, struct kft_err *e)
{
	const struct merge *m = arg;
	struct kft_tracedat_buffer buffers[KFT_PARTS_BUFFERS];
	size_t n = 0;

	for (size_t i = 0; i < m->found.n; i++) {
		if (i && !m->pages[i].sources.len)
			continue;
		buffers[n++] = (struct kft_tracedat_buffer){
			.name = m->found.names[i],
			.clock = m->meta->clock.name,
			.page_size = m->meta->page_size,
			.sources = m->pages[i].sources.data,
			.n_sources = m->pages[i].sources.len,
		};
	}
	return kft_tracedat_write(fd, m->meta, buffers, n, m->opts, e);
}

int kft_parts_merge(struct kft_parts *p, const struct kft_meta *meta,
		    const struct kft_tracedat_opts *opts, struct kft_err *e)
{
	struct merge m = {.meta = meta, .opts = opts};
	int r = 0;

	kft_parts_find_buffers(p->fd, &m.found);
	for (size_t i = 0; i < m.found.n && r == 0; i++)
		r = kft_part_pages_load(&m.pages[i], p->fd, m.found.names[i], meta, e);
	if (r == 0)
		r = kft_parts_replace_file(p, write_merged, &m, NULL, e);
	for (size_t i = 0; i < m.found.n; i++)
		kft_part_pages_finish(&m.pages[i]);
	if (r == 0) {
		kft_parts_remove(p);
		return 0;
	}
	if (r == -ENOSPC || r == -EDQUOT || r == -EFBIG)
		kft_err_hint(
			e,
			"the recorded events are safe and can be read as they are; to "
			"make one file of them, free some space and run 'kft recover "
			"%s', or 'kft recover -o FILE %s' with a FILE elsewhere",
			p->path, p->path);
	return r;
}
