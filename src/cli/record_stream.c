// SPDX-License-Identifier: GPL-2.0-only
/* Reserves standard output for the stream of a recording. */
#include "cli/record_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/err.h"

int cli_record_stream_open(int *ret_fd, struct kft_err *e)
{
	if (isatty(STDOUT_FILENO)) {
		(void)kft_err_set(e, -EINVAL, "standard output is a terminal");
		kft_err_hint(
			e, "a stream is for a program: 'kft record -o - | kft report -'");
		return -EINVAL;
	}
	_cleanup_close_ int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return kft_err_sys(e, -errno, "cannot write to standard output");
	*ret_fd = TAKE_FD(fd);
	return 0;
}
