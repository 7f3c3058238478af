// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads an unfinished recording. */
#include "file/tracedat/read/version.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/strbuf.h"
#include "file/tracedat/parts.h"
#include "file/tracedat/read/buffer.h"
#include "file/tracedat/read/lost.h"
#include "file/tracedat/read/meta.h"
#include "file/tracedat/read/stream.h"

/*
 * An unfinished recording, running or interrupted: FILE has the metadata and
 * a LIVE option, the directory FILE.parts the events. Any of its files may
 * be truncated at any byte.
 */

#define LOST_BYTES_MAX	  ((size_t)KFT_TRACEDAT_MAX_LOST_RECORDS * KFT_LOST_RECORD_BYTES)
#define TASKS_BYTES_MAX	  (64u << 20)
#define NAMES_BYTES_MAX	  KFT_TRACEDAT_MAX_OPTION_BYTES
#define MODULES_BYTES_MAX (64u << 20)

static int part_damage(struct kft_dat_reader *d, int r, const char *what)
{
	return kft_dat_damage(d, r, "parts of an unfinished recording", 0, "%s: %s", what,
			      strerror(-r));
}

static const char *part_path(struct kft_dat_reader *d, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_addf(&sb, "%s" KFT_PARTS_SUFFIX "/%s", d->path, name);
	return kft_arena_strdup(&d->trace->arena, kft_strbuf_cstr(&sb));
}

