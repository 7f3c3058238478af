// SPDX-License-Identifier: GPL-2.0-only
/* Rejects outputs that would overwrite the input. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/err.h"
#include "file/tracedat/format.h"

/* Deeper than any reader searches for the files of a trace. */
#define DEPTH_MAX 8

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_file(const char *path, const struct stat *output)
{
	struct stat st;

	return stat(path, &st) == 0 && is_same(&st, output);
}

/* Symbolic links are followed only at the top, so that a loop of them ends. */
static bool has_file(int dir, const char *path, const struct stat *output,
		     unsigned int depth)
{
	_cleanup_close_ int fd = openat(
		dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth ? O_NOFOLLOW : 0));
	_cleanup_closedir_ DIR *d = fd < 0 ? NULL : kft_opendir_at(fd, ".");
	const char *name;
	struct stat st;

	while (d && (name = kft_dir_next(d))) {
		if (name[0] == '.' || fstatat(fd, name, &st, 0) < 0)
			continue;
		if (is_same(&st, output))
			return true;
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX &&
		    has_file(fd, name, output, depth + 1))
			return true;
	}
	return false;
}

/* The metadata file of a CTF trace stands for its directory. */
static bool is_beside_metadata(const char *path, const struct stat *output)
{
	const char *slash = strrchr(path, '/');
	_cleanup_free_ char *dir = NULL;

	if (strcmp(slash ? slash + 1 : path, "metadata") != 0)
		return false;
	dir = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
	return !dir || has_file(AT_FDCWD, dir, output, 0);
}

/* KPTrace stores the symbols of FILE.kpt in FILE.kpm. */
static bool is_symbols(const char *path, const struct stat *output)
{
	_cleanup_free_ char *symbols = strdup(path);
	size_t len = strlen(path);

	if (!symbols)
		return true;
	if (len < 4 || strcmp(path + len - 4, ".kpt") != 0)
		return false;
	symbols[len - 1] = 'm';
	return is_file(symbols, output);
}

static bool is_part(const char *path, const struct stat *output)
{
	_cleanup_free_ char *parts = NULL;

	return asprintf(&parts, "%s" KFT_PARTS_SUFFIX, path) < 0 ||
	       has_file(AT_FDCWD, parts, output, 0);
}

/* A directory is a CTF trace, unless it contains KPTrace's file. */
static bool is_in_directory(const char *path, const struct stat *output)
{
	_cleanup_free_ char *kpt = NULL;

	if (asprintf(&kpt, "%s/kptrace.kpt", path) < 0)
		return true;
	if (access(kpt, F_OK) == 0)
		return is_file(kpt, output) || is_symbols(kpt, output);
	return has_file(AT_FDCWD, path, output, 0);
}

static bool is_itself(const char *path, const struct stat *output)
{
	return is_file(strcmp(path, "-") == 0 ? "/proc/self/fd/0" : path, output);
}

static bool is_input(const char *path, const struct stat *output)
{
	if (is_itself(path, output))
		return true;
	/* Small builds read no other formats. */
	return HAVE_FOREIGN &&
	       (is_part(path, output) || is_in_directory(path, output) ||
		is_beside_metadata(path, output) || is_symbols(path, output));
}

int cli_output_differs(const char *output, const char *input, struct kft_err *e)
{
	struct stat st;

	if (stat(output, &st) < 0 || !is_input(input, &st))
		return 0;
	return kft_err_set(e, -EEXIST, "output '%s' is a file of the trace that is read",
			   output);
}

/*
 * cat(1) has the same rule: the input would grow with all output. An empty file in a
 * trace's directory is no stream: it may be there for the output.
 */
int cli_output_is_apart(const char *input, struct kft_err *e)
{
	struct stat st;

	if (fstat(STDOUT_FILENO, &st) < 0 || !S_ISREG(st.st_mode) ||
	    !(st.st_size ? is_input(input, &st) : is_itself(input, &st)))
		return 0;
	(void)kft_err_set(e, -EEXIST, "standard output is a file of '%s', which is read",
			  input);
	if (!st.st_size)
		kft_err_hint(e, "'>' has emptied it before kft was started");
	return -EEXIST;
}

int cli_output_open(const char *output, const char *input, struct kft_new_file *ret,
		    struct kft_err *e)
{
	int r = cli_output_differs(output, input, e);

	return r < 0 ? r : kft_new_file_open(output, ret, e);
}
