// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "tmpdir.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/io.h"

int tmpdir_setup(void **state)
{
	struct tmpdir *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	const char *where = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	(void)snprintf(d->root, sizeof(d->root), "%s/kft-test.XXXXXX", where);
	assert_non_null(mkdtemp(d->root));
	*state = d;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)remove(path);
	return 0;
}

int tmpdir_teardown(void **state)
{
	struct tmpdir *d = *state;

	(void)nftw(d->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(d);
	return 0;
}

const char *tmpdir_path(struct tmpdir *d, const char *name)
{
	int n = snprintf(d->path, sizeof(d->path), "%s/%s", d->root, name);

	assert_true(n > 0 && (size_t)n < sizeof(d->path));
	return d->path;
}

void tmpdir_write(struct tmpdir *d, const char *name, const void *data, size_t len)
{
	_cleanup_close_ int fd = open(tmpdir_path(d, name),
				      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(kft_write_all(fd, data, len), 0);
}

bool tmpdir_exists(struct tmpdir *d, const char *name)
{
	struct stat st;

	return lstat(tmpdir_path(d, name), &st) == 0;
}

uint8_t *tmpdir_read(struct tmpdir *d, const char *name, size_t *ret_len)
{
	_cleanup_close_ int fd = open(tmpdir_path(d, name), O_RDONLY | O_CLOEXEC);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	assert_true(fd >= 0);
	assert_int_equal(kft_read_fd(fd, 1 << 30, &sb), 0);
	*ret_len = sb.len;
	return (uint8_t *)kft_strbuf_detach(&sb);
}

size_t tmpdir_count(struct tmpdir *d)
{
	DIR *dir = opendir(d->root);
	size_t n = 0;

	assert_non_null(dir);
	for (struct dirent *ent; (ent = readdir(dir));)
		n += strcmp(ent->d_name, ".") != 0 && strcmp(ent->d_name, "..") != 0;
	(void)closedir(dir);
	return n;
}
