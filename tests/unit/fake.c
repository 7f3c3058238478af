// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "fake.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

static const char *absolute(const struct fake *f, const char *path)
{
	static char buf[PATH_MAX];

	assert_true(snprintf(buf, sizeof(buf), "%s/%s", f->root, path) <
		    (int)sizeof(buf));
	return buf;
}

static void make_parents(const struct fake *f, const char *path)
{
	char dir[PATH_MAX];

	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		assert_true(snprintf(dir, sizeof(dir), "%s/%.*s", f->root,
				     (int)(p - path), path) < (int)sizeof(dir));
		if (mkdir(dir, 0700) < 0)
			assert_int_equal(errno, EEXIST);
	}
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)remove(path);
	return 0;
}

int fake_setup(void **state)
{
	struct fake *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	/* In memory if possible: hundreds of small files are made and removed. */
	(void)strcpy(f->root, "/dev/shm/kft-fake.XXXXXX");
	if (!mkdtemp(f->root)) {
		(void)strcpy(f->root, "/tmp/kft-fake.XXXXXX");
		assert_non_null(mkdtemp(f->root));
	}
	assert_int_equal(kft_host_open(f->root, &f->host, NULL), 0);
	*state = f;
	return 0;
}

int fake_teardown(void **state)
{
	struct fake *f = *state;

	kft_host_close(f->host);
	(void)nftw(f->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

void fake_write(const struct fake *f, const char *path, const char *text)
{
	make_parents(f, path);
	FILE *file = fopen(absolute(f, path), "we");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

void fake_mkdir(const struct fake *f, const char *path)
{
	make_parents(f, path);
	assert_int_equal(mkdir(absolute(f, path), 0700), 0);
}

void fake_link(const struct fake *f, const char *path, const char *target)
{
	make_parents(f, path);
	assert_int_equal(symlink(target, absolute(f, path)), 0);
}

void fake_remove(const struct fake *f, const char *path)
{
	(void)nftw(absolute(f, path), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *fake_read(const struct fake *f, const char *path)
{
	static char text[1 << 16];
	FILE *file = fopen(absolute(f, path), "re");

	if (!file)
		return NULL;
	size_t n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	(void)fclose(file);
	return text;
}

bool fake_exists(const struct fake *f, const char *path)
{
	struct stat st;

	return lstat(absolute(f, path), &st) == 0;
}
