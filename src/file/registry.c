// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens traces of any format by their first bytes. */
#include "file/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "file/ctf/read.h"
#include "file/kpt/read.h"
#include "file/other_formats.h"
#include "file/perf/read.h"
#include "file/tracedat/read/read.h"
#include "file/tracedat/stream/read.h"

/* Readers of other programs' formats, and of streams. */
#if HAVE_FOREIGN
#define open_perf kft_perf_open
#define open_kpt  kft_kpt_open

/* The metadata file stands for the directory that contains it. */
static int open_ctf(int fd, const char *path, struct kft_trace **ret, struct kft_err *e)
{
	kft_closep(&fd);
	return kft_ctf_open(path, ret, e);
}
#define open_directory kft_ctf_open

/* Opens a whole file as a stream: it is read from its start to its end. */
static int open_stream(int fd, const char *path, struct kft_trace **ret,
		       struct kft_err *e)
{
	_cleanup_close_ int own = fd;

	return kft_stream_open(own, NULL, 0, path, ret, e);
}
#else
static int open_directory(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	(void)kft_err_set(e, -ENOTSUP, "this build of kft reads trace.dat only");
	kft_err_hint(e, "it is a small one (-Dsmall=true); any other reads '%s'", path);
	return -ENOTSUP;
}

static int open_foreign(int fd, const char *path, struct kft_trace **ret,
			struct kft_err *e)
{
	kft_closep(&fd);
	return open_directory(path, ret, e);
}
#define open_perf   open_foreign
#define open_kpt    open_foreign
#define open_ctf    open_foreign
#define open_stream open_foreign
#endif

static const struct format {
	const char *name;
	bool (*match)(const void *head, size_t len);
	/* fd is taken in any case. */
	int (*open)(int fd, const char *path, struct kft_trace **ret, struct kft_err *e);
} formats[] = {
	{"trace.dat", kft_tracedat_match, kft_tracedat_open},
	{"kft's stream", kft_stream_match, open_stream},
	{"perf.data", kft_perf_match, open_perf},
	{"CTF", kft_ctf_match, open_ctf},
	{"KPTrace", kft_kpt_match, open_kpt},
};

static const struct format *find_format(const void *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].match(head, len))
			return &formats[i];
	return NULL;
}

#if HAVE_FOREIGN
/* Adds the name of the file's format to the error if kft knows but does not read it. */
static void hint_other_format(int fd, struct kft_err *e)
{
	char head[KFT_OTHER_HEAD_BYTES];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	const char *sentence = n > 0 ? kft_other_format(head, n) : NULL;

	if (sentence)
		kft_err_hint(e, "%s", sentence);
}

static void hint_other_directory(int fd, struct kft_err *e)
{
	const char *sentence = kft_other_directory(fd);

	if (sentence)
		kft_err_hint(e, "%s", sentence);
}
#else
static void hint_other_format(int fd, struct kft_err *e)
{
	(void)fd;
	(void)e;
}

static void hint_other_directory(int fd, struct kft_err *e)
{
	(void)fd;
	(void)e;
}
#endif

/* Adds a hint for files that are often found beside traces. */
static void hint(int fd, const void *head, size_t len, struct kft_err *e)
{
	static const char is_compressed[] = "it is compressed: uncompress it first";
	static const char is_stream[] =
		"it is a stream of a CTF trace: give the directory that it is in";
	static const struct {
		const char *magic;
		size_t len;
		const char *hint;
	} others[] = {
		{"\x1f\x8b", 2, is_compressed}, /* gzip, RFC 1952 */
		{"\xfd\x37zXZ", 5, is_compressed},
		{"\x28\xb5\x2f\xfd", 4, is_compressed}, /* zstd, RFC 8878 */
		{"BZh", 3, is_compressed},
		{"\xc1\x1f\xfc\xc1", 4, is_stream}, /* CTF 1.8, 4.1 */
		{"\xc1\xfc\x1f\xc1", 4, is_stream},
	};

	hint_other_format(fd, e);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (len >= others[i].len &&
		    memcmp(head, others[i].magic, others[i].len) == 0)
			kft_err_hint(e, "%s", others[i].hint);
}

static int refuse(const char *name, int fd, const void *head, size_t len,
		  struct kft_err *e)
{
	(void)kft_err_set(e, -EINVAL, "unknown trace format: '%s'", name);
	hint(fd, head, len, e);
	return -EINVAL;
}

/*
 * Opens regular files only: opening a FIFO would wait for a writer,
 * and devices are not traces.
 */
static int open_regular(const char *path, int *ret_fd, struct kft_err *e)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return kft_err_sys(e, -errno, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode)) {
		(void)kft_err_set(e, -EISDIR,
				  "'%s' is a directory, and no trace of CTF or KPTrace",
				  path);
		hint_other_directory(fd, e);
		return -EISDIR;
	}
	if (!S_ISREG(st.st_mode))
		return kft_err_set(e, -EINVAL, "'%s' is not a regular file", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int read_head(int fd, void *head, size_t *ret_len)
{
	ssize_t n;

	do {
		n = pread(fd, head, KFT_FILE_HEAD_BYTES, 0);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	*ret_len = n;
	return 0;
}

bool kft_file_is_trace(const void *head, size_t len)
{
	return find_format(head, len);
}

int kft_file_open_fd(int fd, const char *name, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_close_ int own = fd;
	uint8_t head[KFT_FILE_HEAD_BYTES] = {};
	size_t len = 0;
	int r = read_head(own, head, &len);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read '%s'", name);
	if (!len)
		return kft_err_set(e, -ENODATA, "'%s' is empty", name);
	const struct format *f = find_format(head, len);
	if (!f)
		return refuse(name, own, head, len, e);
	r = f->open(TAKE_FD(own), name, ret, e);
	if (r < 0)
		return kft_err_wrap(e, r, "cannot read '%s'", name);
	return 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/*
 * The KPTrace file in a folder that `kft export` made; NULL: there is
 * none. Freed by the caller.
 */
static char *kpt_of(const char *path)
{
	char *file = NULL;

	if (!HAVE_FOREIGN || !is_directory(path) ||
	    asprintf(&file, "%s/kptrace.kpt", path) < 0)
		return NULL;
	if (access(file, F_OK) == 0)
		return file;
	free(file);
	return NULL;
}

int kft_file_open(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_free_ char *kpt = kpt_of(path);
	int fd = -1;
	int r;

	path = kpt ? kpt : path;
	r = is_directory(path) ? open_directory(path, ret, e) : -ENOENT;
	if (r != -ENOENT)
		return r < 0 ? kft_err_wrap(e, r, "cannot read '%s'", path) : 0;
	r = open_regular(path, &fd, e);
	return r < 0 ? r : kft_file_open_fd(fd, path, ret, e);
}
