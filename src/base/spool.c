// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps input that can be read only once in an unnamed file. */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/strbuf.h"

#define COPY_BYTES ((size_t)256 * 1024)

const char *kft_spool_folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

/* For file systems without O_TMPFILE: creates a named file and unlinks it at once. */
static int create_unlinked(const char *dir)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf path = {};

	kft_strbuf_adds(&path, dir);
	kft_strbuf_adds(&path, "/kft-XXXXXX");
	/* mkostemp() writes to the template. */
	_cleanup_free_ char *name = strdup(kft_strbuf_cstr(&path));
	if (!name || !kft_strbuf_ok(&path))
		return -ENOMEM;
	int fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	(void)unlink(name);
	return fd;
}

int kft_spool_create(int *ret_fd, struct kft_err *e)
{
	const char *dir = kft_spool_folder();
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, S_IRUSR | S_IWUSR);

	if (fd < 0)
		fd = create_unlinked(dir);
	if (fd < 0) {
		int r = kft_err_sys(e, fd, "cannot make a temporary file in '%s'", dir);

		kft_err_hint(e, "TMPDIR says where they are made");
		return r;
	}
	*ret_fd = fd;
	return 0;
}

int kft_spool_failed(int code, struct kft_err *e)
{
	int r = kft_err_sys(e, code, "cannot write a temporary file in '%s'",
			    kft_spool_folder());

	kft_err_hint(e, "TMPDIR says where it is made");
	return r;
}

int kft_spool_input(int in_fd, const void *head, size_t len, int *ret_fd,
		    struct kft_err *e)
{
	_cleanup_free_ uint8_t *buf = malloc(COPY_BYTES);
	_cleanup_close_ int fd = -1;
	ssize_t n;

	if (!buf)
		return kft_err_sys(e, -ENOMEM, "cannot read the input");
	int r = kft_spool_create(&fd, e);
	if (r < 0)
		return r;
	r = kft_write_all(fd, head, len);
	while (r == 0 && (n = kft_read_full(in_fd, buf, COPY_BYTES, NULL)) != 0) {
		if (n < 0)
			return kft_err_sys(e, n, "cannot read the input");
		r = kft_write_all(fd, buf, n);
	}
	if (r < 0)
		return kft_spool_failed(r, e);
	*ret_fd = TAKE_FD(fd);
	return 0;
}
