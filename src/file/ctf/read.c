// SPDX-License-Identifier: LGPL-2.1-or-later
#include "file/ctf/read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "file/ctf/reader.h"
#include "file/ctf/text.h"

#define METADATA "metadata"

/* A class whose CTF id is below this is found by its index. */
#define SMALL_IDS 8192u

#define NS_PER_S INT64_C(1000000000)

bool kft_ctf_match(const void *head, size_t len)
{
	return kft_ctf_is_metadata(head, len);
}

/* Maps a regular file; one that is empty has no data. */
static int map_file(int dir, const char *name, struct kft_ctf_file *ret)
{
	_cleanup_close_ int fd = openat(dir, name,
					O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	*ret = (struct kft_ctf_file){.size = st.st_size};
	if (!st.st_size)
		return 0;
	void *data = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	(void)madvise(data, st.st_size, MADV_SEQUENTIAL);
	ret->data = data;
	ret->is_mapped = true;
	return 0;
}

static int read_metadata(struct kft_ctf_reader *c, int dir, struct kft_err *e)
{
	struct kft_ctf_file f = {};
	int r = map_file(dir, METADATA, &f);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read 'metadata'");
	r = kft_ctf_setup(c, f.data, f.size, e);
	kft_ctf_unmap(&f);
	return r;
}

static int by_name(const void *pa, const void *pb)
{
	const char *const *a = pa;
	const char *const *b = pb;

	return strcmp(*a, *b);
}

typedef KFT_VEC(char *) names_vec;

static void finish_names(names_vec *names)
{
	kft_vec_for_each(names, n)
		free(*n);
	kft_vec_finish(names);
}

/* All that may be a file of packets, in the order of their names. */
static int list_files(int dir, names_vec *ret)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!d) {
		int r = -errno;

		kft_closep(&fd);
		return r;
	}
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, METADATA) == 0 ||
		    ret->len == KFT_CTF_FILES_MAX)
			continue;
		char *name = strdup(entry->d_name);
		if (!name || !kft_vec_push(ret, name)) {
			free(name);
			(void)closedir(d);
			return -ENOMEM;
		}
	}
	(void)closedir(d);
	if (ret->len)
		qsort(ret->data, ret->len, sizeof(*ret->data), by_name);
	return 0;
}

static int add_file(struct kft_ctf_reader *c, int dir, const char *path, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};
	struct kft_ctf_file f;
	int r = map_file(dir, name, &f);

	/* Directories (LTTng's "index") and the like are no part of the trace. */
	if (r == -EINVAL || (r == 0 && !f.size))
		return 0;
	if (r < 0)
		return r;
	kft_strbuf_add_escaped(&shown, path, strlen(path));
	kft_strbuf_addc(&shown, '/');
	kft_strbuf_add_escaped(&shown, name, strlen(name));
	f.path = kft_arena_strdup(&c->trace->arena, kft_strbuf_cstr(&shown));
	if (!f.path || !kft_vec_push(&c->files, f)) {
		kft_ctf_unmap(&f);
		return -ENOMEM;
	}
	return 0;
}

static int add_files(struct kft_ctf_reader *c, int dir, const char *path,
		     struct kft_err *e)
{
	_cleanup_(finish_names) names_vec names = {};
	int r = list_files(dir, &names);

	kft_vec_for_each(&names, name) {
		if (r == 0)
			r = add_file(c, dir, path, *name);
		if (r < 0)
			return kft_err_sys(e, r, "cannot read '%s'", *name);
	}
	return r < 0 ? kft_err_sys(e, r, "cannot list its files") : 0;
}

static int read_trace(struct kft_ctf_reader *c, int dir, const char *path,
		      struct kft_err *e)
{
	int r = read_metadata(c, dir, e);

	if (r == 0)
		r = add_files(c, dir, path, e);
	return r < 0 ? r : kft_ctf_start(c);
}

static bool has_metadata(int dir)
{
	return kft_find_at(dir, METADATA) == 0;
}

/* The directory below that has the metadata; LTTng has the kernel's in "kernel". */
static int find_below(int dir, char **ret_name)
{
	_cleanup_(finish_names) names_vec names = {};
	int r = list_files(dir, &names);

	if (r < 0)
		return r;
	*ret_name = NULL;
	kft_vec_for_each(&names, name) {
		_cleanup_close_ int below = openat(dir, *name,
						   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		bool better = !*ret_name || strcmp(*name, "kernel") == 0;

		if (below < 0 || !better || !has_metadata(below))
			continue;
		free(*ret_name);
		*ret_name = strdup(*name);
		if (!*ret_name)
			return -ENOMEM;
	}
	return *ret_name ? 0 : -ENOENT;
}

/* *ret_fd is the trace's directory, *ret_path what it is called. */
static int find_dir(const char *path, int *ret_fd, char **ret_path)
{
	_cleanup_free_ char *name = strdup(path);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ char *below = NULL;
	int r;

	if (!name)
		return -ENOMEM;
	if (fd < 0 && errno == ENOTDIR) {
		char *slash = strrchr(name, '/');

		(void)strcpy(slash ? slash + (slash == name) : name, slash ? "" : ".");
		fd = open(*name ? name : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		return -errno;
	if (!has_metadata(fd)) {
		r = find_below(fd, &below);
		if (r < 0)
			return r;
		int sub = openat(fd, below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (sub < 0)
			return -errno;
		(void)close(fd);
		fd = sub;
	}
	if (asprintf(ret_path, "%s%s%s", name, below ? "/" : "", below ? below : "") < 0)
		return -ENOMEM;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int kft_ctf_open(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	_cleanup_close_ int dir = -1;
	_cleanup_free_ char *dir_path = NULL;
	struct kft_err why = {};
	int r = find_dir(path, &dir, &dir_path);

	if (r == -ENOENT)
		(void)kft_err_set(&why, r, "no 'metadata' is in it");
	if (r == 0)
		r = kft_ctf_create(&t);
	if (r == 0)
		r = read_trace(t->reader, dir, dir_path, &why);
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