/* Opens a regular file; all other types are refused. */
static int open_part(int dirfd, const char *name, int *ret_fd, uint64_t *ret_size)
{
	_cleanup_close_ int fd = openat(dirfd, name,
					O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	*ret_size = st.st_size;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int add_cpu(struct kft_dat_reader *d, int dirfd, const char *name, uint32_t cpu,
		   uint16_t buffer)
{
	struct kft_dat_source src = {
		.cpu = cpu,
		.buffer = buffer,
		.page_size = d->live.page_size,
		.unfinished = true,
	};
	int r = open_part(dirfd, name, &src.fd, &src.size);
	if (r == -ENOENT)
		return 0;
	if (r < 0) {
		(void)part_damage(d, r, name);
		return 0;
	}
	src.path = part_path(d, name);
	src.end = src.size;
	if (!src.size) {
		(void)close(src.fd);
		return 0;
	}
	return kft_dat_stream_add(d, &src);
}

/*
 * Reads a part. Links are refused, as their target is not the recording's, and
 * FIFOs, as a read would block.
 */
static int read_part(int dirfd, const char *name, size_t max_bytes, struct kft_strbuf *sb)
{
	_cleanup_close_ int fd = -1;
	uint64_t size;
	int r = open_part(dirfd, name, &fd, &size);

	return r < 0 ? r : kft_read_fd(fd, max_bytes, sb);
}

static int read_lost(struct kft_dat_reader *d, int dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = read_part(dirfd, KFT_PARTS_LOST, LOST_BYTES_MAX, &sb);

	if (r == 0) {
		struct kft_cursor c = kft_cursor_init(sb.buf, sb.len, false);
		r = kft_dat_read_lost(&d->trace->meta, &c);
	}
	return r == -ENOENT ? 0 : r;
}

int kft_dat_use_tasks(struct kft_meta *m, const struct kft_strbuf *sb)
{
	const char *line = memmem(sb->buf, sb->len, KFT_PARTS_TGIDS_LINE,
				  strlen(KFT_PARTS_TGIDS_LINE));
	size_t comms = line ? (size_t)(line - sb->buf) : sb->len;
	int r = kft_meta_set_blob(m, &m->cmdlines, sb->buf, comms);

	if (r < 0 || !line)
		return r;
	line += strlen(KFT_PARTS_TGIDS_LINE);
	return kft_meta_set_blob(m, &m->tgids, line, sb->buf + sb->len - line);
}

static int read_tasks(struct kft_dat_reader *d, int dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta *m = &d->trace->meta;
	int r = read_part(dirfd, KFT_PARTS_TASKS, TASKS_BYTES_MAX, &sb);

	if (r < 0 || !sb.len)
		return r == -ENOENT ? 0 : r;
	return kft_dat_use_tasks(m, &sb);
}

static int read_names(struct kft_dat_reader *d, int dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_meta *m = &d->trace->meta;
	int r = read_part(dirfd, KFT_PARTS_NAMES, NAMES_BYTES_MAX, &sb);

	if (r < 0 || !sb.len)
		return r == -ENOENT ? 0 : r;
	return kft_meta_set_blob(m, &m->names, sb.buf, sb.len);
}

static int read_modules(struct kft_dat_reader *d, int dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	int r = read_part(dirfd, KFT_PARTS_MODULES, MODULES_BYTES_MAX, &sb);

	if (r < 0 || !sb.len)
		return r == -ENOENT ? 0 : r;
	r = kft_meta_set_blob(&d->trace->meta, &d->modules, sb.buf, sb.len);
	/* Symbols that are read later get them then. */
	return r == 0 && !d->trace->load_kallsyms ? kft_dat_join_modules(d) : r;
}

static void set_clock(struct kft_dat_reader *d)
{
	struct kft_meta *m = &d->trace->meta;

	if (!m->trace_clock.len)
		kft_dat_use_clock(&m->clock, d->live.clock, strlen(d->live.clock));
	m->page_size = d->live.page_size;
	if (!m->cpu_count)
		m->cpu_count = d->live.cpu_count;
}

/* Adds a buffer; one other than the main buffer is added only if it has a page. */
static int add_buffer(struct kft_dat_reader *d, int dirfd, const char *buffer_name)
{
	uint16_t buffer = 0;
	bool is_added = false;
	int r = 0;

	for (uint32_t cpu = 0; cpu < d->live.cpu_count && r == 0; cpu++) {
		char name[KFT_PARTS_NAME_MAX];

		kft_parts_cpu_name(buffer_name, cpu, name);
		if (!is_added && *buffer_name && kft_find_at(dirfd, name) < 0)
			continue;
		if (!is_added)
			r = kft_dat_add_buffer(d, buffer_name, d->live.clock,
					       d->live.page_size, 0, &buffer);
		is_added = true;
		if (r == 0)
			r = add_cpu(d, dirfd, name, cpu, buffer);
	}
	return r;
}

int kft_dat_add_live_buffer(struct kft_dat_reader *d, uint16_t *ret)
{
	set_clock(d);
	return kft_dat_add_buffer(d, "", d->live.clock, d->live.page_size, 0, ret);
}

static int read_dir(struct kft_dat_reader *d, int dirfd)
{
	struct kft_parts_buffers found;
	int r = read_lost(d, dirfd);

	if (r < 0)
		(void)part_damage(d, r, KFT_PARTS_LOST);
	r = read_tasks(d, dirfd);
	if (r < 0)
		(void)part_damage(d, r, KFT_PARTS_TASKS);
	r = read_names(d, dirfd);
	if (r < 0)
		(void)part_damage(d, r, KFT_PARTS_NAMES);
	r = read_modules(d, dirfd);
	if (r < 0)
		(void)part_damage(d, r, KFT_PARTS_MODULES);
	r = 0;
	kft_parts_find_buffers(dirfd, &found);
	for (size_t i = 0; i < found.n && r == 0; i++)
		r = add_buffer(d, dirfd, found.names[i]);
	return r == -ENOMEM ? r : 0;
}

int kft_dat_read_parts(struct kft_dat_reader *d, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf dir = {};

	d->trace->unfinished = true;
	set_clock(d);
	kft_strbuf_addf(&dir, "%s" KFT_PARTS_SUFFIX, path);
	if (!kft_strbuf_ok(&dir))
		return -ENOMEM;
	_cleanup_close_ int dirfd = open(kft_strbuf_cstr(&dir),
					 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0) {
		(void)part_damage(d, -errno, "their directory");
		return 0;
	}
	return read_dir(d, dirfd);
}
